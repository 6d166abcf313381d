"""Dialogues as a result: records, and what became of every one that was wanted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from assize.base.conversation import Conversation
from assize.results import Column, Hidden, Table
from assize.simulate._recipes.checks import Checks, SourceChecks
from assize.simulate._result import Simulated


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedDialogues(Simulated[Conversation]):
    """Dialogues that models made, and how each recipe did.

    Args:
        n: dialogues that were wanted, of which `unscored` failed, for the `reasons` given.
        again: answers that were asked for again, because they could not be read.
    """

    heading: ClassVar[str] = "Dialogues"

    n: Annotated[int, Column("wanted")] = 0
    unscored: Annotated[int, Column("failed")] = 0
    reasons: Hidden[Mapping[str, int]] = field(default_factory=dict)
    again: Annotated[int, Column("answers asked for again")] = 0
    recipes: Annotated[
        Sequence[Checks], Table("Dialogues", "What each recipe made; words are means a turn.")
    ] = ()
    sources: Annotated[
        Sequence[SourceChecks],
        Table(
            "Sources",
            "What turns cite, and how many of the topics' documents were shown.",
            notes=(
                "Recall is the share of a topic's documents that were shown. If the log of a search"
                " engine named these documents, recall says how alike the two searches are, not"
                " how good.",
            ),
        ),
    ] = ()
