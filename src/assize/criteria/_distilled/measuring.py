"""How much is lost when an evaluator scores in a model's place, on conversations held out.

Letters: N conversations, M criteria. Every number of the evaluator here is of conversations
that it has not learnt from; a line, a threshold and a window that a fold is measured with come
from the other folds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from assize.criteria._criterion import NETSAT, CriteriaSet, Criterion, Labelling
from assize.criteria._distilled.heads import Line, line_of
from assize.criteria._selecting import labelling_of
from assize.criteria._selection.held_out import by_other_folds
from assize.criteria._selection.objective import separation, threshold
from assize.criteria._selection.pool import Mask
from assize.criteria._selection.probability import logistic
from assize.criteria._selection.window import Wanted, window
from assize.results import Column, Estimate, Hidden, Share
from assize.stats import Interval, pearson, share, spearman
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._differences import difference
from assize.stats._intervals import bootstrap_of

_NAN = float("nan")
Points = Annotated[Estimate, Column(kind="percent", digits=1, ends="below", coarse=0)]
_RESAMPLED = Interval("percentile", resamples=400)


@dataclass(frozen=True, eq=False)
class Given:
    """What was taught, and what the evaluator said of conversations that it had not seen.

    Args:
        items: ids (N,).
        values: (N, M) the evaluations that it learnt from, 0 to 10; NaN where there is none.
        raw: (N, M) raw numbers by folds; NaN where the text cannot be scored.
        fold: (N,) the fold of each conversation.
        good: (N,) 1 good, 0 bad, NaN without a label.
        clusters: (N,) which belong together; None where each stands alone.
    """

    items: Sequence[str]
    values: FloatArray
    raw: FloatArray
    fold: IntArray
    good: FloatArray
    clusters: NDArray[Any] | None = None


@dataclass(frozen=True, slots=True)
class Reproduced:
    """How well one criterion, or NetSAT, is reproduced.

    Args:
        id: `NetSAT`, or the criterion's.
        polarity: `sat` or `dsat`; None for NetSAT.
        pearson, spearman: with the evaluations that were learnt from.
        spread: standard deviation of the evaluator's scores as a share of that of the
            evaluations: expected values vary less than what they predict. NaN for none.
    """

    id: Hidden[str]
    criterion: Annotated[str, Column(cut=True)]
    polarity: Hidden[str | None]
    pearson: Annotated[Estimate, Column("Pearson", digits=2)]
    spearman: Annotated[Estimate, Column("Spearman", digits=2)]
    spread: Annotated[float, Column(kind="percent", digits=0, unit="%")]
    n: Hidden[int]
    unscored: int


@dataclass(frozen=True, slots=True)
class Labelled:
    """What NetSAT makes of labelled conversations, thresholds and windows from other folds.

    Args:
        netsat_by: whose NetSAT: the evaluations', the evaluator's, or the difference of both.
        separation: NetSAT of good less that of bad conversations; None of a difference, for
            the two are not on one scale.
        accuracy: share whose label the threshold gives rightly.
        labelled: share that the window labels.
        precision: share of these labels that are right; None of a difference.
    """

    netsat_by: Annotated[str, Column("NetSAT by")]
    n: int
    unscored: int
    separation: Annotated[Estimate | None, Column("good less bad", digits=1)]
    accuracy: Points
    labelled: Points
    precision: Annotated[Estimate | None, Column(kind="percent", digits=1, ends="below", coarse=0)]


@dataclass(frozen=True, slots=True)
class Lost:
    """The labels by the evaluations, those by the evaluator, and the latter less the former.

    Args:
        alike: share of the conversations that both label, which both label the same.
    """

    taught: Labelled
    local: Labelled
    difference: Labelled
    alike: Share


def lines_of(given: Given, criteria: Sequence[Criterion]) -> list[Line]:
    """The line of each criterion, on all conversations."""
    return [
        line_of(given.raw[:, at], given.values[:, at], sat=one.sat)
        for at, one in enumerate(criteria)
    ]


def held_evaluations(given: Given, criteria: Sequence[Criterion]) -> FloatArray:
    """The evaluator's evaluations (N, M) of each fold, by lines of the other folds."""
    found = np.full(given.raw.shape, _NAN)
    readable = np.asarray((~np.isnan(given.raw)).any(axis=1))
    for fold in np.unique(given.fold):
        held = given.fold == fold
        for at, one in enumerate(criteria):
            line = line_of(given.raw[~held, at], given.values[~held, at], sat=one.sat)
            raw = np.where(np.isnan(given.raw[held, at]) & readable[held], 0, given.raw[held, at])
            found[held, at] = line(raw) + np.where(readable[held], 0, _NAN)
    return found


def nets_of(values: FloatArray, criteria: Sequence[Criterion]) -> FloatArray:
    """NetSAT (N,) of evaluations (N, M); NaN where one is missing."""
    signs = np.array([1.0 if one.sat else -1.0 for one in criteria])
    found: FloatArray = values @ signs
    return found


def reproduced(given: Given, held: FloatArray, criteria: Sequence[Criterion]) -> list[Reproduced]:
    """Return how well each criterion is reproduced, and NetSAT last."""
    rows = [
        _beside(
            (criterion.id, criterion.text, criterion.polarity),
            held[:, column],
            given.values[:, column],
            given.clusters,
        )
        for column, criterion in enumerate(criteria)
    ]
    nets = nets_of(held, criteria), nets_of(given.values, criteria)
    return [*rows, _beside((NETSAT, NETSAT, None), *nets, given.clusters)]


def _beside(
    name: tuple[str, str, str | None],
    ours: FloatArray,
    theirs: FloatArray,
    clusters: NDArray[Any] | None,
) -> Reproduced:
    both = ~np.isnan(ours) & ~np.isnan(theirs)
    spread = float(theirs[both].std()) if both.any() else 0.0
    return Reproduced(
        *name,
        pearson(ours, theirs, clusters=clusters),
        spearman(ours, theirs, clusters=clusters),
        float(ours[both].std()) / spread if spread > 0 else _NAN,
        int(both.sum()),
        int((~both).sum()),
    )


def learnt_labelling(
    nets: FloatArray,
    good: FloatArray,
    given: CriteriaSet,
    wanted: Wanted,
) -> Labelling:
    """Threshold, window and probability for the evaluator's NetSAT (N,), which was held out."""
    kept = ~np.isnan(nets) & ~np.isnan(good)
    seen, labels = nets[kept], good[kept] == 1
    middle = float(threshold(seen[None], labels)[0])
    found = window(seen, labels, middle, wanted)
    return labelling_of(
        found, logistic(seen, labels, wanted.prevalence), middle, labels, given.wording
    )


def lost(
    given: Given,
    nets: FloatArray,
    taught: FloatArray,
    wanted: Wanted,
    rng: np.random.Generator,
) -> Lost:
    """Labels by the evaluator's NetSAT (N,) beside those by what it was taught (N,)."""
    kept = ~np.isnan(given.good)
    good, fold = given.good[kept] == 1, given.fold[kept]
    clusters = None if given.clusters is None else given.clusters[kept]
    sides = [_side(one[kept], good, fold, wanted) for one in (taught, nets)]
    seed = int(rng.integers(2**32))  # both sides on the same resamples
    figures = [
        side.figures(name, good, clusters, seed)
        for name, side in zip(("evaluations", "evaluator"), sides, strict=True)
    ]
    theirs, ours = sides
    both = theirs.labelled & ours.labelled
    same = np.where(both, (theirs.correct == ours.correct).astype(float), _NAN)
    less = Labelled(
        "difference",
        figures[1].n,
        figures[1].unscored,
        None,
        difference(ours.right, theirs.right, paired=True, clusters=clusters),
        difference(
            ours.labelled.astype(float),
            theirs.labelled.astype(float),
            paired=True,
            clusters=clusters,
        ),
        None,
    )
    return Lost(figures[0], figures[1], less, share(same, clusters=clusters))


@dataclass(frozen=True, eq=False)
class _Side:
    """One NetSAT (N,): whether the threshold is right (NaN for none), and what is labelled."""

    nets: FloatArray
    right: FloatArray
    labelled: Mask
    correct: Mask

    def figures(self, name: str, good: Mask, clusters: NDArray[Any] | None, seed: int) -> Labelled:
        told = np.where(self.labelled, self.correct.astype(float), _NAN)
        known = ~np.isnan(self.right)
        return Labelled(
            name,
            int(known.sum()),
            int((~known).sum()),
            bootstrap_of(
                _apart,
                (self.nets, good),
                clusters=clusters,
                interval=replace(_RESAMPLED, seed=seed),
                name="separation",
            ),
            share(self.right, clusters=clusters),
            share(self.labelled.astype(float), clusters=clusters),
            share(told, clusters=clusters),
        )


def _side(nets: FloatArray, good: Mask, fold: IntArray, wanted: Wanted) -> _Side:
    count = int(fold.max()) + 1
    known = ~np.isnan(nets)
    middles = np.full(count, _NAN)
    right = np.full(len(nets), _NAN)
    for one in range(count):
        rest, held = known & (fold != one), known & (fold == one)
        middles[one] = threshold(nets[rest][None], good[rest])[0]
        right[held] = (nets[held] > middles[one]) == good[held]
    labelled, correct = by_other_folds(nets, good, fold, middles, wanted)
    return _Side(nets, right, labelled, correct)


def _apart(nets: FloatArray, good: Mask) -> float:
    known = ~np.isnan(nets)
    if not (good & known).any() or not (~good & known).any():
        return _NAN
    return float(separation(nets[known][None], good[known])[0])
