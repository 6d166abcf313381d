"""How far a task is: who did what, how fast, and what is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assize.web._monitor.collected import Work


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """One person's work on a task, of all purposes.

    Args:
        done: forms that are submitted; `gold` and `qualify` are among them.
        skipped: by reason.
        open: in the person's hands now. `expired`: given back because time ran out.
        seconds: median of a submitted form; NaN where none was timed.
        per_hour: forms an hour of work; NaN where none was timed.
        last: when the last one was submitted; None where none was.
    """

    rater: str
    done: int
    skipped: Mapping[str, int]
    open: int
    expired: int
    gold: int
    qualify: int
    seconds: float
    per_hour: float
    last: float | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a task is.

    Args:
        items: those to be rated. `complete`: with as many ratings as the task asks for.
        ratings: that count towards it: first answers to these items.
        needed: ratings that are still missing.
        skipped: by reason, over everybody.
        left_hours: work that is left, one person's hours; NaN where nothing was timed.
        chosen: by how an item came to a person, how many forms were submitted.
        by_count: how many items have 0, 1, 2, ... ratings.
        raters: by name.
    """

    items: int
    complete: int
    ratings: int
    needed: int
    raters_per_item: int
    open: int
    expired: int
    skipped: Mapping[str, int]
    seconds: float
    left_hours: float
    chosen: Mapping[str, int]
    by_count: Sequence[int]
    raters: Sequence[RaterProgress] = field(default=())

    @property
    def share(self) -> float:
        """Share of the ratings that are there; NaN where none are needed."""
        whole = self.ratings + self.needed
        return self.ratings / whole if whole else float("nan")


def progress(work: Iterable[Work], items: Iterable[str], raters_per_item: int) -> Progress:
    """How far a task is.

    Args:
        items: ids of the items to be rated, those that nobody has begun too.
        raters_per_item: ratings that each needs; more than that count as no more.
    """
    every = list(work)
    known = dict.fromkeys(items, 0)
    for one in every:
        if _counts(one) and one.item in known:
            known[one.item] += 1
    sizes = np.bincount(list(known.values()), minlength=raters_per_item + 1)
    kept = sum(min(count, raters_per_item) for count in known.values())
    needed = raters_per_item * len(known) - kept
    seconds = _median([one.seconds for one in every if _counts(one)])
    by_name: dict[str, list[Work]] = {}
    for one in every:
        by_name.setdefault(one.rater, []).append(one)
    return Progress(
        len(known),
        sum(count >= raters_per_item for count in known.values()),
        kept,
        needed,
        raters_per_item,
        sum(one.state == "reserved" for one in every),
        sum(one.state == "expired" for one in every),
        _skips(every),
        seconds,
        needed * _mean([one.seconds for one in every if _counts(one)]) / 3600,
        dict(Counter(one.chosen for one in every if one.state == "done").most_common()),
        sizes.tolist(),
        [_of_rater(name, by_name[name]) for name in sorted(by_name)],
    )


def _counts(one: Work) -> bool:
    return one.state == "done" and one.purpose == "rate"


def _of_rater(name: str, work: Sequence[Work]) -> RaterProgress:
    done = [one for one in work if one.state == "done"]
    times = [one.seconds for one in done if one.seconds > 0]
    return RaterProgress(
        name,
        len(done),
        _skips(work),
        sum(one.state == "reserved" for one in work),
        sum(one.state == "expired" for one in work),
        sum(one.purpose == "gold" for one in done),
        sum(one.purpose == "qualify" for one in done),
        _median(times),
        3600 * len(times) / sum(times) if times else float("nan"),
        max((one.submitted for one in done if one.submitted is not None), default=None),
    )


def _skips(work: Sequence[Work]) -> dict[str, int]:
    counted = Counter(one.reason or "no reason" for one in work if one.state == "skipped")
    return dict(counted.most_common())


def _median(seconds: Sequence[float]) -> float:
    timed = [one for one in seconds if one > 0]
    return float(np.median(timed)) if timed else float("nan")


def _mean(seconds: Sequence[float]) -> float:
    timed = [one for one in seconds if one > 0]
    return float(np.mean(timed)) if timed else float("nan")
