"""Whether raters of continuations understood: rephrased references high, random turns low.

A rephrased reference says the same as the reference, and a turn drawn at random has nothing to
do with it; so the first must be rated highest and the second lowest on every question. Where
they are not, raters have not read the instructions, or the items are not what they are said to
be.

Source: UPHELD, section 3 and table 3, where both baselines bound all models.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.base.conversation import Continuation, Item
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.web._monitor.collected import Answered

HIGHEST, LOWEST = "rephras", "random"
"""What the names of these sources hold, as in `rephrase` or `gpt4_rephrase`."""


@dataclass(frozen=True, slots=True)
class SourceMean:
    """How one source's continuations are rated on one question; items are means over raters."""

    question: str
    source: str
    mean: Estimate


@dataclass(frozen=True, slots=True)
class Breach:
    """A source that is rated above rephrased references, or below random turns.

    Args:
        anchor: the source that should be the highest, or the lowest.
        wanted: "highest" or "lowest".
        gap: how far `source` is beyond the anchor; above 0.
    """

    question: str
    anchor: str
    wanted: str
    source: str
    gap: Estimate

    @property
    def sure(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.gap.interval[0] > 0

    @property
    def sentence(self) -> str:
        """What is wrong, in words."""
        side = "above" if self.wanted == "highest" else "below"
        low, high = self.gap.interval
        said = (
            f"{self.question}: {self.source} is rated {self.gap.estimate:.2f} {side}"
            f" {self.anchor}, which should be the {self.wanted}"
        )
        if self.sure:
            return f"{said} (95% interval {low:.2f} to {high:.2f})."
        return f"{said}; that may be chance (n = {self.gap.n})."


@dataclass(frozen=True, slots=True)
class ContinuationCheck:
    """What was found.

    Args:
        missing: anchors that no item has, or that nobody has rated yet.
        breaches: the sure ones first; () where both anchors are where they belong.
    """

    means: Sequence[SourceMean]
    breaches: Sequence[Breach]
    missing: Sequence[str]


def continuation_check(
    asked: Iterable[Answered], items: Mapping[str, Item]
) -> ContinuationCheck | None:
    """Holds the ratings of rephrased references and random turns to all other sources.

    Args:
        asked: each question's answers.
        items: by id; those that are no continuation, or have no source, are left out.

    Returns:
        None where no item is a continuation with a source.
    """
    known = {
        name: one
        for name, one in items.items()
        if isinstance(one, Continuation) and one.source is not None
    }
    if not known:
        return None
    means, breaches = [], []
    seen: set[str] = set()
    for one in asked:
        if one.question.kind in ("nominal", "text", "preference"):
            continue
        rated = _rated(one, known)
        seen |= rated.keys()
        for source, (values, labels) in sorted(rated.items()):
            mean = stats.mean(values, clusters=labels)
            means.append(SourceMean(one.question.id, source, mean))
        for wanted, part, sign in (("highest", HIGHEST, 1), ("lowest", LOWEST, -1)):
            breaches += _breaches(one.question.id, rated, wanted, part, sign)
    lacking = [
        said
        for part, said in ((HIGHEST, "rephrased references"), (LOWEST, "random turns"))
        if not any(part in source.casefold() for source in seen)
    ]
    return ContinuationCheck(
        means, sorted(breaches, key=lambda one: (not one.sure, -one.gap.estimate)), lacking
    )


_Rated = dict[str, tuple[FloatArray, list[str]]]


def _rated(found: Answered, known: Mapping[str, Continuation]) -> _Rated:
    """By source the mean of each item, and the turn that the item continues."""
    m = found.ratings
    with np.errstate(invalid="ignore"):
        means = np.bincount(found.unit, found.value, len(m)) / m
    rows: dict[str, list[tuple[float, str]]] = {}
    for (item, _), value in zip(found.units, means.tolist(), strict=True):
        one = known.get(item)
        if one is not None and value == value:
            label = f"{one.conversation}\x1f{one.turn}" if one.conversation else item
            rows.setdefault(str(one.source), []).append((value, label))
    return {
        source: (np.array([value for value, _ in pairs]), [label for _, label in pairs])
        for source, pairs in rows.items()
    }


def _breaches(question: str, rated: _Rated, wanted: str, part: str, sign: int) -> list[Breach]:
    found = []
    for anchor in (name for name in rated if part in name.casefold()):
        for source, (values, labels) in rated.items():
            if source == anchor or part in source.casefold():
                continue
            held, own = rated[anchor]
            gap = stats.difference(sign * values, sign * held, paired=False, clusters=(labels, own))
            if gap.estimate > 0:
                found.append(Breach(question, anchor, wanted, source, gap))
    return found
