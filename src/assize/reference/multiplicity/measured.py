"""What the experiment on multiplicity came to: table 2 of UPHELD in shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assize.conversation import Continuation
from assize.judging.folder import asked_again
from assize.judging.stepping import Spent, unfinished
from assize.judgment import Judgment, Unscored
from assize.reference.multiplicity.places import GROUPS, Group, Place
from assize.results import Result, ResultTable, columns
from assize.stats import Estimate, share

_SHOWN = 3  # pairs that are not equivalent, of each kind, in the JSON


@dataclass(frozen=True, slots=True)
class Trial:
    """A place, its two samples, and the judge's answer; or why there is none."""

    place: Place
    pair: Continuation | None
    row: Judgment | None
    unscored: Unscored | None = None

    @property
    def equivalent(self) -> float:
        """1 for yes, 0 for no, NaN for no answer."""
        answer = None if self.row is None else self.row.answer
        return {"yes": 1.0, "no": 0.0}.get(answer or "", float("nan"))


@dataclass(frozen=True, slots=True)
class Multiplicity(Result):
    """How often two samples at one place are equivalent, by kind of place.

    Args:
        trials: one a place.
        model: that was sampled.
        judge: that compared the samples.
        asked: places of each kind that were asked for.
        seed: of the places and of the models.
        temperature: of the samples.
        failed: why fewer questions were written than asked for.
    """

    trials: tuple[Trial, ...]
    model: str
    judge: str
    asked: int = 100
    seed: int = 0
    temperature: float = 1.0
    signature: str = ""
    spent: Spent = field(default_factory=Spent)
    out: Path | None = None
    failed: Unscored | None = None
    interrupted: bool = False
    waiting: int = 0

    def of(self, group: Group) -> list[Trial]:
        """The trials of one kind of place."""
        return [one for one in self.trials if one.place.group == group]

    def share(self, group: Group) -> Estimate:
        """The share of equivalent samples with Wilson's interval.

        Random turns of one conversation belong together: their interval is that of
        `stats.share` with conversations as clusters.
        """
        ours = self.of(group)
        clusters = [one.place.conversation for one in ours] if group == "random turn" else None
        return share([one.equivalent for one in ours], clusters=clusters)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`multiplicity`: a row a kind of place."""
        named = columns("words", "place") + columns("percent", "equivalent", digits=1)
        named += columns("count", "n", "unscored", "conversations")
        rows = [
            (group, found, found.n, found.unscored, self._conversations(group))
            for group in GROUPS
            for found in [self.share(group)]
        ]
        title = f"Two samples of {self.model} that say the same, by {self.judge}"
        return {"multiplicity": ResultTable(title, named, rows)}

    def _conversations(self, group: Group) -> int | None:
        if group == "open-ended":
            return None
        return len({one.place.conversation for one in self.of(group)})

    @property
    def lines(self) -> Sequence[str]:
        """What makes the figures comparable."""
        said = f"temperature {self.temperature:g}, seed {self.seed}, signature {self.signature}"
        return [said]

    @property
    def notes(self) -> Sequence[str]:
        """What it took, what is left to do, and what to mind."""
        said = [*self.unfinished, str(self.spent)]
        for group in GROUPS:
            count = len(self.of(group))
            if count < self.asked:
                why = f" ({self.failed.reason})" if group == GROUPS[0] and self.failed else ""
                said.append(f"{group}: {count} of {self.asked} places are there{why}")
        reasons = Counter(one.unscored.reason for one in self.trials if one.unscored is not None)
        for reason, count in reasons.most_common():
            said.append(f"{count} unscored: {reason}{asked_again(reason)}")
        if self.out is not None and not self.unfinished:
            said.append(f"the samples and what the judge said: {self.out}")
        return said

    @property
    def unfinished(self) -> Sequence[str]:
        """Why it is not at its end, if it is not."""
        return unfinished(interrupted=self.interrupted, waiting=self.waiting)

    @property
    def missing(self) -> tuple[int, int]:
        """Places without an answer, and all."""
        return sum(one.row is None for one in self.trials), max(1, len(self.trials))

    def to_json(self) -> dict[str, Any]:
        """Each kind's share, and what it took."""
        return {
            "model": self.model,
            "judge": self.judge,
            "temperature": self.temperature,
            "seed": self.seed,
            "equivalent": {
                group: {
                    **self.share(group).to_json(),
                    "conversations": self._conversations(group),
                    "different": [one.place.id for one in self.of(group) if one.equivalent == 0][
                        :_SHOWN
                    ],
                }
                for group in GROUPS
            },
            "spent": self.spent.to_json(),
            "interrupted": self.interrupted,
            "waiting": self.waiting,
            "out": None if self.out is None else str(self.out),
            "signature": self.signature,
        }
