"""Who is odd: each rater held to the others, on what they both judged."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assize import stats
from assize.agreement.rows import RaterFigures
from assize.base.judgment import TRUTHS
from assize.judgments.answers import PEOPLE, Columns
from assize.stats._arrays import FloatArray
from assize.stats._statistics import StatisticsSettings

LEAST = 3  # raters of a question; of two either may be the odd one
FAR = 3.0  # median distances from the others' median beyond which a number is odd
ORDERED = ("ordinal", "number", "binary")


def compare_raters(
    answers: Columns, gold: str | None, clusters: np.ndarray, how: StatisticsSettings
) -> list[RaterFigures]:
    """Return each rater's part in the disagreement, the odd ones first.

    Raters are people where there are several, else all judges but gold. Of those with fewer than
    two others on an item nothing can be said, and that item does not enter.
    """
    raters = rater_names(answers, gold)
    kind = answers.question.kind
    if len(raters) < LEAST or kind == "text":
        return []
    values = answers.matrix(raters)
    rest, odd = others_mean(values), odd_cells(values, kind)
    same = None if kind == "number" else agreement_with_others(values)
    rows = [
        _figures(
            answers, name, rest[row], None if same is None else same[row], odd[row], clusters, how
        )
        for row, name in enumerate(raters)
    ]
    return sorted(rows, key=lambda row: -np.nan_to_num(row.odd.estimate, nan=-1.0))


def rater_names(answers: Columns, gold: str | None) -> list[str]:
    """Return the people who answered, or all judges where fewer than two people did."""
    names = [
        name
        for name, column in answers.by_judge.items()
        if name not in (gold, PEOPLE, *TRUTHS) and not column.anonymous
    ]
    people = [name for name in names if answers.by_judge[name].person]
    return people if len(people) > 1 else names


def odd_cells(values: FloatArray, kind: str) -> FloatArray:
    """Return which answers (R, N) are odd: 1 or 0, NaN where fewer than two others answered.

    An answer is odd where more than half of the others gave one other answer. A number is odd
    where it is farther from the others' median than three times what the median answer is.
    """
    others = (~np.isnan(values)).sum(axis=0) - 1
    known = ~np.isnan(values) & (others >= 2)
    if kind == "number":
        away = np.abs(values - others_median(values))
        typical = np.median(away[known]) if known.any() else np.nan
        return np.where(known, away > FAR * typical, np.nan)
    odd = np.zeros(values.shape, dtype=bool)
    for answer in np.unique(values[~np.isnan(values)]):
        others_so = (values == answer).sum(axis=0) - (values == answer)
        odd |= (values != answer) & (2 * others_so > others)
    return np.where(known, odd, np.nan)


def others_mean(values: FloatArray) -> FloatArray:
    """Return the mean of the others' answers beside each (R, N); NaN where there is none."""
    known = ~np.isnan(values)
    count = known.sum(axis=0) - known
    total = np.nansum(values, axis=0) - np.where(known, values, 0.0)
    return np.where(known & (count > 0), total / np.maximum(count, 1), np.nan)


def others_median(values: FloatArray) -> FloatArray:
    """Return the median of the others' answers beside each (R, N); NaN where there is none."""
    known = ~np.isnan(values)
    ordered = np.sort(values, axis=0)
    rank = np.argsort(np.argsort(values, axis=0), axis=0)
    count = known.sum(axis=0) - 1

    def of_others(position: NDArray[np.intp]) -> FloatArray:
        behind_own = np.clip(position + (position >= rank), 0, len(values) - 1)
        return np.take_along_axis(ordered, behind_own, axis=0)

    medians = (of_others((count - 1) // 2) + of_others(count // 2)) / 2
    return np.where(known & (count > 0), medians, np.nan)


def agreement_with_others(values: FloatArray) -> FloatArray:
    """Return the share of the others with the same answer, (R, N); NaN where there is none."""
    known = ~np.isnan(values)
    others = known.sum(axis=0) - known
    same = np.zeros(values.shape)
    for answer in np.unique(values[known]):
        chosen = values == answer
        same[chosen] = (chosen.sum(axis=0) - 1)[np.nonzero(chosen)[1]]
    return np.where(known & (others > 0), same / np.maximum(others, 1), np.nan)


def _figures(
    answers: Columns,
    name: str,
    rest: FloatArray,
    same: FloatArray | None,
    odd: FloatArray,
    clusters: NDArray[np.generic],
    how: StatisticsSettings,
) -> RaterFigures:
    column = answers.by_judge[name]
    own, present = column.values, column.asked
    known = present & ~np.isnan(rest)
    kind = answers.question.kind
    difference = correlation = agreement = None
    if kind != "nominal":
        difference = stats.mean((own - rest)[known], **how.intervals(clusters[known]))
    if kind in ORDERED:
        correlation = stats.spearman(own[known], rest[known], **how.intervals(clusters[known]))
    if same is not None:
        agreement = stats.mean(same[known], **how.intervals(clusters[known])).within((0, 1))
    return RaterFigures(
        answers.question.id,
        name,
        int(known.sum()),
        column.unscored,
        difference,
        agreement,
        correlation,
        stats.share(odd[present], clusters=clusters[present], confidence=how.interval.confidence),
    )
