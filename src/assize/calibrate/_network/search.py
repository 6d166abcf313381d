"""The search over hyperparameters of the published network, as one batched program.

Settings that differ in their numbers of epochs lie on one path: a network is pre-trained
once, and from each number of pre-training epochs asked for a copy is fine-tuned once,
looked at after each number of fine-tuning epochs asked for. Rates, folds and seeds are
trained beside each other. So a grid costs its longest paths and nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.torch_extra import one_thread
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import NO_ANSWER, Forms, IntArray
from assize.calibrate._network.answer_embeddings import NONE, Embeddings
from assize.calibrate._network.grids import Grid
from assize.calibrate._network.training import (
    BatchedTraining,
    Job,
    Setting,
    batches_of_jobs,
)

MARGIN = 0.02  # nats by which a path must be out of reach to be left


Tick = Callable[[int], None]


def _held(forms: Forms, fold: NDArray[np.bool_]) -> IntArray:
    """Forms of a fold that answer the target and are not by helpers."""
    found = np.flatnonzero(fold & (forms.y != NO_ANSWER) & ~forms.by_helper)
    if len(found) == 0:
        raise DataError(
            f"a fold holds no answer to {forms.target.id!r} by a rater who is to be predicted;"
            " take fewer folds"
        )
    return found


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One training set with its seed, and what is held out of it: several sets where it stands
    for several splits, as many in every trial."""

    rows: IntArray
    tests: tuple[IntArray, ...]
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """What networks of every setting reach on what is held out of each trial."""

    settings: tuple[Setting, ...]  # (S,) all of the grid
    values: FloatArray  # (S, trials T, tests) mean log-likelihood, or minus the squared error
    counts: FloatArray  # (T, tests) held-out answers, or the sum of their weights
    stopped: float = 0.0  # share that early stopping decided without training

    def totals(self, part: FloatArray | float = 1.0) -> FloatArray:
        """(S,) sums over all held-out answers, or those of the tests (T, tests) in `part`."""
        return np.asarray((self.values * (self.counts * part)).sum(axis=(1, 2)))

    def best(self, part: FloatArray | float = 1.0) -> Setting:
        """The setting with the highest of these; the first of several alike."""
        return self.settings[int(np.argmax(self.totals(part)))]


def search(
    forms: Forms,
    grid: Grid,
    folds: IntArray,
    seed: int,
    *,
    patience: int | None = None,
    tick: Tick | None = None,
    embeddings: Embeddings = NONE,
) -> SearchResult:
    """Held-out log-likelihood of every setting of a grid, over raters who are no helpers.

    Fold -1 is trained on by none. For `patience` see `measure`. With a mean head it is minus the
    squared error.
    """
    names = np.unique(folds[folds >= 0])
    held = [_held(forms, folds == name) for name in names]
    trials = [
        Trial(np.flatnonzero((folds >= 0) & (folds != name)), (test,), seed)
        for name, test in zip(names, held, strict=True)
    ]
    return measure(forms, grid, trials, patience=patience, tick=tick, embeddings=embeddings)


def measure(
    forms: Forms,
    grid: Grid,
    trials: Sequence[Trial],
    *,
    patience: int | None = None,
    tick: Tick | None = None,
    embeddings: Embeddings = NONE,
) -> SearchResult:
    """Trains every setting of a grid in every trial, and looks at what is held out.

    `patience` leaves a path of fine-tuning once it fell at this many looks in a row, or where at
    twice its present pace it would still end MARGIN short of the best that its trial has seen;
    longer settings count as where it stopped. None trains everything.
    """
    found: dict[Setting, FloatArray] = {}
    best = np.full(len(trials), -np.inf)  # what any network of each trial has reached
    trained = 0
    for size in grid.sizes():
        place = {
            Job(replace(size, rate=rate), trial.rows, trial.seed): number
            for rate in grid.rate
            for number, trial in enumerate(trials)
        }
        with one_thread():
            for chosen in batches_of_jobs(forms, list(place), embeddings):
                batch = BatchedTraining(forms, chosen, embeddings)
                paths = _train_paths(batch, trials, place, grid, patience, best)
                for job, epochs, values, new in paths:
                    trained += new
                    setting = replace(job.setting, pretrain=epochs[0], finetune=epochs[1])
                    each = found.setdefault(setting, np.empty((len(trials), len(values))))
                    each[place[job]] = values
        if tick is not None:
            tick(len(grid.rate) * len(grid.pretrain) * len(grid.finetune))
    weight = np.ones(len(forms)) if forms.weight is None else forms.weight
    counts = np.array([[weight[test].sum() for test in trial.tests] for trial in trials])
    stopped = 1 - trained / (len(found) * len(trials))
    return SearchResult(tuple(found), np.stack(list(found.values())), counts, stopped)


def _train_paths(
    batch: BatchedTraining,
    trials: Sequence[Trial],
    place: Mapping[Job, int],
    grid: Grid,
    patience: int | None,
    best: FloatArray,
) -> Iterator[tuple[Job, tuple[int, int], FloatArray, bool]]:
    """All numbers of epochs along the paths of some networks: what each network reaches, and
    whether it was trained for it or had stopped before."""
    done = 0
    for pretrain in sorted(grid.pretrain):
        batch.pretrain(pretrain - done)
        done = pretrain
        branch, tuned = batch.copy(), 0
        path: dict[Job, list[FloatArray]] = {job: [] for job in batch.jobs}
        for finetune in sorted(grid.finetune):
            going = set(branch.jobs)
            if going:
                branch.finetune(finetune - tuned)
                tuned = finetune
                tests = zip(*(trials[place[job]].tests for job in branch.jobs), strict=True)
                reached = np.array([branch.held_out(some) for some in tests])
                for job, values in zip(branch.jobs, reached.T, strict=True):
                    path[job].append(values)
            for job in batch.jobs:
                yield job, (pretrain, finetune), path[job][-1], job in going
            if patience is None or not going:
                continue
            means = {job: [float(values.mean()) for values in path[job]] for job in branch.jobs}
            for job, looked in means.items():
                best[place[job]] = max(best[place[job]], looked[-1])
            looks = sorted(grid.finetune)[: len(path[branch.jobs[0]])]
            branch.keep(
                [
                    n
                    for n, (job, looked) in enumerate(means.items())
                    if not _falls(looked, patience)
                    and _reachable(looked, looks, max(grid.finetune)) > best[place[job]] - MARGIN
                ]
            )


def _falls(values: Sequence[float], patience: int) -> bool:
    """Whether the last `patience` steps all went down."""
    last = values[-patience - 1 :]
    return len(last) > patience and all(a > b for a, b in pairwise(last))


def _reachable(values: Sequence[float], looks: Sequence[int], end: int) -> float:
    """Where a path ends that keeps twice its present pace; infinity before two looks."""
    if len(values) < 2:
        return float("inf")
    pace = (values[-1] - values[-2]) / (looks[-1] - looks[-2])
    return values[-1] + 2 * max(pace, 0) * (end - looks[-1])
