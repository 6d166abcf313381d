"""Dialogues as a result: records, and what became of every one that was wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

from assize.base.conversation import Conversation
from assize.judging.usage_total import UsageTotal
from assize.results import Column, Hidden, Records, Table, derive
from assize.results.numbers import counted
from assize.simulate._recipes.checks import Checks, SourceChecks, checks_of, source_checks_of
from assize.simulate._recipes.plan import Talk


@dataclass(frozen=True, slots=True)
class SimulatedDialogues(Records[Conversation]):
    """Dialogues that models made, and how each recipe did.

    Iterating gives the conversations.

    Args:
        dialogues: those that came to their end.
        talks: all that were begun, also those that failed, in the order of the plans.
        wanted: dialogues that were to be made.
        reasons: of calls that gave no answer.
        again: answers that were asked for again, because they could not be read.
        spent: what asking models took.
        outputs: what was written, with how many records.
    """

    heading: ClassVar[str] = "Dialogues"

    dialogues: Sequence[Conversation] = field(repr=False)
    talks: Sequence[Talk] = field(repr=False)
    wanted: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    again: Annotated[int, Column("answers asked for again")] = 0
    spent: UsageTotal | None = None
    outputs: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0
    seed: Hidden[int] = 0
    signature: str = ""
    complete: int = field(init=False)
    failed: int = field(init=False)
    recipes: Annotated[
        Sequence[Checks], Table("Dialogues", "What each recipe made; words are means a turn.")
    ] = field(init=False)
    sources: Annotated[
        Sequence[SourceChecks],
        Table("Sources", "What turns cite, and how many of the topics' documents were shown."),
    ] = field(init=False)

    def __post_init__(self) -> None:
        derive(
            self,
            complete=len(self.dialogues),
            failed=sum(self.failures.values()),
            recipes=checks_of(self.talks),
            sources=source_checks_of(self.talks),
        )

    @property
    def failures(self) -> Mapping[str, int]:
        """Dialogues that failed, by reason."""
        return Counter(one.failed.reason for one in self.talks if one.failed is not None)

    @property
    def lines(self) -> Sequence[str]:
        """What makes the dialogues reproducible."""
        return [f"seed {self.seed} | {self.signature}"] if self.signature else []

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know, and what failed."""
        said = [f"{counted(n, 'dialogue')} failed: {why}" for why, n in self.failures.items()]
        if self.again:
            said.append(f"{counted(self.again, 'answer')} asked for again: they could not be read")
        if any(row.recall is not None for row in self.sources):
            said.append(
                "recall counts the documents that a topic names among those shown: where a search"
                " like this one recorded them, it says how alike the searches are, not how good"
            )
        return said

    @property
    def missing(self) -> tuple[int, int]:
        """Dialogues that failed, and all that were wanted."""
        return sum(self.failures.values()), self.wanted
