"""From evaluations and labels to a set of criteria: pool, weight, policy, window, probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from assize.base.arguments import check_range, check_word
from assize.base.errors import DataError
from assize.base.signature import sign
from assize.base.version import __version__
from assize.criteria._clusters import Clusters
from assize.criteria._criterion import CriteriaSet, Criterion, Labelling
from assize.criteria._evaluations import Evaluations
from assize.criteria._selected import (
    ChosenCriterion,
    Curves,
    LeftOutCriterion,
    SelectedCriteria,
    SelectionFigures,
    fold_scores,
    tried_weights,
)
from assize.criteria._selection.greedy import Budget
from assize.criteria._selection.held_out import Choose, HeldOut, held_out, survival
from assize.criteria._selection.objective import Objective, separation, threshold
from assize.criteria._selection.policies import POLICIES, Settings
from assize.criteria._selection.pool import FEWEST, Mask, Pool
from assize.criteria._selection.probability import Logistic, logistic
from assize.criteria._selection.weight import DEALS, FOLDS, TIE, Tuned, tuned_weight
from assize.criteria._selection.window import WANTED, Wanted, Window, WindowRule, window, yield_rate
from assize.formats.labels import Labels
from assize.stats._arrays import FloatArray

MOST_UNSCORED = 0.5  # share of conversations; a criterion that more lack is left out
UNTUNED = 1.0  # the weight where a policy has none, or too few conversations are there to tune it


@dataclass(frozen=True, slots=True)
class Selecting:
    """How criteria are chosen.

    Args:
        policy: a name in `POLICIES`.
        settings: budgets, objective and what policies need; the weight counts where `tune` is off.
        tune: whether the weight is found by cross-validation.
        deals, tie: how often folds are dealt to tune the weight, and what counts as a tie.
        wanted: how surely labels must be right.
        samples: bootstrap samples for `survives`; 0 draws none.
    """

    policy: str = "rubicon"
    settings: Settings = field(default_factory=Settings)
    tune: bool = True
    deals: int = DEALS
    tie: float = TIE
    wanted: Wanted = WANTED
    samples: int = 0


@dataclass(frozen=True, slots=True)
class CriteriaChoice:
    """How many criteria are chosen from a pool, and what makes a choice good.

    Args:
        sat: most criteria of satisfaction.
        dsat: most criteria of dissatisfaction.
        weight: weight of sharpness against separation, by default found by cross-validation.
        precision: precision wanted of the labels that scores get.
        window: what reaches it: the share observed, wilson for its lower bound, paper for the
            outermost scores that reach it; auto is the bound below 200 labels, the share from
            there on.
        preset: own, or paper, which deals the folds once, has no ties, takes the window paper,
            and whose rewards of ucb and brute-force do not look at labels.

    Raises:
        ConfigError: a value is not allowed.

    Source: RUBICON, section 3.3.
    """

    sat: int = 10
    dsat: int = 10
    weight: float | None = None
    precision: float = 0.9
    window: WindowRule = "auto"
    preset: Literal["own", "paper"] = "own"

    def __post_init__(self) -> None:
        check_range("precision", self.precision, 0.5, 1)
        check_word("preset", self.preset, ("own", "paper"))
        self.selecting()

    def selecting(
        self,
        policy: str = "rubicon",
        *,
        prevalence: float | None = None,
        samples: int = 0,
        seed: int = 0,
    ) -> Selecting:
        """Return this choice by a policy; see `Selecting` and `Objective`."""
        published = self.preset == "paper"
        objective = Objective(0.0 if self.weight is None else self.weight, prevalence)
        settings = Settings(Budget(self.sat, self.dsat), objective, not published, seed)
        return Selecting(
            policy,
            settings,
            tune=self.weight is None,
            deals=1 if published else DEALS,
            tie=0.0 if published else TIE,
            wanted=Wanted(self.precision, prevalence, "paper" if published else self.window),
            samples=samples,
        )


@dataclass(frozen=True, eq=False)
class _Given:
    """The pool, and what stands for its rows and columns."""

    pool: Pool
    items: Sequence[str]
    criteria: Sequence[Criterion]
    unscored: FloatArray
    left_out: Sequence[LeftOutCriterion]
    told: list[str]


def choose_criteria(
    whole: CriteriaSet,
    said: Evaluations,
    labels: Labels,
    how: Selecting,
    clusters: Clusters | None = None,
) -> SelectedCriteria:
    """The criteria chosen from a pool.

    Args:
        clusters: conversations that stay together in folds and resamples.

    Raises:
        DataError: too few labelled conversations are scored, all get one NetSAT, or no criterion
            is left.
    """
    given = _given(said, labels, clusters)
    pool, told = given.pool, given.told
    settings, tuned = weighed(pool, how, told)
    policy = POLICIES[how.policy]

    def choose(some: Pool) -> list[int]:
        return policy(some, settings)

    chosen = choose(pool)
    nets = pool.net(chosen)
    if np.ptp(nets) == 0:
        raise DataError(
            f"all {len(nets):,} conversations get the same scores from the criteria chosen, so that"
            " nothing tells good from bad; look at how the criteria were scored"
        )
    middle = float(threshold(nets[None], pool.good)[0])
    folded = _folds(pool, choose, how, settings, told)
    seen = nets if folded is None else folded.nets
    prevalence = settings.objective.prevalence
    found = window(seen, pool.good, middle, how.wanted)
    rng = np.random.default_rng(settings.seed)
    lasting = survival(pool, choose, how.samples, rng) if how.samples else None
    each = [_chosen(given, column, place, lasting) for place, column in enumerate(chosen, start=1)]
    _tell(each, found, told)
    criteria = tuple(given.criteria[column] for column in chosen)
    kept = replace(whole, criteria=criteria, labelling=None)
    curve = logistic(seen, pool.good, prevalence)
    labelling = labelling_of(found, curve, middle, pool.good, kept.wording)
    objective = settings.objective
    error = float(objective.sharpness_error(nets[None], pool.good)[0])
    figures = [_training(nets, pool.good, middle, how.wanted, error)]
    if folded is not None:
        measured = folded.separation, folded.yielded, folded.accuracy
        figures.append(SelectionFigures.of("held out", *measured))
    return SelectedCriteria(
        policy=how.policy,
        pool=len(given.criteria),
        n=len(given.items),
        good=int(pool.good.sum()),
        weight=objective.weight,
        objective=float(objective.values(nets[None], pool.good)[0]),
        chosen=each,
        figures=figures,
        weights=tried_weights(tuned, objective.weight),
        folds=fold_scores(folded, pool.good),
        left_out=given.left_out,
        labels=labels,
        labelling=labelling,
        imputed=pool.imputed,
        notes=[*labels.notes, *told],
        signature=_signature(given, how, settings, clusters),
        settings=_settings(given, how, settings, clusters),
        criteria=replace(kept, labelling=labelling),
        held_out=folded,
        tuned=tuned,
        nets=nets,
        items=given.items,
        good_items=[bool(label) for label in pool.good],
        curves=Curves.of(nets, pool.good, objective),
    )


def labelling_of(
    found: Window, curve: Logistic, middle: float, good: Mask, wording: str
) -> Labelling:
    """How NetSAT becomes a label, as a file keeps it."""
    return Labelling(
        _rounded(middle),
        _finite(found.low),
        _finite(found.high),
        found.precision,
        float(f"{curve.slope:.6g}"),
        float(f"{curve.intercept:.6g}"),
        len(good),
        int(good.sum()),
        wording,
    )


def _given(said: Evaluations, labels: Labels, clusters: Clusters | None) -> _Given:
    told = list(said.notes)
    items = [one for one in said.items if one in labels.good]
    lacking = len(labels) - len(items)
    if lacking:
        told.append(f"{lacking:,} labelled conversations are not scored, and left out")
    unlabelled = len(said.items) - len(items)
    if unlabelled:
        told.append(f"{unlabelled:,} scored conversations have no label, and are left out")
    good = np.array([labels.good[one] for one in items], dtype=bool)
    _check_enough(good, labels)
    values = said.of(items, said.criteria)
    unscored = np.isnan(values).sum(axis=0)
    kept = unscored <= MOST_UNSCORED * len(items)
    left_out = [
        LeftOutCriterion(one.id, one.text, one.polarity, int(count), len(items))
        for one, count in zip(said.criteria, unscored, strict=True)
        if count > MOST_UNSCORED * len(items)
    ]
    if not kept.any():
        raise DataError(
            f"each of the {len(said.criteria)} criteria is unscored on more than"
            f" {100 * MOST_UNSCORED:g}% of the conversations; score them again"
        )
    if left_out:
        named = ", ".join(f"{one.id} ({one.unscored} of {one.n})" for one in left_out[:3])
        more = f" and {len(left_out) - 3} more" if len(left_out) > 3 else ""
        told.append(f"left out, for too few conversations are scored on them: {named}{more}")
    criteria = [one for one, stays in zip(said.criteria, kept, strict=True) if stays]
    together = None if clusters is None else clusters.labels(items)
    pool = Pool.of(values[:, kept], [one.sat for one in criteria], good, together)
    if clusters is not None:
        told.append(clusters.line(items))
    if pool.imputed:
        told.append(
            f"{pool.imputed:,} of {pool.scores.size:,} scores are missing: taken as neutral"
        )
    return _Given(pool, items, criteria, unscored[kept], left_out, told)


def _check_enough(good: Mask, labels: Labels) -> None:
    counts = {"good": int(good.sum()), "bad": int((~good).sum())}
    if min(counts.values()) < FEWEST:
        both = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise DataError(
            f"of the labelled conversations {len(good)} are scored: {both}; at least {FEWEST} of"
            f" each class are needed; {labels.line}"
        )


def weighed(pool: Pool, how: Selecting, told: list[str]) -> tuple[Settings, Tuned | None]:
    """The settings with the weight that is used, and what was tried."""
    settings = how.settings
    if not how.tune or how.policy != "rubicon":
        weight = 0.0 if how.policy == "correctness" else settings.objective.weight
        return replace(settings, objective=replace(settings.objective, weight=weight)), None
    if not _foldable(pool):
        rarer, units = _rarer(pool)
        told.append(
            f"the rarer class has {rarer} {units}, too few to tune the weight of sharpness in"
            f" {FOLDS} folds: it is {UNTUNED:g}"
        )
        return replace(settings, objective=replace(settings.objective, weight=UNTUNED)), None
    tuned = tuned_weight(
        pool,
        settings.budget,
        settings.objective,
        deals=how.deals,
        tie=how.tie,
        wanted=how.wanted,
        rng=np.random.default_rng(settings.seed),
    )
    return replace(settings, objective=replace(settings.objective, weight=tuned.weight)), tuned


def _foldable(pool: Pool) -> bool:
    return _rarer(pool)[0] >= 2 * FOLDS


def _rarer(pool: Pool) -> tuple[int, str]:
    """How many conversations, or clusters with any, the rarer class has, and which of both."""
    if pool.clusters is None:
        return int(min(pool.good.sum(), (~pool.good).sum())), "conversations"
    count = min(len(np.unique(pool.clusters[pool.good == label])) for label in (True, False))
    return count, "clusters"


def _folds(
    pool: Pool, choose: Choose, how: Selecting, settings: Settings, told: list[str]
) -> HeldOut | None:
    if not _foldable(pool):
        told.append(
            "threshold, window and probability come from the conversations that the criteria were"
            " chosen on, for there are too few to hold any out: on new ones expect less"
        )
        return None
    return held_out(
        pool,
        choose,
        wanted=how.wanted,
        rng=np.random.default_rng(settings.seed),
    )


def _chosen(given: _Given, column: int, place: int, lasting: FloatArray | None) -> ChosenCriterion:
    criterion, pool = given.criteria[column], given.pool
    return ChosenCriterion(
        place,
        criterion.id,
        criterion.text,
        criterion.polarity,
        float(separation(pool.scores[:, column][None], pool.good)[0]),
        None if lasting is None else float(lasting[column]),
        int(given.unscored[column]),
    )


def _tell(chosen: Sequence[ChosenCriterion], found: Window, told: list[str]) -> None:
    wrong = [one.id for one in chosen if one.separation <= 0]
    if wrong:
        told.append(
            f"{len(wrong)} of the criteria chosen do not tell the classes apart the right way:"
            f" {', '.join(wrong[:3])}; the budgets are larger than what the pool is good for"
        )
    if not np.isfinite(found.low) or not np.isfinite(found.high):
        lacking = [
            name for name, cut in (("bad", found.low), ("good", found.high)) if not np.isfinite(cut)
        ]
        told.append(
            f"no score can be labelled {' or '.join(lacking)} with"
            f" {100 * found.precision:g}% precision"
        )


def _training(
    nets: FloatArray,
    good: Mask,
    middle: float,
    wanted: Wanted,
    error: float,
) -> SelectionFigures:
    own = window(nets, good, middle, wanted)
    apart = float(separation(nets[None], good)[0])
    accuracy = float(((nets > middle) == good).mean())
    return SelectionFigures.of("training", apart, yield_rate(own, nets, good), accuracy, error)


def _finite(cut: float) -> float | None:
    return _rounded(cut) if np.isfinite(cut) else None


def _rounded(value: float) -> float:
    return float(round(value, 6))


def _signature(given: _Given, how: Selecting, settings: Settings, clusters: Clusters | None) -> str:
    of: dict[str, Any] = {
        "criteria": [[one.id, one.polarity, one.text] for one in given.criteria],
        "scores": given.pool.scores.tolist(),
        "good": given.pool.good.tolist(),
        "settings": repr(replace(how, settings=settings)),
        "version": __version__,
    }
    if clusters is not None:
        of["clusters"] = clusters.labels(given.items).tolist()
    return sign(of)


def _settings(
    given: _Given, how: Selecting, settings: Settings, clusters: Clusters | None
) -> dict[str, object]:
    return {
        "select": how.policy,
        "budget": f"{settings.budget.sat}+{settings.budget.dsat}",
        "weight": f"{settings.objective.weight:g}",
        "n": len(given.items),
        "pool": len(given.criteria),
        "clusters": None if clusters is None else clusters.field,
        "seed": settings.seed,
    }
