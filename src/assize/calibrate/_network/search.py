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

from assize.base.errors import ConfigError, DataError
from assize.base.torch_extra import one_thread
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import NO_ANSWER, Forms, IntArray
from assize.calibrate._network.answer_embeddings import Embeddings
from assize.calibrate._network.grids import Grid
from assize.calibrate._network.training import (
    BatchedTraining,
    Job,
    Setting,
    batches_of_jobs,
    check_weights,
)

MARGIN = 0.02  # nats by which a path must be out of reach to be left


@dataclass(frozen=True, slots=True, eq=False)
class SearchResult:
    """What a search measured."""

    settings: tuple[Setting, ...]  # (S,) all of the grid
    # (S, F) mean held-out log-likelihood of the target, by fold; the mean over the seeds
    log_likelihood: FloatArray
    rows: FloatArray  # (F,) held-out answers by fold; their weights' sum where they are weighted
    # share of (setting, fold, seed) that early stopping decided without training
    stopped: float = 0.0

    @property
    def best(self) -> Setting:
        """The setting with the highest log-likelihood over all held-out answers; the first
        of several alike."""
        return self.settings[int(np.argmax(self.log_likelihood @ (self.rows / self.rows.sum())))]

    def log_likelihood_of(self, setting: Setting) -> float:
        """Mean over all held-out answers."""
        by_fold = self.log_likelihood[self.settings.index(setting)]
        return float(by_fold @ (self.rows / self.rows.sum()))


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
    for several splits."""

    rows: IntArray
    tests: tuple[IntArray, ...]
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """What networks of every setting reach on what is held out of each trial."""

    settings: tuple[Setting, ...]  # (S,)
    values: FloatArray  # (S, trials T, tests) mean log-likelihood, or minus the squared error
    stopped: float = 0.0  # share that early stopping decided without training


def search(
    forms: Forms,
    grid: Grid,
    folds: IntArray,
    seeds: Sequence[int],
    *,
    patience: int | None = None,
    tick: Tick | None = None,
    embeddings: Embeddings = (),
) -> SearchResult:
    """Held-out log-likelihood of every setting of a grid, over raters who are no helpers.

    Fold -1 is trained on by none. For `patience` see `measure`. With a mean head it is minus the
    squared error.
    """
    names = np.unique(folds[folds >= 0])
    if len(names) < 2:
        raise ConfigError("a search needs at least two folds")
    held = [_held(forms, folds == name) for name in names]
    trials = [
        Trial(np.flatnonzero((folds >= 0) & (folds != name)), (test,), seed)
        for seed in seeds
        for name, test in zip(names, held, strict=True)
    ]
    found = measure(forms, grid, trials, patience=patience, tick=tick, embeddings=embeddings)
    each = found.values.reshape(len(found.settings), len(seeds), len(names)).mean(axis=1)
    rows = np.array([counts_of(forms, test) for test in held])
    return SearchResult(found.settings, each, rows, found.stopped)


def counts_of(forms: Forms, rows: IntArray) -> float:
    """How much some forms count together."""
    return float(len(rows) if forms.weight is None else forms.weight[rows].sum())


def measure(
    forms: Forms,
    grid: Grid,
    trials: Sequence[Trial],
    *,
    patience: int | None = None,
    tick: Tick | None = None,
    embeddings: Embeddings = (),
) -> Measured:
    """Trains every setting of a grid in every trial, and looks at what is held out.

    `patience` leaves a path of fine-tuning once it fell at this many looks in a row, or where at
    twice its present pace it would still end MARGIN short of the best that its trial has seen;
    longer settings count as where it stopped. None trains everything.
    """
    check_weights(forms)
    width = max(len(trial.tests) for trial in trials)
    found: dict[Setting, FloatArray] = {}
    best: dict[int, float] = {}  # of each trial's tests, by place of the trial
    trained = 0
    for size in grid.sizes():
        jobs = {
            Job(replace(size, rate=rate), trial.rows, trial.seed): place
            for rate in grid.rate
            for place, trial in enumerate(trials)
        }
        with one_thread():
            for chosen in batches_of_jobs(forms, list(jobs), embeddings):
                batch = BatchedTraining(forms, chosen, embeddings)
                tried = {id(job): trials[jobs[job]] for job in chosen}
                seen = {id(job): jobs[job] for job in chosen}
                for job, epochs, values, new in _train_paths(
                    batch, tried, seen, grid, patience, best
                ):
                    trained += new
                    setting = replace(job.setting, pretrain=epochs[0], finetune=epochs[1])
                    each = found.setdefault(setting, np.full((len(trials), width), np.nan))
                    each[jobs[job], : len(values)] = values
        if tick is not None:
            tick(len(grid.rate) * len(grid.pretrain) * len(grid.finetune))
    values = np.stack(list(found.values()))
    return Measured(tuple(found), values, 1 - trained / (len(found) * len(trials)))


def _train_paths(
    batch: BatchedTraining,
    trials: Mapping[int, Trial],
    place: Mapping[int, int],
    grid: Grid,
    patience: int | None,
    best: dict[int, float],
) -> Iterator[tuple[Job, tuple[int, int], FloatArray, bool]]:
    """All numbers of epochs along the paths of some networks: what each network reaches, and
    whether it was trained for it or had stopped before."""
    done = 0
    for pretrain in sorted(grid.pretrain):
        batch.pretrain(pretrain - done)
        done = pretrain
        branch, tuned = batch.copy(), 0
        path: dict[int, list[FloatArray]] = {id(job): [] for job in batch.jobs}
        for finetune in sorted(grid.finetune):
            going = {id(job) for job in branch.jobs}
            if going:
                branch.finetune(finetune - tuned)
                tuned = finetune
                for job, values in zip(branch.jobs, _looked_at(branch, trials), strict=True):
                    path[id(job)].append(values)
            for job in batch.jobs:
                yield job, (pretrain, finetune), path[id(job)][-1], id(job) in going
            if patience is None or not going:
                continue
            means = {id(job): [float(one.mean()) for one in path[id(job)]] for job in branch.jobs}
            for which, reached in means.items():
                best[place[which]] = max(best.get(place[which], -np.inf), reached[-1])
            looks = sorted(grid.finetune)[: len(path[id(branch.jobs[0])])]
            branch.keep(
                [
                    n
                    for n, job in enumerate(means)
                    if not _falls(means[job], patience)
                    and _reachable(means[job], looks, max(grid.finetune))
                    > best[place[job]] - MARGIN
                ]
            )


def _looked_at(batch: BatchedTraining, trials: Mapping[int, Trial]) -> list[FloatArray]:
    """What each network reaches on each of its trial's tests."""
    tests = [trials[id(job)].tests for job in batch.jobs]
    each = [batch.held_out([one[n] for one in tests]) for n in range(len(tests[0]))]
    return [np.array(values) for values in zip(*each, strict=True)]


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
