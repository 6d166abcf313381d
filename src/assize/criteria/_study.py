"""How well criteria of several methods, chosen by several policies, label new conversations.

pools, labels ──► halves ──► selection on one ──► measures on the other ──► tables

Letters: N conversations, M criteria. Source: RUBICON, section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.signature import sign
from assize.base.version import __version__
from assize.criteria._clusters import Clusters
from assize.criteria._criterion import CriteriaSet
from assize.criteria._evaluations import Evaluations
from assize.criteria._selecting import Selecting, choose_set
from assize.criteria._selection.held_out import strata_of
from assize.criteria._selection.pool import FEWEST, Mask
from assize.criteria._selection.window import window, yield_rate
from assize.criteria._study_result import (
    CriteriaStudy,
    HeldOutScores,
    StudyDifference,
    StudyRow,
)
from assize.formats.labels import Labels
from assize.results import Estimate
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._resampling import percentile_ends
from assize.stats._studies.splits import dealt_in_classes

MEASURES = (
    "delta_netsat",
    "yield_test",
    "accuracy",
    "precision",
    "recall",
    "f1",
    "yield_train",
    "precision_train",
    "correlation",
)
"""Those of the paper's tables first, in their order."""
CONFIDENCE = 0.95
_NAN = float("nan")


@dataclass(frozen=True, eq=False)
class Method:
    """A way to come by criteria: what it made, and the evaluations by each."""

    name: str  # as tables show it
    criteria: CriteriaSet
    evaluations: Evaluations


@dataclass(frozen=True, eq=False)
class Trial:
    """One method and one policy on one split.

    Args:
        tested: scores of the test half.
        chosen: columns of the criteria chosen.
        weight: of sharpness; None where the set was taken whole.
        notes: what a reader should know.
    """

    tested: HeldOutScores
    chosen: Sequence[int]
    weight: float | None
    notes: Sequence[str]


def measure(scores: HeldOutScores) -> FloatArray:
    """Every measure, in the order of `MEASURES`; NaN where there is none.

    The window of `yield_test` is found on these conversations, as published; that of
    `yield_train` on the training half. Correlation is Pearson's r of the sums of SAT and of DSAT
    criteria, the latter not negated. Source: RUBICON, section 4.2.
    """
    nets = scores.nets
    known = ~np.isnan(nets)
    learnt = yield_rate(scores.learnt, nets, scores.good)
    own_yield = 0.0
    if known.any():
        own = window(nets, scores.good, scores.threshold, scores.wanted.observed)
        own_yield = yield_rate(own, nets, scores.good).share
    scored, good = nets[known], scores.good[known]
    above = scored > scores.threshold
    right = int((above & good).sum())
    delta = correlation = _NAN
    if good.any() and not good.all():
        delta = float(scored[good].mean() - scored[~good].mean())
    sat, dsat = scores.sat[known], scores.dsat[known]
    if known.sum() > 2 and np.ptp(sat) > 0 and np.ptp(dsat) > 0:
        correlation = float(np.corrcoef(sat, dsat)[0, 1])
    return np.array(
        [
            delta,
            own_yield,
            _ratio((above == good).sum(), good.size),
            _ratio(right, above.sum()),
            _ratio(right, good.sum()),
            _ratio(2 * right, above.sum() + good.sum()),
            learnt.share,
            learnt.precision,
            correlation,
        ]
    )


def _ratio(part: int, total: int) -> float:
    return float(part / total) if total else _NAN


def halved(good: Mask, rng: np.random.Generator, clusters: NDArray[Any] | None = None) -> Mask:
    """Which conversations (N,) are for training: half of each class, drawn anew.

    Of an odd number the test half gets one more. With clusters (N,) each stays whole, and the
    halves are as near to that as clusters allow.

    Raises:
        DataError: a half would have fewer than two conversations of a class.
    """
    train = np.zeros(len(good), dtype=bool)
    if clusters is not None:
        halves = dealt_in_classes(good.tolist(), clusters.tolist(), 2, rng)
        train = halves == 1  # the largest cluster is in the test half
    for name, label in (("good", True), ("bad", False)):
        rows = np.flatnonzero(good == label)
        if clusters is None:
            train[rng.permutation(rows)[: len(rows) // 2]] = True
        least = min(int(train[rows].sum()), int((~train[rows]).sum()))
        if least < FEWEST:
            units = "" if clusters is None else f" of {len(np.unique(clusters))} clusters"
            raise DataError(
                f"{len(rows)} of {len(good)} conversations{units} are {name}, and a half has"
                f" {least} of them; a study needs {FEWEST} of each class in both halves: label"
                " more conversations, or conversations of more clusters"
            )
    return train


def trial(
    name: str,
    values: FloatArray,
    sat: Mask,
    good: Mask,
    train: Mask,
    how: Selecting,
    clusters: NDArray[Any] | None = None,
) -> Trial:
    """Chooses criteria, threshold and window on the training half, and scores the other.

    Scores that are missing count as neutral where criteria are chosen; on the test half they
    leave NetSAT unscored.

    Args:
        name: of the method.
        values: (N, M) from 0 to 10; NaN where unscored.
        sat: (M,) whether a criterion speaks of satisfaction.
        good: (N,) labels.
        train: (N,) which conversations are for training.
        clusters: (N,) what stays together in folds.

    Raises:
        DataError: nothing is left to choose from, or the set tells nothing apart.
    """
    together = None if clusters is None else clusters[train]
    try:
        choice = choose_set(values[train], sat, good[train], how, together, take_whole=True)
    except DataError as error:
        raise DataError(f"{name}: {error.problem}") from error
    cuts = window(choice.nets, choice.pool.good, choice.threshold, how.wanted)
    tested, kinds = values[np.ix_(~train, choice.columns)], sat[choice.columns]
    scores = HeldOutScores(
        tested[:, kinds].sum(axis=1),
        tested[:, ~kinds].sum(axis=1),
        good[~train],
        choice.threshold,
        cuts,
        how.wanted,
    )
    notes = list(choice.notes)
    if choice.left_out.size:
        notes.append("criteria are left out that too few conversations are scored on")
    columns = choice.columns.tolist()
    weight = None if choice.whole else choice.settings.objective.weight
    return Trial(scores, columns, weight, [f"{name}: {note}" for note in notes])


def resampled(
    good: Mask,
    trains: Sequence[Mask],
    count: int,
    rng: np.random.Generator,
    clusters: NDArray[Any] | None = None,
) -> IntArray:
    """How often each conversation is drawn (count, N): with replacement, each class by itself.

    Only conversations that some split tests are drawn, so that the halves of one split keep
    their numbers. Clusters (N,) are drawn whole, see `strata_of`.
    """
    times = np.zeros((count, len(good)), dtype=np.int64)
    ever = np.flatnonzero(~np.logical_and.reduce(list(trains)))
    for stratum in strata_of(good[ever], None if clusters is None else clusters[ever]):
        size = len(stratum)
        drawn = rng.multinomial(size, np.full(size, 1 / size), size=count)
        lengths = [len(rows) for rows in stratum]
        times[:, ever[np.concatenate(stratum)]] = np.repeat(drawn, lengths, axis=1)
    return times


def resample_measures(
    tested: Sequence[HeldOutScores], trains: Sequence[Mask], times: IntArray
) -> FloatArray:
    """Return the measures (1 + resamples, measures): as they are, then on resamples.

    Args:
        tested: the test half of each split; a measure is the mean over those that define it.
        times: (resamples, N) how often each conversation is drawn.
    """
    rows = [_mean([measure(scores) for scores in tested])]
    for draw in times:
        halves = [
            scores.rows(np.repeat(np.arange(len(scores.good)), draw[~train]))
            for scores, train in zip(tested, trains, strict=True)
        ]
        rows.append(_mean([measure(scores) for scores in halves]))
    return np.stack(rows)


def _mean(splits: Sequence[FloatArray]) -> FloatArray:
    """The mean over splits (measures,) of those in which a measure is defined."""
    means: FloatArray = np.ma.masked_invalid(np.stack(splits)).mean(axis=0).filled(_NAN)
    return means


def estimates(measures: FloatArray, n: int) -> dict[str, Estimate]:
    """Return each measure with its interval, from what `resample_measures` returns."""
    value, draws = measures[0], measures[1:]
    return {
        name: Estimate(
            float(value[column]),
            percentile_ends(draws[:, column], CONFIDENCE).interval if len(draws) else (_NAN, _NAN),
            n,
        )
        for column, name in enumerate(MEASURES)
    }


def compare(
    methods: Sequence[Method],
    labels: Labels,
    how: Selecting,
    *,
    policies: Sequence[str] = ("rubicon",),
    splits: int = 1,
    resamples: int = 1_000,
    seed: int = 0,
    clusters: Clusters | None = None,
    tick: Callable[[int], Any] = lambda _: None,
) -> CriteriaStudy:
    """Chooses from every pool by every policy on one half, and measures on the other.

    Args:
        how: criteria are chosen; its policy and seed are set here.
        policies: names, the first being that which methods are compared by.
        splits: number of random halves; figures are means over them.
        resamples: of test conversations, for intervals.
        seed: of splits, policies and resamples.
        clusters: conversations that stay together in halves, folds and resamples.
        tick: told of each selection that is done.

    Raises:
        DataError: too few conversations are labelled and scored by all methods, or a method's
            scores tell nothing apart.
    """
    notes = [f"{row.name}: {note}" for row in methods for note in row.evaluations.notes]
    items = _common_items(methods, labels, notes)
    good = np.array([labels.good[item] for item in items], dtype=bool)
    groups = None
    if clusters is not None:
        groups = clusters.labels(items)
        notes.append(clusters.line(items))
    trains = [halved(good, np.random.default_rng([seed, at]), groups) for at in range(splits)]
    times = resampled(good, trains, resamples, np.random.default_rng([seed, 7]), groups)
    rows, measures = [], {}
    values = {
        method.name: method.evaluations.of(items, method.criteria.criteria) for method in methods
    }
    for method in methods:
        criteria = method.criteria.criteria
        sat = np.array([criterion.sat for criterion in criteria], dtype=bool)
        for policy in policies:
            trials = []
            for at, train in enumerate(trains):
                settings = replace(how.settings, seed=seed + at)
                own = replace(how, policy=policy, settings=settings)
                trials.append(
                    trial(method.name, values[method.name], sat, good, train, own, groups)
                )
                tick(1)
            tested = [each.tested for each in trials]
            drawn = resample_measures(tested, trains, times)
            measures[method.name, policy] = drawn
            n = sum(len(scores.good) for scores in tested)
            notes += [note for each in trials for note in each.notes if note not in notes]
            rows.append(
                StudyRow(
                    name=_row_name(method.name, policy, len(methods), len(policies)),
                    method=method.name,
                    policy=policy,
                    **estimates(drawn, n),
                    size=sum(len(each.chosen) for each in trials) / splits,
                    pool=len(criteria),
                    n=n,
                    unscored=sum(scores.unscored for scores in tested),
                    chosen=[[criteria[column].id for column in each.chosen] for each in trials],
                    weights=[each.weight for each in trials],
                    tests=tested,
                )
            )
    signed: dict[str, Any] = {
        "methods": {name: np.nan_to_num(table, nan=-1).tolist() for name, table in values.items()},
        "good": good.tolist(),
        "settings": repr((how, policies, splits, resamples, seed)),
        "version": __version__,
        "clusters": None if groups is None else groups.tolist(),
    }
    budget = how.settings.budget
    return CriteriaStudy(
        rows=rows,
        differences=_differences(rows, measures),
        splits=splits,
        resamples=resamples,
        train=_counts(good[trains[0]]),
        test=_counts(good[~trains[0]]),
        policies=list(policies),
        precision=how.wanted.precision,
        labels=labels,
        notes=[*labels.notes, *notes],
        signature=sign(signed),
        settings={
            "methods": len(methods),
            "policies": "+".join(policies),
            "budget": f"{budget.sat}+{budget.dsat}",
            "n": len(items),
            "clusters": None if clusters is None else clusters.field,
            "splits": splits,
            "resamples": resamples,
            "seed": seed,
        },
    )


def _common_items(methods: Sequence[Method], labels: Labels, notes: list[str]) -> list[str]:
    """The labelled conversations that every method scored."""
    shared = set.intersection(*(set(method.evaluations.items) for method in methods))
    items = [
        item for item in methods[0].evaluations.items if item in shared and item in labels.good
    ]
    if not items:
        raise DataError(
            f"none of the {len(labels):,} labelled conversations is scored by every method"
            f" ({', '.join(method.name for method in methods)}); score the same conversations by"
            " all"
        )
    if missing := len(labels) - len(items):
        every = "every method" if len(methods) > 1 else methods[0].name
        notes.append(
            f"{missing:,} labelled conversations are not scored by {every}, and left out of all"
        )
    return items


def _row_name(method: str, policy: str, methods: int, policies: int) -> str:
    """Return what tells a row from the others."""
    if policies == 1:
        return method
    return f"{method}, {policy}" if methods > 1 else policy


def _differences(
    rows: Sequence[StudyRow], measures: Mapping[tuple[str, str], FloatArray]
) -> list[StudyDifference]:
    """Return each row less that of the first method, and less that of the first policy."""
    first, differences = rows[0], []
    for row in rows:
        others = []
        if row.method != first.method:
            others.append((first.method, (first.method, row.policy)))
        if row.policy != first.policy:
            others.append((first.policy, (row.method, first.policy)))
        for less, key in others:
            apart = measures[row.method, row.policy] - measures[key]
            differences.append(
                StudyDifference(
                    name=f"{row.name} less {less}",
                    method=row.method,
                    policy=row.policy,
                    less=less,
                    **estimates(apart, row.n),
                )
            )
    return differences


def _counts(good: Mask) -> Mapping[str, int]:
    return {"good": int(good.sum()), "bad": int((~good).sum())}
