"""Dialogues as a result: records, and what became of every one that was wanted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assize.conversation import Conversation
from assize.judging.stepping import Spent, unfinished
from assize.results import Result
from assize.results.numbers import counted
from assize.simulation.dialogues.checks import Checks, checks_of
from assize.simulation.dialogues.plan import Talk


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedDialogues(Result):
    """Dialogues; iterating gives the conversations.

    Args:
        dialogues: those that came to their end.
        talks: all that were begun, also those that failed, in the order of the plans.
        wanted: dialogues that were to be made.
        reasons: of calls that gave no answer.
        again: answers that were asked for again, because they could not be read.
        spent: what asking models took.
        files: what was written, with how many records.
    """

    tables_from = "assize.simulation.dialogues.tables:tables"

    dialogues: Sequence[Conversation]
    talks: Sequence[Talk]
    wanted: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    again: int = 0
    spent: Spent | None = None
    files: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    stopped: bool = False
    waiting: int = 0
    seed: int = 0
    signature: str = ""

    def __iter__(self) -> Iterator[Conversation]:
        return iter(self.dialogues)

    def __len__(self) -> int:
        return len(self.dialogues)

    @property
    def failures(self) -> Mapping[str, int]:
        """Dialogues that failed, by reason."""
        return Counter(one.failed.reason for one in self.talks if one.failed is not None)

    @property
    def checks(self) -> Sequence[Checks]:
        """Counts and means by recipe."""
        return checks_of(self.talks)

    @property
    def lines(self) -> Sequence[str]:
        """What makes the dialogues reproducible."""
        return [f"seed {self.seed} | {self.signature}"] if self.signature else []

    @property
    def notes(self) -> Sequence[str]:
        """What was written and spent, and what a reader should know."""
        said = [*self.unfinished]
        said += [f"{path}: {count:,} records" for path, count in self.files.items()]
        if self.spent is not None:
            said.append(str(self.spent))
        said += [f"{counted(n, 'dialogue')} failed: {why}" for why, n in self.failures.items()]
        if self.again:
            said.append(f"{counted(self.again, 'answer')} asked for again: they could not be read")
        if any(one.recall is not None for one in self.checks):
            said.append(
                "recall counts the documents that a topic names among those shown: where a search"
                " like this one recorded them, it says how alike the searches are, not how good"
            )
        return said

    @property
    def unfinished(self) -> Sequence[str]:
        """Why the run is not at its end, if it is not."""
        return unfinished(interrupted=self.stopped, waiting=self.waiting)

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before the end."""
        return self.stopped

    @property
    def missing(self) -> tuple[int, int]:
        """Dialogues that failed, and all that were wanted."""
        return sum(self.failures.values()), self.wanted

    def to_json(self) -> dict[str, Any]:
        """Every count."""
        return {
            "wanted": self.wanted,
            "made": len(self.dialogues),
            "failed": dict(self.failures),
            "recipes": {one.recipe: one.to_json() for one in self.checks},
            "asked_again": self.again,
            "reasons": dict(self.reasons),
            "spent": None if self.spent is None else self.spent.to_json(),
            "files": dict(self.files),
            "interrupted": self.stopped,
            "waiting": self.waiting,
            "seed": self.seed,
            "signature": self.signature,
        }
