"""The statistics of one question: all judges together, each two judges, two against gold."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

import numpy as np

from assize import stats
from assize.agreement.options import CloserToGold
from assize.agreement.rows import GoldComparison, JudgePair, OverallFigure
from assize.base.judgment import TRUTHS
from assize.judgments.answers import PEOPLE, Columns
from assize.judgments.values import scale_ends, scale_of
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.stats._coincidence import Level
from assize.stats._statistics import StatisticsSettings

MOST_JUDGES = 30
"""Above that many judges pairs of them are only formed on request."""

RANK_FIGURES = ("spearman", "kendall")
"""What can be said of two judges that answer on different scales."""

LEVELS: dict[str, Level] = {"ordinal": "ordinal", "number": "interval"}
"""How far apart two answers are, by the kind of question; nominal for all others."""
BINS = {
    "perfect": "perfect",
    "majority": "majority, not perfect",
    "plurality": "plurality, no majority",
    "none": "no plurality",
}
"""Shares of items whose answers agree so far, and what they are called."""


def all_together(
    answers: Columns, gold: str | None, clusters: np.ndarray, how: StatisticsSettings
) -> list[OverallFigure]:
    """Return the agreement of all judges but gold; nothing where there are fewer than two."""
    question = answers.question
    judges = [name for name in answers.by_judge if name not in (gold, PEOPLE, *TRUTHS)]
    if len(judges) < 2 or question.kind == "text":
        return []
    ratings = answers.matrix(judges)
    level = LEVELS.get(question.kind, "nominal")
    figures = {f"alpha ({level})": stats.alpha(ratings, level=level, **how.intervals(clusters))}
    if question.kind != "number" and on_scale(ratings, answers):
        figures["agreement"] = stats.raw_agreement(ratings, **how.intervals(clusters))
        figures["fleiss kappa"] = stats.fleiss_kappa(ratings, **how.intervals(clusters))
        confidence = how.confidence
        bins = stats.agreement_bins(ratings, clusters=clusters, confidence=confidence)
        figures |= {words: getattr(bins, name) for name, words in BINS.items()}
    return [OverallFigure(question.id, name, estimate) for name, estimate in figures.items()]


def partners(
    answers: Columns, gold: str | None, *, named: bool
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the pairs of judges to compare, those with gold first, and notes on those left out.

    Args:
        named: whether the user named the judges; then pairs of however many are formed.
    """
    notes = []
    others = {name: one for name, one in answers.by_judge.items() if name != gold}
    judges = [name for name, one in others.items() if not one.anonymous]
    if len(judges) < len(others):
        notes.append(f"{len(others) - len(judges)} anonymous raters: positions are not people")
    if gold == PEOPLE:  # their average holds a person's own answer
        judges = [name for name in judges if not others[name].person]
    pairs = [] if gold is None else [(name, gold) for name in judges]
    if len(judges) <= MOST_JUDGES or named:
        return pairs + list(combinations(judges, 2)), notes
    return pairs, [*notes, f"pairs of {len(judges)} judges: name some with --judges"]


def compare_pair(
    answers: Columns,
    first: str,
    second: str,
    gold: str | None,
    clusters: np.ndarray,
    how: StatisticsSettings,
    *,
    ranks: bool = False,
) -> JudgePair:
    """Return the statistics of two judges that suit the question's scale.

    Args:
        ranks: only those that compare orders, as of answers on different scales.
    """
    one, two = answers.by_judge[first], answers.by_judge[second]
    asked = one.asked & two.asked
    x, y, labels = one.values[asked], two.values[asked], clusters[asked]
    both = int((~(np.isnan(x) | np.isnan(y))).sum())
    figures = scale_figures(x, y, answers, labels, how)
    if ranks:
        figures = {name: figures[name] for name in RANK_FIGURES if name in figures}
    if second == gold:
        figures |= gold_figures(x, y, answers.question.kind, labels, how)
    return JudgePair(answers.question.id, first, second, both, len(x) - both, **figures)


def scale_figures(
    x: FloatArray, y: FloatArray, answers: Columns, clusters: np.ndarray, how: StatisticsSettings
) -> dict[str, Estimate]:
    """Return agreement and correlation of two columns (N,), by the question's scale."""
    kind = answers.question.kind
    figures: dict[str, Estimate] = {}
    if kind == "text":
        return figures
    discrete = kind != "number" and on_scale(x, answers) and on_scale(y, answers)
    if discrete:
        order = tuple(sorted(scale_of(answers.question).values())) or None
        weights: Any = "quadratic" if kind == "ordinal" else "none"
        figures["agreement"] = stats.raw_agreement(np.stack([x, y]), **how.intervals(clusters))
        figures["kappa"] = stats.cohen_kappa(
            x, y, weights=weights, order=order, **how.intervals(clusters)
        )
    if discrete or kind != "preference":
        level = LEVELS.get(kind, "nominal")
        figures["alpha"] = stats.alpha(np.stack([x, y]), level=level, **how.intervals(clusters))
    if kind == "nominal":
        figures["cramers_v"] = stats.cramers_v(x, y, **how.intervals(clusters))
    if kind in ("ordinal", "number", "binary"):
        for name in ("pearson", "spearman", "kendall", "rmse", "mae"):
            figures[name] = getattr(stats, name)(x, y, **how.intervals(clusters))
    return figures


def gold_figures(
    x: FloatArray, gold: FloatArray, kind: str, clusters: np.ndarray, how: StatisticsSettings
) -> dict[str, Estimate]:
    """Return how often a judge prefers what gold prefers, or tells gold's two classes apart."""
    if kind == "preference":
        accuracy = stats.pairwise_accuracy(
            x,
            gold,
            clusters=clusters,
            confidence=how.confidence,
        )
        return {
            "accuracy": accuracy.without_tie,
            "accuracy_with_tie": accuracy.with_tie,
            "accuracy_decided": accuracy.both_decided,
            "coverage": accuracy.coverage,
        }
    classes = np.unique(gold[~np.isnan(gold)])
    if kind not in ("number", "binary") or len(classes) != 2:
        return {}
    high = np.where(np.isnan(gold), np.nan, gold == classes[1])
    return {
        "auc": stats.auc(x, high, **how.intervals(clusters)),
        "average_precision": stats.average_precision(x, high, **how.intervals(clusters)),
    }


def closer_to_gold(
    answers: Columns,
    compare: CloserToGold,
    gold: str,
    clusters: np.ndarray,
    how: StatisticsSettings,
) -> GoldComparison:
    """Return which of two judges agrees better with gold, by a paired permutation test."""
    kind, measure = answers.question.kind, compare.measure
    if measure is None:
        measure = "spearman" if kind in ("ordinal", "number") else "accuracy"
    columns = [answers.by_judge[name] for name in (*compare.pair, gold)]
    asked = np.all([column.asked for column in columns], axis=0)
    first, second, truth = (column.values[asked] for column in columns)
    comparison = stats.compare(
        first,
        second,
        truth,
        measure=measure,
        permutations=how.permutations,
        rng=how.rng(),
        **how.intervals(clusters[asked]),
    )
    names = dict(zip(("first", "second"), compare.pair, strict=True))
    scale = (0.0, 1.0) if measure == "accuracy" else None
    with_tie = measure == "accuracy" and kind == "preference"
    return GoldComparison(
        answers.question.id,
        "accuracy_with_tie" if with_tie else measure,
        *compare.pair,
        comparison.difference,
        comparison.test,
        None,
        names.get(comparison.better or "", "not shown"),
        comparison.first.within(scale),
        comparison.second.within(scale),
        comparison.difference.n,
        comparison.difference.unscored,
    )


def on_scale(values: FloatArray, answers: Columns) -> bool:
    """Whether all values are answers of the question, not means between them."""
    allowed = list(scale_of(answers.question).values())
    return bool(allowed) and bool(np.isin(values[~np.isnan(values)], allowed).all())


def scales_differ(answers: Columns) -> bool:
    """Whether some judges answer within the question's scale and others outside of it.

    Of numbers without a stated range: whether all of one judge's are at most all of another's.
    """
    if answers.question.kind not in ("ordinal", "number", "binary"):
        return False
    columns = [column.values[~np.isnan(column.values)] for column in answers.by_judge.values()]
    spans = [(float(own.min()), float(own.max())) for own in columns if len(own)]
    scale = scale_ends(answers.question)
    if scale is not None:
        outside = [low < scale[0] or high > scale[1] for low, high in spans]
        return any(outside) and not all(outside)
    wide = [(low, high) for low, high in spans if low < high]
    return any(low[1] <= high[0] for low, high in permutations(wide, 2))
