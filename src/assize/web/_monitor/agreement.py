"""How far raters agree on a question, and each rater's part in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.judgments.values import scale_of
from assize.stats import AgreementBins, Estimate, Interval
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._estimate import missing
from assize.web._monitor.collected import Answered

FEW = 10  # items below which nobody is said to stand out


@dataclass(frozen=True, slots=True)
class Agreement:
    """All raters of a question together.

    Args:
        alpha: Krippendorff's, at the question's level; turns of one item belong together.
        percent: share of agreeing pairs of raters, averaged over items; None of numbers.
        bins: how many items reach which agreement (UPHELD, appendix J); None of numbers.
        ratings: answers that have a value.
        groups: of the items with so many raters, how many give the most frequent answer.
    """

    question: str
    level: str
    alpha: Estimate
    percent: Estimate | None
    bins: AgreementBins | None
    ratings: int
    not_applicable: int
    unscored: int
    groups: Sequence[Group] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Share of the items with so many `raters` of which `largest` give one answer, and no more
    give another."""

    raters: int
    largest: int
    share: Estimate


def agreement(found: Answered) -> Agreement:
    """Agreement on one question; free text has none."""
    asked = found.question
    counted = (len(found), found.not_applicable, found.unscored)
    if asked.kind == "text":
        nothing = missing("alpha", 1, "a free text has no agreement", n=0)
        return Agreement(asked.id, found.level, nothing, None, None, *counted)
    matrix = found.matrix()
    if not matrix.size:
        nothing = missing("alpha", 1, "nobody has answered yet", n=0)
        return Agreement(asked.id, found.level, nothing, None, None, *counted)
    labels = found.items if _has_turns(found) else None
    alpha = stats.alpha(matrix, level=found.level, clusters=labels)
    if asked.kind == "number":
        return Agreement(asked.id, found.level, alpha, None, None, *counted)
    percent = stats.raw_agreement(matrix, clusters=labels)
    bins = stats.agreement_bins(matrix, clusters=labels)
    groups = _groups(bins, labels)
    return Agreement(asked.id, found.level, alpha, percent, bins, *counted, groups)


def _groups(bins: AgreementBins, labels: IntArray | None) -> list[Group]:
    """Those that there are, of most raters first, the largest first."""
    found = []
    for raters in sorted({*bins.rated[bins.rated >= 2].tolist()}, reverse=True):
        here = bins.rated == raters
        for largest in sorted({*bins.largest[here].tolist()}, reverse=True):
            hit = np.where(here, bins.largest == largest, np.nan)
            found.append(Group(raters, largest, stats.share(hit, clusters=labels)))
    return found


def _has_turns(found: Answered) -> bool:
    return any(turn is not None for _, turn in found.units)


@dataclass(frozen=True, slots=True)
class Parts:
    """Each answer's part in alpha: 1 less its mean distance to the others' answers to the same
    unit, as a share of the distance that chance would bring.

    The mean of `own` over all answers is alpha.

    Args:
        own: (A,) NaN where nobody else answered.
        others: (A,) the same of the others among themselves; NaN where fewer than two did.
    """

    own: FloatArray
    others: FloatArray


def parts(found: Answered) -> Parts:
    """Each answer's part in the agreement on its question.

    Source: Krippendorff (2011), section 3: the observed disagreement is a mean over answers, so
    that alpha is one too. Differs: none.
    """
    counts = found.ratings
    m = counts[found.unit].astype(float)
    pairable = m >= 2
    nothing = np.full(len(found), np.nan)
    if not pairable.any():
        return Parts(nothing, nothing)
    if found.level == "nominal":
        apart, within, expected = _nominal(found, pairable)
    else:
        apart, within, expected = _ranked(found, pairable)
    if expected <= 0:
        return Parts(nothing, nothing)
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(pairable, 1 - apart / (m - 1) / expected, np.nan)
        rest = within[found.unit] - 2 * apart
        others = np.where(m >= 3, 1 - rest / ((m - 1) * (m - 2)) / expected, np.nan)
    return Parts(own, others)


def _nominal(found: Answered, pairable: np.ndarray) -> tuple[FloatArray, FloatArray, float]:
    """Differing others of each answer (A,), differing ordered pairs of each unit, and the share
    of pairs that differ by chance."""
    values, code = np.unique(found.value, return_inverse=True)
    size = len(found.units)
    counts = np.bincount(found.unit * len(values) + code, minlength=size * len(values))
    counts = counts.reshape(size, len(values)).astype(float)
    m = counts.sum(axis=1)
    apart = m[found.unit] - counts[found.unit, code]
    within = m**2 - (counts**2).sum(axis=1)
    totals = np.bincount(code[pairable], minlength=len(values)).astype(float)
    n = totals.sum()
    return apart, within, float((n**2 - (totals**2).sum()) / (n * (n - 1)))


def _ranked(found: Answered, pairable: np.ndarray) -> tuple[FloatArray, FloatArray, float]:
    """The same in squared distances; those of ordinal answers are between their mean ranks."""
    place = found.value - found.value[pairable].mean()
    if found.level == "ordinal":
        values, code = np.unique(found.value, return_inverse=True)
        totals = np.bincount(code[pairable], minlength=len(values)).astype(float)
        ranks = np.cumsum(totals) - totals / 2
        place = (ranks - totals.sum() / 2)[code]
    m = found.ratings.astype(float)
    first = np.bincount(found.unit, place, len(m))
    second = np.bincount(found.unit, place**2, len(m))
    unit = found.unit
    apart = np.asarray(m[unit] * place**2 - 2 * place * first[unit] + second[unit])
    within = np.asarray(2 * (m * second - first**2))
    kept = place[pairable]
    n = len(kept)
    return apart, within, float(2 * (n * (kept**2).sum() - kept.sum() ** 2) / (n * (n - 1)))


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """One rater held to the others of the same items.

    Args:
        items: that somebody else answered too.
        own: mean part in alpha; 1 is full agreement with the others, 0 chance level.
        less: how much lower that is than what the others reach among themselves.
        stands_out: whether `less` is above 0 beyond doubt, all raters looked at together: the
            chance that any is said to who is like the others is about 5%.
    """

    rater: str
    items: int
    own: Estimate
    less: Estimate
    stands_out: bool


def by_rater(
    found: Sequence[tuple[Answered, Parts]], raters: Sequence[str]
) -> dict[str, RaterAgreement]:
    """Every rater held to the others, over one question or several.

    An item counts once: with the mean over its questions and turns.
    """
    rater, item, own, others = _by_item(found, raters)
    result = {}
    for place, name in enumerate(raters):
        mine = rater == place
        with_me = np.isin(item, item[mine])
        rest = own[~mine & ~with_me]
        result[name] = _held(
            name, own[mine], others[mine], rest, item[~mine & ~with_me], len(raters)
        )
    return result


def _by_item(
    found: Sequence[tuple[Answered, Parts]], raters: Sequence[str]
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Means over questions and turns, one a rater and item that somebody else answered too."""
    at = {name: place for place, name in enumerate(raters)}
    items: dict[str, int] = {}
    cells, own, others = [], [], []
    for one, part in found:
        who = np.array([at.get(name, -1) for name in one.raters], dtype=np.int64)[one.rater]
        what = np.array([items.setdefault(item, len(items)) for item, _ in one.units], dtype=int)
        known = ~np.isnan(part.own) & (who >= 0)
        cells.append((what[one.unit] * len(raters) + who)[known])
        own.append(part.own[known])
        others.append(part.others[known])
    if not cells:
        nothing = np.zeros(0)
        return nothing.astype(int), nothing.astype(int), nothing, nothing
    cell, place = np.unique(np.concatenate(cells), return_inverse=True)
    return (
        cell % max(1, len(raters)),
        cell // max(1, len(raters)),
        _means(np.concatenate(own), place, len(cell)),
        _means(np.concatenate(others), place, len(cell)),
    )


def _means(values: FloatArray, place: IntArray, size: int) -> FloatArray:
    known = ~np.isnan(values)
    total = np.bincount(place[known], values[known], size)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(total / np.bincount(place[known], minlength=size))


def _held(
    name: str, own: FloatArray, others: FloatArray, rest: FloatArray, items: IntArray, raters: int
) -> RaterAgreement:
    """Paired with the others of the same items where these are two or more, else with items that
    the rater has not answered."""
    wide = looked_at(raters, one_sided=True)
    gap = others - own
    if (~np.isnan(gap)).sum() * 2 >= len(own):
        less, sure = stats.mean(gap), stats.mean(gap, interval=wide)
    else:
        labels = (items, items.max(initial=0) + 1 + np.arange(len(own)))
        less, sure = (
            stats.difference(rest, own, paired=False, clusters=labels, interval=how)
            for how in (Interval(), wide)
        )
    beyond = less.n >= FEW and len(own) >= FEW and sure.interval[0] > 0
    return RaterAgreement(name, len(own), stats.mean(own), less, bool(beyond))


def looked_at(many: int, *, one_sided: bool = False) -> Interval:
    """The interval that keeps the chance of any false alarm among so many at 5% (Bonferroni)."""
    return Interval(confidence=1 - (0.1 if one_sided else 0.05) / max(1, many))


Counts = Mapping[tuple[str, str], int]


def confusion(found: Answered, rater: str, other: str | None = None) -> Counts:
    """How often one rater's answer meets another's, or those of everybody else.

    Returns:
        Counts by (the rater's answer, the other's); {} where the answers are numbers or text.
        With everybody else each pair of answers to a unit counts once.
    """
    scale = scale_of(found.question)
    if found.question.kind in ("number", "text") or rater not in found.raters:
        return {}
    named = {value: answer for answer, value in scale.items()}
    values = sorted(named)
    code = np.searchsorted(values, found.value)
    mine = found.rater == found.raters.index(rater)
    theirs = ~mine
    if other is not None:
        theirs = found.rater == (found.raters.index(other) if other in found.raters else -1)
    said = np.full(len(found.units), -1)
    said[found.unit[mine]] = code[mine]
    first = said[found.unit[theirs]]
    met = first >= 0
    pairs = np.bincount(
        first[met] * len(values) + code[theirs][met], minlength=len(values) ** 2
    ).reshape(len(values), len(values))
    return {
        (named[values[row]], named[values[column]]): int(pairs[row, column])
        for row, column in zip(*np.nonzero(pairs), strict=True)
    }
