"""Every figure of `assize agree`: judges among themselves, with gold, and two compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from assize import stats
from assize.agreement.columns import PEOPLE, Columns
from assize.errors import ConfigError
from assize.judgment import TRUTHS
from assize.judgments.values import scale_of
from assize.stats import Comparison, Estimate, Interval
from assize.stats.arrays import FloatArray
from assize.stats.coincidence import Level
from assize.stats.compare import Measure

MOST_JUDGES = 30
"""Above that many judges pairs of them are only formed on request."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How figures are made.

    Args:
        how: kind of interval.
        seed: of everything that is drawn; each figure starts from it anew.
        permutations: of tests.
        threshold: of a predicted tie, for pairwise accuracy of scores.
    """

    how: Interval = field(default_factory=Interval)
    seed: int = 0
    permutations: int = 10_000
    threshold: float = 0.0

    def rng(self) -> np.random.Generator:
        """A generator that stands at the seed, so that no figure depends on another."""
        return np.random.default_rng(self.seed)


class PairOf(NamedTuple):
    """Two judges' agreement on the units that both answered."""

    first: str
    second: str
    n: int
    figures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Study:
    """All figures on one question.

    Args:
        found: the columns that they were computed from.
        judges: those compared among themselves, `gold` left out.
        overall: all judges together.
        bins: plurality, majority, perfect; None where answers are no categories.
        pairs: each two judges, those with gold first; `gold` names the judge that counts
            as true.
        left_out: pairs that were not formed, and why.
    """

    found: Columns
    judges: tuple[str, ...]
    gold: str | None
    overall: Mapping[str, Estimate]
    bins: stats.AgreementBins | None
    pairs: tuple[PairOf, ...]
    left_out: str | None


def study(
    found: Columns,
    *,
    gold: str | None = None,
    clusters: Sequence[str] | None = None,
    settings: Settings | None = None,
    all_pairs: bool = False,
) -> Study:
    """Agreement on one question.

    Args:
        gold: a judge of `found`; its pairs also get accuracy and win / tie / loss.
        clusters: of the units; their items when None.
        all_pairs: form pairs of however many judges.
    """
    settings = Settings() if settings is None else settings
    labels = np.asarray(found.items if clusters is None else clusters)
    judges = tuple(name for name in found.by_judge if name != gold)
    pairs, left_out = _partners(found, judges, gold, all_pairs)
    measured = [_pair(found, one, two, labels, settings, two == gold) for one, two in pairs]
    voters = [name for name in judges if name not in (PEOPLE, *TRUTHS)]
    overall, bins = _overall(found, voters, labels, settings)
    return Study(found, judges, gold, overall, bins, tuple(measured), left_out)


def _partners(
    found: Columns, judges: Sequence[str], gold: str | None, all_pairs: bool
) -> tuple[list[tuple[str, str]], str | None]:
    known = [name for name in judges if not found.by_judge[name].anonymous]
    left_out = None
    if len(known) < len(judges):
        left_out = f"{len(judges) - len(known)} anonymous raters: positions are not people"
    if gold == PEOPLE:  # a person against an average that holds their own answer says nothing
        known = [name for name in known if not found.by_judge[name].person]
    pairs = [(name, gold) for name in known if gold is not None]
    if len(known) > MOST_JUDGES and not all_pairs:
        left_out = f"pairs of {len(known)} judges: name some with --judges"
    else:
        pairs += list(combinations(known, 2))
    return pairs, left_out


def _pair(
    found: Columns, first: str, second: str, labels: Any, settings: Settings, with_gold: bool
) -> PairOf:
    one, two = found.by_judge[first], found.by_judge[second]
    x, y, asked = one.values, two.values, one.asked & two.asked
    both = int((~(np.isnan(x) | np.isnan(y))).sum())
    kind = found.question.kind
    figures = _figures(x[asked], y[asked], found, labels[asked], settings)
    if with_gold and kind in ("number", "binary"):
        figures |= _of_classes(x[asked], y[asked], labels[asked], settings)
    if with_gold and kind == "preference":
        accuracy = stats.pairwise_accuracy(
            x[asked],
            y[asked],
            threshold=settings.threshold,
            clusters=labels[asked],
            confidence=settings.how.confidence,
        )
        figures |= {
            "accuracy w/ tie": accuracy.with_tie,
            "accuracy w/o tie": accuracy.without_tie,
            "accuracy, both decided": accuracy.both_decided,
            "coverage": accuracy.coverage,
        }
    return PairOf(first, second, both, figures)


def _of_classes(
    x: FloatArray, y: FloatArray, labels: Any, settings: Settings
) -> dict[str, Estimate]:
    """How well scores tell gold's two answers apart; {} where gold has more, or one."""
    seen = np.unique(y[~np.isnan(y)])
    if len(seen) != 2:
        return {}
    high = np.where(np.isnan(y), np.nan, y == seen[1])
    common: dict[str, Any] = {"clusters": labels, "how": settings.how}
    return {
        "AUC": stats.auc(x, high, rng=settings.rng(), **common),
        "average precision": stats.average_precision(x, high, rng=settings.rng(), **common),
    }


def _figures(
    x: FloatArray, y: FloatArray, found: Columns, labels: Any, settings: Settings
) -> dict[str, Estimate]:
    """The statistics that suit the question's scale."""
    kind = found.question.kind
    common: dict[str, Any] = {"clusters": labels, "how": settings.how}

    def with_rng(**more: Any) -> dict[str, Any]:
        return {**common, "rng": settings.rng(), **more}

    figures: dict[str, Estimate] = {}
    discrete = kind != "number" and _on_scale(x, found) and _on_scale(y, found)
    if kind == "text":
        return figures
    if discrete:
        ratings = np.stack([x, y])
        figures["agreement"] = stats.raw_agreement(ratings, **with_rng())
        weights = "quadratic" if kind == "ordinal" else "none"
        order = tuple(sorted(scale_of(found.question).values())) or None
        figures["kappa"] = stats.cohen_kappa(x, y, **with_rng(weights=weights, order=order))
    if kind != "preference" or discrete:
        level = alpha_level(found)
        figures["alpha"] = stats.alpha(np.stack([x, y]), **with_rng(level=level, how=settings.how))
    if kind == "nominal":
        figures["Cramer's V"] = stats.cramers_v(x, y, **with_rng())
    if kind in ("ordinal", "number", "binary"):
        figures["pearson"] = stats.pearson(x, y, **with_rng())
        figures["spearman"] = stats.spearman(x, y, **with_rng(how=settings.how))
        figures["kendall"] = stats.kendall(x, y, **with_rng(how=settings.how))
        figures["rmse"] = stats.rmse(x, y, **with_rng())
        figures["mae"] = stats.mae(x, y, **with_rng())
    return figures


def alpha_level(found: Columns) -> Level:
    """How far apart two answers are, by the kind of question."""
    if found.question.kind in ("nominal", "binary", "preference"):
        return "nominal"
    return "ordinal" if found.question.kind == "ordinal" else "interval"


def _on_scale(values: FloatArray, found: Columns) -> bool:
    """Whether all values are answers of the question, not means between them."""
    allowed = list(scale_of(found.question).values())
    return bool(allowed) and bool(np.isin(values[~np.isnan(values)], allowed).all())


def _overall(
    found: Columns, judges: Sequence[str], labels: Any, settings: Settings
) -> tuple[dict[str, Estimate], stats.AgreementBins | None]:
    """All judges together; the overlap may be partial."""
    if len(judges) < 2 or found.question.kind == "text":
        return {}, None
    ratings = found.matrix(judges)
    common: dict[str, Any] = {"clusters": labels, "how": settings.how}
    level = alpha_level(found)
    how = settings.how
    together = stats.alpha(ratings, level=level, clusters=labels, how=how, rng=settings.rng())
    figures = {f"alpha ({level})": together}
    if found.question.kind == "number" or not _on_scale(ratings.ravel(), found):
        return figures, None
    figures["agreement"] = stats.raw_agreement(ratings, rng=settings.rng(), **common)
    figures["fleiss kappa"] = stats.fleiss_kappa(ratings, rng=settings.rng(), **common)
    bins = stats.agreement_bins(ratings, clusters=labels, confidence=settings.how.confidence)
    return figures, bins


def default_measure(kind: str) -> Measure:
    """What two judges are compared by, where nothing else is asked for."""
    return "spearman" if kind in ("ordinal", "number") else "accuracy"


def compare_judges(
    found: Columns,
    first: str,
    second: str,
    gold: str,
    *,
    measure: Measure | None = None,
    clusters: Sequence[str] | None = None,
    settings: Settings | None = None,
) -> tuple[Measure, Comparison]:
    """Which of two judges agrees better with gold.

    Raises:
        ConfigError: one of the three did not answer the question.
    """
    settings = Settings() if settings is None else settings
    for name in (first, second, gold):
        if name not in found.by_judge:
            known = ", ".join(list(found.by_judge)[:20])
            raise ConfigError(f"no judge {name!r} answered {found.question.id}; these did: {known}")
    chosen = default_measure(found.question.kind) if measure is None else measure
    rows = np.all([found.by_judge[name].asked for name in (first, second, gold)], axis=0)
    labels = np.asarray(found.items if clusters is None else clusters)[rows]
    one, two, truth = (found.by_judge[name].values[rows] for name in (first, second, gold))
    compared = stats.compare(
        one,
        two,
        truth,
        measure=chosen,
        clusters=labels,
        how=settings.how,
        permutations=settings.permutations,
        rng=settings.rng(),
    )
    return chosen, compared
