"""How often two samples say the same: table 2 of UPHELD in shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from assize.base.conversation import Continuation
from assize.base.judgment import Judgment, Unscored
from assize.judging.records import asked_again
from assize.judging.usage_total import UsageTotal
from assize.results import Hidden, Result, Share, Table
from assize.results.types import NAN
from assize.stats import share

Group = Literal["open-ended", "first turn", "random turn"]
GROUPS: tuple[Group, ...] = ("open-ended", "first turn", "random turn")
_SHOWN = 3  # pairs that are not equivalent, of each kind, in the JSON


@dataclass(frozen=True, slots=True)
class Trial:
    """A place with its two samples as reference and candidate, and the judge's answer.

    Args:
        place: without samples where there are none.
        unscored: why there is no answer.
    """

    place: Continuation
    row: Judgment | None = None
    unscored: Unscored | None = None

    @property
    def equivalent(self) -> float:
        """1 for yes, 0 for no, NaN for no answer."""
        answer = None if self.row is None else self.row.answer
        return {"yes": 1.0, "no": 0.0}.get(answer or "", NAN)


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """How often two samples at places of one kind say the same.

    Args:
        equivalent: with Wilson's interval; random turns of one conversation belong together, and
            theirs is that of `stats.share` with conversations as clusters.
        conversations: that the places stand in; None of questions, which stand in none.
        different: ids of the first places at which the samples are not equivalent.
    """

    place: Group
    equivalent: Share
    conversations: int | None
    different: Hidden[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Multiplicity(Result):
    """How often two samples at one place are equivalent, by kind of place.

    Args:
        places: a row a kind of place.
        model: that was sampled.
        judge: that compared the samples.
        asked: places of each kind that were asked for.
        seed: of the places and of the models.
        temperature: of the samples.
        trials: one a place.
        failed: why fewer questions were written than asked for.
    """

    places: Annotated[
        Sequence[PlaceShare],
        Table(
            "Two samples that say the same",
            "Where the share is low, many turns would be right.",
        ),
    ]
    model: str
    judge: str
    trials: tuple[Trial, ...] = field(repr=False)
    asked: Hidden[int] = 100
    seed: Hidden[int] = 0
    temperature: float = 1.0
    signature: str = ""
    spent: UsageTotal = field(default_factory=UsageTotal)
    out: Path | None = None
    failed: Unscored | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0

    @property
    def lines(self) -> Sequence[str]:
        """What makes the figures comparable."""
        return [
            f"sampled {self.model} at temperature {self.temperature:g}, compared by {self.judge}",
            f"seed {self.seed}, signature {self.signature}",
        ]

    @property
    def notes(self) -> Sequence[str]:
        """What it took, what is left to do, and what to mind."""
        notes = []
        for group in GROUPS:
            count = len(trials_at(group, self.trials))
            if count < self.asked:
                why = f" ({self.failed.reason})" if group == GROUPS[0] and self.failed else ""
                notes.append(f"{group}: {count} of {self.asked} places are there{why}")
        reasons = Counter(trial.unscored.reason for trial in self.trials if trial.unscored)
        for reason, count in reasons.most_common():
            notes.append(f"{count} unscored: {reason}{asked_again(reason)}")
        if self.out is not None and not self.unfinished:
            notes.append(f"the samples and what the judge said: {self.out}")
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Places without an answer, and all."""
        return sum(trial.row is None for trial in self.trials), max(1, len(self.trials))


def trials_at(group: Group, trials: Sequence[Trial]) -> list[Trial]:
    """Return the trials of one kind of place."""
    return [trial for trial in trials if trial.place.metadata["set"] == group]


def share_places(trials: Sequence[Trial]) -> list[PlaceShare]:
    """Return the share of equivalent samples at each kind of place."""
    rows = []
    for group in GROUPS:
        own = trials_at(group, trials)
        conversations = [str(trial.place.conversation) for trial in own]
        clusters = conversations if group == "random turn" else None
        equivalent = share([trial.equivalent for trial in own], clusters=clusters)
        count = None if group == "open-ended" else len(set(conversations))
        different = [trial.place.id for trial in own if trial.equivalent == 0][:_SHOWN]
        rows.append(PlaceShare(group, equivalent, count, different))
    return rows
