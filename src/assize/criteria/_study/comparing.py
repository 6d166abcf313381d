"""Every method with every policy, on the same conversations and the same splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assize.base.errors import DataError
from assize.base.signature import sign
from assize.base.version import __version__
from assize.criteria._clusters import Clusters
from assize.criteria._criterion import CriteriaSet
from assize.criteria._evaluations import Evaluations
from assize.criteria._selecting import Selecting
from assize.criteria._selection.pool import Mask
from assize.criteria._study.halves import Scored, Trial, halved, trial
from assize.criteria._study.resampling import Drawn, drawn, resampled
from assize.criteria._study.studied import ClassCounts, CriteriaStudy, StudyDifference, StudyRow
from assize.formats.labels import Labels
from assize.stats._arrays import FloatArray


@dataclass(frozen=True, eq=False)
class Method:
    """A way to come by criteria: what it made, and what was said by each.

    Args:
        name: as tables show it.
        criteria: a pool, or a set.
        said: the evaluations of conversations by these.
    """

    name: str
    criteria: CriteriaSet
    said: Evaluations


@dataclass(frozen=True, slots=True)
class Comparing:
    """How methods are compared.

    Args:
        how: criteria are chosen; its policy and seed are set by the study.
        policies: names, the first being that which methods are compared by.
        splits: halves that are drawn; figures are means over them.
        resamples: of test conversations, for intervals.
        seed: of splits, policies and resamples.
    """

    how: Selecting
    policies: Sequence[str] = ("rubicon",)
    splits: int = 1
    resamples: int = 1_000
    seed: int = 0


def compare(
    methods: Sequence[Method],
    labels: Labels,
    asked: Comparing,
    *,
    clusters: Clusters | None = None,
    tick: Callable[[int], Any] = lambda _: None,
) -> CriteriaStudy:
    """Chooses from every pool by every policy on one half, and measures on the other.

    Args:
        clusters: conversations that stay together in halves, folds and resamples.
        tick: told of each selection that is done.

    Raises:
        DataError: too few conversations are labelled and scored by all methods, or a method's
            scores tell nothing apart.
    """
    told: list[str] = [f"{one.name}: {note}" for one in methods for note in one.said.notes]
    items, scored = _common(methods, labels, clusters, told)
    good, together = scored[0].good, scored[0].clusters
    trains = [
        halved(good, np.random.default_rng([asked.seed, at]), together)
        for at in range(asked.splits)
    ]
    weights = resampled(
        good, trains, asked.resamples, np.random.default_rng([asked.seed, 7]), together
    )
    trials: dict[tuple[str, str], list[Trial]] = {}
    figures: dict[tuple[str, str], Drawn] = {}
    for one in scored:
        for policy in asked.policies:
            key = (one.name, policy)
            trials[key] = []
            for at, train in enumerate(trains):
                settings = replace(asked.how.settings, seed=asked.seed + at)
                how = replace(asked.how, policy=policy, settings=settings)
                trials[key].append(trial(one, train, how))
                tick(1)
            figures[key] = drawn([each.tested for each in trials[key]], trains, weights)
    told += dict.fromkeys(note for some in trials.values() for one in some for note in one.told)
    by_name = {method.name: method for method in methods}
    names = _names([method.name for method in methods], asked.policies)
    return CriteriaStudy(
        rows=[
            _row(name, by_name[key[0]], key[1], trials[key], figures[key])
            for key, name in names.items()
        ],
        differences=[
            StudyDifference(
                name=name,
                method=key[0],
                policy=key[1],
                less=less,
                **figures[key].less(figures[other]),
            )
            for key, name in names.items()
            for less, other in _others(key, methods[0].name, asked.policies[0])
        ],
        splits=asked.splits,
        resamples=asked.resamples,
        train=_counts(good, trains[0]),
        test=_counts(good, ~trains[0]),
        policies=list(asked.policies),
        precision=asked.how.wanted.precision,
        labels=labels,
        notes=[*labels.notes, *told],
        signature=_signature(scored, items, asked, clusters),
        settings=_settings(scored, items, asked, clusters),
    )


def _common(
    methods: Sequence[Method], labels: Labels, clusters: Clusters | None, told: list[str]
) -> tuple[list[str], list[Scored]]:
    """The labelled conversations that every method scored, and what it says of them."""
    shared = set.intersection(*(set(one.said.items) for one in methods))
    items = [one for one in methods[0].said.items if one in shared and one in labels.good]
    lacking = len(labels) - len(items)
    if not items:
        raise DataError(
            f"none of the {len(labels):,} labelled conversations is scored by every method"
            f" ({', '.join(one.name for one in methods)}); score the same conversations by all"
        )
    if lacking:
        every = "every method" if len(methods) > 1 else methods[0].name
        told.append(
            f"{lacking:,} labelled conversations are not scored by {every}, and left out of all"
        )
    good = np.array([labels.good[one] for one in items], dtype=bool)
    together = None if clusters is None else clusters.labels(items)
    if clusters is not None:
        told.append(clusters.line(items))
    scored = []
    for one in methods:
        values: FloatArray = one.said.of(items, one.criteria.criteria)
        sat = np.array([each.sat for each in one.criteria.criteria], dtype=bool)
        scored.append(Scored(one.name, values, sat, good, together))
    return items, scored


def _names(methods: Sequence[str], policies: Sequence[str]) -> dict[tuple[str, str], str]:
    """Return the name of each row: what tells it from others."""
    names = {}
    for method in methods:
        for policy in policies:
            both = f"{method}, {policy}" if len(methods) > 1 else policy
            names[method, policy] = both if len(policies) > 1 else method
    return names


def _others(key: tuple[str, str], first: str, base: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield what a method with a policy is compared with: the first method, the first policy."""
    method, policy = key
    if method != first:
        yield first, (first, policy)
    if policy != base:
        yield base, (method, base)


def _row(
    name: str, method: Method, policy: str, trials: Sequence[Trial], figures: Drawn
) -> StudyRow:
    ids = [criterion.id for criterion in method.criteria.criteria]
    chosen = [[ids[place] for place in one.chosen] for one in trials]
    return StudyRow(
        name=name,
        method=method.name,
        policy=policy,
        **figures.figures(),
        size=sum(map(len, chosen)) / len(chosen),
        pool=len(ids),
        n=figures.n,
        unscored=sum(one.tested.unscored for one in trials),
        chosen=chosen,
        weights=[one.weight for one in trials],
        tests=[one.tested for one in trials],
    )


def _counts(good: Mask, where: Mask) -> ClassCounts:
    return ClassCounts(int(good[where].sum()), int((~good[where]).sum()))


def _signature(
    scored: Sequence[Scored], items: Sequence[str], asked: Comparing, clusters: Clusters | None
) -> str:
    of: dict[str, Any] = {
        "methods": [
            [one.name, np.nan_to_num(one.values, nan=-1).tolist(), one.sat.tolist()]
            for one in scored
        ],
        "good": scored[0].good.tolist(),
        "settings": repr(asked),
        "version": __version__,
    }
    if clusters is not None:
        of["clusters"] = clusters.labels(items).tolist()
    return sign(of)


def _settings(
    scored: Sequence[Scored], items: Sequence[str], asked: Comparing, clusters: Clusters | None
) -> dict[str, object]:
    budget = asked.how.settings.budget
    return {
        "methods": len(scored),
        "policies": "+".join(asked.policies),
        "budget": f"{budget.sat}+{budget.dsat}",
        "n": len(items),
        "clusters": None if clusters is None else clusters.field,
        "splits": asked.splits,
        "resamples": asked.resamples,
        "seed": asked.seed,
    }
