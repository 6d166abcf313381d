"""From evaluations and labels to a set of criteria: pool, weight, policy, window, probability."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assize.base.arguments import check_range, check_word
from assize.base.errors import DataError
from assize.base.signature import sign
from assize.base.version import __version__
from assize.criteria._clusters import Clusters
from assize.criteria._criterion import CriteriaSet, Labelling
from assize.criteria._evaluations import Evaluations
from assize.criteria._selected import (
    ChosenCriterion,
    Curves,
    SelectedCriteria,
    SelectionFigures,
)
from assize.criteria._selection.greedy import Budget
from assize.criteria._selection.held_out import held_out, survival
from assize.criteria._selection.objective import Objective, separation, threshold
from assize.criteria._selection.policies import POLICIES, Settings
from assize.criteria._selection.pool import Mask, Pool
from assize.criteria._selection.probability import Logistic, logistic
from assize.criteria._selection.weight import DEALS, FOLDS, TIE, Tuned, tuned_weight
from assize.criteria._selection.window import WANTED, Wanted, Window, WindowRule, window, yield_rate
from assize.formats.labels import Labels
from assize.stats._arrays import FloatArray, IntArray

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
        sat: maximum number of satisfaction criteria.
        dsat: maximum number of dissatisfaction criteria.
        weight: weight of sharpness against separation. Default: found by cross-validation.
        precision: precision that the labels from scores must reach.
        window: what must reach the precision: the share observed, wilson for its lower bound, or
            paper for the outermost scores that reach it; auto is the bound below 200 labels, the
            share from there on.
        preset: recipe: own, or paper (deals the folds once, has no ties, takes the window paper,
            and ignores labels in the rewards of ucb and brute-force).

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
class ChosenSet:
    """Criteria chosen on N conversations, and the threshold of their NetSAT.

    Args:
        pool: the criteria that were considered, in the order of `considered`.
        considered: (P,) their columns among all; `left_out` are those that too many lack.
        chosen: places in the pool, in the order of choice.
        settings: with the weight that was used; `tuned` is what was tried for it.
        nets: (N,) NetSAT.
        whole: the set fits the budgets and was taken whole.
        notes: what a reader should know.
    """

    pool: Pool
    considered: IntArray
    left_out: IntArray
    chosen: Sequence[int]
    settings: Settings
    tuned: Tuned | None
    nets: FloatArray
    threshold: float
    whole: bool
    notes: Sequence[str]

    @property
    def columns(self) -> IntArray:
        """Columns of the criteria chosen, among all."""
        return self.considered[list(self.chosen)]


def choose_set(
    values: FloatArray,
    sat: Mask,
    good: Mask,
    how: Selecting,
    clusters: NDArray[Any] | None = None,
    *,
    take_whole: bool = False,
) -> ChosenSet:
    """Choose criteria by a policy: pool, weight, choice, threshold.

    Args:
        values: (N, M) evaluations from 0 to 10; NaN where unscored, which counts as neutral. A
            criterion that more than half of the conversations lack is left out.
        sat: (M,) whether a criterion speaks of satisfaction.
        good: (N,) labels.
        clusters: (N,) conversations that stay together in folds.
        take_whole: take all criteria where they fit the budgets.

    Raises:
        DataError: no criterion is left, or all conversations get one NetSAT.
    """
    lacking = np.isnan(values).sum(axis=0) > MOST_UNSCORED * len(good)
    considered = np.flatnonzero(~lacking)
    if not considered.size:
        raise DataError(
            f"each of the {len(sat)} criteria is unscored on more than"
            f" {100 * MOST_UNSCORED:g}% of the conversations; score them again"
        )
    pool = Pool.of(values[:, considered], sat[considered], good, clusters)
    budget, notes = how.settings.budget, list[str]()
    fits = pool.sat.sum() <= budget.sat and (~pool.sat).sum() <= budget.dsat
    whole, settings, tuned = bool(take_whole and fits), how.settings, None
    if whole:
        chosen = list(range(len(pool.sat)))
    else:
        settings, tuned = tune_weight(pool, how, notes)
        chosen = POLICIES[how.policy](pool, settings)
    nets = pool.net(chosen)
    if np.ptp(nets) == 0:
        raise DataError(
            f"all {len(nets):,} conversations get the same scores from the criteria chosen, so that"
            " nothing tells good from bad; look at how the criteria were scored"
        )
    middle = float(threshold(nets[None], good)[0])
    left_out = np.flatnonzero(lacking)
    return ChosenSet(
        pool, considered, left_out, chosen, settings, tuned, nets, middle, whole, notes
    )


def tune_weight(pool: Pool, how: Selecting, notes: list[str]) -> tuple[Settings, Tuned | None]:
    """Return the settings with the weight that is used, and what was tried."""
    settings, tuned = how.settings, None
    weight = settings.objective.weight
    if how.policy == "correctness":
        weight = 0.0
    elif how.tune and how.policy == "rubicon" and not _foldable(pool):
        rarer, units = _rarer(pool)
        notes.append(
            f"the rarer class has {rarer} {units}, too few to tune the weight of sharpness in"
            f" {FOLDS} folds: it is {UNTUNED:g}"
        )
        weight = UNTUNED
    elif how.tune and how.policy == "rubicon":
        rng = np.random.default_rng(settings.seed)
        tuned = tuned_weight(
            pool,
            settings.budget,
            settings.objective,
            deals=how.deals,
            tie=how.tie,
            wanted=how.wanted,
            rng=rng,
        )
        weight = tuned.weight
    return replace(settings, objective=replace(settings.objective, weight=weight)), tuned


def choose_criteria(
    whole: CriteriaSet,
    evaluations: Evaluations,
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
    items = [item for item in evaluations.items if item in labels.good]
    notes = [*labels.notes, *evaluations.notes]
    if missing := len(labels) - len(items):
        notes.append(f"{missing:,} labelled conversations are not scored, and left out")
    if unlabelled := len(evaluations.items) - len(items):
        notes.append(f"{unlabelled:,} scored conversations have no label, and are left out")
    good = np.array([labels.good[item] for item in items], dtype=bool)
    values = evaluations.of(items, evaluations.criteria)
    unscored = np.isnan(values).sum(axis=0)
    sat = np.array([criterion.sat for criterion in evaluations.criteria], dtype=bool)
    groups = None if clusters is None else clusters.labels(items)
    choice = choose_set(values, sat, good, how, groups)
    pool, settings, middle = choice.pool, choice.settings, choice.threshold
    if choice.left_out.size:
        named = ", ".join(
            f"{evaluations.criteria[column].id} ({unscored[column]} of {len(items)})"
            for column in choice.left_out[:3].tolist()
        )
        more = f" and {choice.left_out.size - 3} more" if choice.left_out.size > 3 else ""
        notes.append(f"left out, for too few conversations are scored on them: {named}{more}")
    if clusters is not None:
        notes.append(clusters.line(items))
    if pool.imputed:
        notes.append(
            f"{pool.imputed:,} of {pool.scores.size:,} scores are missing: taken as neutral"
        )
    notes += choice.notes

    def choose(some: Pool) -> list[int]:
        return POLICIES[how.policy](some, settings)

    folded = None
    if _foldable(pool):
        folded = held_out(pool, choose, wanted=how.wanted, rng=np.random.default_rng(settings.seed))
    else:
        notes.append(
            "threshold, window and probability come from the conversations that the criteria were"
            " chosen on, for there are too few to hold any out: on new ones expect less"
        )
    nets = choice.nets
    seen = nets if folded is None else folded.nets
    cuts = window(seen, good, middle, how.wanted)
    lasting = None
    if how.samples:
        lasting = survival(pool, choose, how.samples, np.random.default_rng(settings.seed))
    criteria = [evaluations.criteria[column] for column in choice.columns.tolist()]
    rows = [
        ChosenCriterion(
            place,
            criterion.id,
            criterion.text,
            criterion.polarity,
            float(separation(pool.scores[:, column][None], good)[0]),
            None if lasting is None else float(lasting[column]),
            int(unscored[choice.considered[column]]),
        )
        for place, (criterion, column) in enumerate(zip(criteria, choice.chosen, strict=True), 1)
    ]
    wrong = [row.id for row in rows if row.separation <= 0]
    if wrong:
        notes.append(
            f"{len(wrong)} of the criteria chosen do not tell the classes apart the right way:"
            f" {', '.join(wrong[:3])}; the budgets are larger than what the pool is good for"
        )
    chosen = replace(whole, criteria=tuple(criteria), labelling=None)
    curve = logistic(seen, good, settings.objective.prevalence)
    labelling = labelling_of(cuts, curve, middle, good, chosen.wording)
    objective = settings.objective
    figures = [
        SelectionFigures.of(
            "training",
            float(separation(nets[None], good)[0]),
            yield_rate(window(nets, good, middle, how.wanted), nets, good),
            float(((nets > middle) == good).mean()),
            float(objective.sharpness_error(nets[None], good)[0]),
        )
    ]
    if folded is not None:
        measured = folded.separation, folded.yielded, folded.accuracy
        figures.append(SelectionFigures.of("held out", *measured))
    considered = [evaluations.criteria[column] for column in choice.considered.tolist()]
    signed: dict[str, Any] = {
        "criteria": [[row.id, row.polarity, row.text] for row in considered],
        "scores": pool.scores.tolist(),
        "good": good.tolist(),
        "settings": repr(replace(how, settings=settings)),
        "version": __version__,
        "clusters": None if groups is None else groups.tolist(),
    }
    return SelectedCriteria(
        policy=how.policy,
        pool=len(considered),
        n=len(items),
        good=int(good.sum()),
        weight=objective.weight,
        objective=float(objective.values(nets[None], good)[0]),
        chosen=rows,
        figures=figures,
        labels=labels,
        labelling=labelling,
        imputed=pool.imputed,
        notes=notes,
        signature=sign(signed),
        settings={
            "select": how.policy,
            "budget": f"{settings.budget.sat}+{settings.budget.dsat}",
            "weight": f"{objective.weight:g}",
            "n": len(items),
            "pool": len(considered),
            "clusters": None if clusters is None else clusters.field,
            "seed": settings.seed,
        },
        criteria=replace(chosen, labelling=labelling),
        held_out=folded,
        tuned=choice.tuned,
        nets=nets,
        items=items,
        good_items=[bool(label) for label in good],
        curves=Curves.of(nets, good, objective),
    )


def labelling_of(
    cuts: Window, curve: Logistic, middle: float, good: Mask, wording: str
) -> Labelling:
    """How NetSAT becomes a label, as a file keeps it."""
    low, high = (
        float(round(cut, 6)) if np.isfinite(cut) else None for cut in (cuts.low, cuts.high)
    )
    return Labelling(
        float(round(middle, 6)),
        low,
        high,
        cuts.precision,
        float(f"{curve.slope:.6g}"),
        float(f"{curve.intercept:.6g}"),
        len(good),
        int(good.sum()),
        wording,
    )


def _foldable(pool: Pool) -> bool:
    return _rarer(pool)[0] >= 2 * FOLDS


def _rarer(pool: Pool) -> tuple[int, str]:
    """How many conversations, or clusters with any, the rarer class has, and which of both."""
    if pool.clusters is None:
        return int(min(pool.good.sum(), (~pool.good).sum())), "conversations"
    count = min(len(np.unique(pool.clusters[pool.good == label])) for label in (True, False))
    return count, "clusters"
