"""How often two samples say the same: table 2 of UPHELD in shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Trial:
    """A place with its two samples as reference and candidate, and the judge's answer.

    Args:
        place: without samples where there are none.
        row: unscored where there is no answer.
    """

    place: Continuation
    row: Judgment

    @property
    def equivalent(self) -> float:
        """1 for yes, 0 for no, NaN for no answer."""
        return {"yes": 1.0, "no": 0.0}.get(self.row.answer or "", NAN)


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """How often two samples at places of one kind say the same.

    Args:
        equivalent: with Wilson's interval; random turns of one conversation belong together, and
            theirs is that of `stats.share` with conversations as clusters.
        conversations: that the places stand in; None of questions, which stand in none.
    """

    place: Group
    equivalent: Share
    conversations: int | None


@dataclass(frozen=True, slots=True)
class Multiplicity(Result):
    """How often two samples at one place are equivalent, by kind of place.

    Args:
        places: a row a kind of place.
        settings: the model that was sampled, and the judge that compared; the temperature of the
            samples; the seed of the places and of the models.
        trials: one a place.
        outputs: what was written, with how many records.
    """

    places: Annotated[
        Sequence[PlaceShare],
        Table(
            "Two samples that say the same",
            "Where the share is low, many turns would be right.",
        ),
    ]
    settings: Mapping[str, object]
    trials: Sequence[Trial] = field(repr=False)
    notes: Sequence[str] = ()
    outputs: Mapping[str, int] = field(default_factory=dict)
    signature: str = ""
    spent: UsageTotal = field(default_factory=UsageTotal)
    interrupted: bool = False
    waiting: Hidden[int] = 0

    @property
    def missing(self) -> tuple[int, int]:
        """Places without an answer, and all."""
        lost = sum(trial.row.unscored is not None for trial in self.trials)
        return lost, max(1, len(self.trials))


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
        rows.append(PlaceShare(group, equivalent, count))
    return rows


def note_places(trials: Sequence[Trial], n: int, failed: Unscored | None) -> list[str]:
    """Return which places are fewer than was asked for, and which have no answer.

    Args:
        n: places of each kind that were asked for.
        failed: why fewer questions were written.
    """
    notes = []
    for group in GROUPS:
        count = len(trials_at(group, trials))
        if count < n:
            why = f" ({failed.reason})" if group == GROUPS[0] and failed else ""
            notes.append(f"{group}: {count} of {n} places are there{why}")
    reasons = Counter(trial.row.unscored.reason for trial in trials if trial.row.unscored)
    notes += [f"{n} unscored: {why}{asked_again(why)}" for why, n in reasons.most_common()]
    return notes
