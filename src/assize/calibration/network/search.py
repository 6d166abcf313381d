"""The search over hyperparameters of the published network, as one batched program.

Settings that differ in their numbers of epochs lie on one path: a network is pre-trained
once, and from each number of pre-training epochs asked for a copy is fine-tuned once,
looked at after each number of fine-tuning epochs asked for. Rates, folds and seeds are
trained beside each other. So a grid costs its longest paths and nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import NO_ANSWER, Forms, IntArray
from assize.calibration.network.answer_embeddings import Embeddings
from assize.calibration.network.training import (
    BatchedTraining,
    Job,
    Setting,
    batches_of_jobs,
    check_weights,
    one_thread,
)
from assize.errors import ConfigError, DataError

MARGIN = 0.02  # nats by which a path must be out of reach to be left


@dataclass(frozen=True, slots=True)
class Grid:
    """Every combination of these is a setting; the rest is taken from `base`.

    `initial` is that of `base` alone where it is ().
    """

    hidden1: tuple[int, ...] = (25,)
    hidden2: tuple[int, ...] = (25,)
    batch: tuple[int, ...] = (64,)
    rate: tuple[float, ...] = (0.001, 0.005)
    pretrain: tuple[int, ...] = (5, 10, 20, 30)
    finetune: tuple[int, ...] = (5, 10, 20, 30, 40, 50)
    base: Setting = field(default_factory=Setting)
    initial: tuple[float, ...] = ()

    def __len__(self) -> int:
        axes = (self.hidden1, self.hidden2, self.batch, self.rate, self.pretrain, self.finetune)
        return int(np.prod([len(axis) for axis in (*axes, self.starts)]))

    @property
    def starts(self) -> tuple[float, ...]:
        """Deviations of the first weights."""
        return self.initial or (self.base.initial,)

    def sizes(self) -> Iterator[Setting]:
        """One setting of each size, batch size and start; the axes inside it lie on its paths."""
        axes = (self.hidden1, self.hidden2, self.batch, self.starts)
        for hidden1, hidden2, batch, initial in product(*axes):
            yield replace(self.base, hidden1=hidden1, hidden2=hidden2, batch=batch, initial=initial)


SMALL = Grid()
"""48 settings around the published choice (25, 25, batches of 64, rate 0.001, 20 + 30)."""

PUBLISHED = Grid(
    hidden1=(10, 25, 50, 100),
    hidden2=(10, 25, 50, 100),
    batch=(32, 64, 128, 256),
    rate=(0.0001, 0.001, 0.005, 0.01),
    pretrain=(5, 10, 20, 30, 40, 50, 100),
    finetune=(5, 10, 20, 30, 40, 50, 100, 200, 300),
)
"""As many settings as the paper searched, 16,128; the axes as we understand its appendix."""

STARTS = (1.0, 0.3, 0.1)
"""Of `Grid.initial`, where answers have vectors: many answers want a smaller start (design/13)."""

GRIDS = {"small": SMALL, "published": PUBLISHED}


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

    Fold -1 is trained on by none. `patience` leaves a path of fine-tuning once it fell at this many
    looks in a row, or where at twice its present pace it would still end MARGIN short of the best
    that its fold has seen; longer settings count as where it stopped. None trains everything.
    """
    names = np.unique(folds[folds >= 0])
    if len(names) < 2:
        raise ConfigError("a search needs at least two folds")
    check_weights(forms)
    held = {int(name): _held(forms, folds == name) for name in names}
    found: dict[Setting, FloatArray] = {}
    seen: dict[int, float] = {}  # the best of each fold, by the identity of its test rows
    trained = 0
    for size in grid.sizes():
        jobs = {
            Job(replace(size, rate=rate), np.flatnonzero((folds >= 0) & (folds != name)), seed):
            int(name)
            for rate, name, seed in product(grid.rate, names, seeds)
        }  # fmt: skip
        with one_thread():
            for chosen in batches_of_jobs(forms, list(jobs), embeddings):
                tests = [held[jobs[job]] for job in chosen]
                walked = _train_paths(
                    BatchedTraining(forms, chosen, embeddings), chosen, tests, grid, patience, seen
                )
                for job, epochs, value, new in walked:
                    trained += new
                    setting = replace(job.setting, pretrain=epochs[0], finetune=epochs[1])
                    total = found.setdefault(setting, np.zeros(len(names)))
                    total[int(np.searchsorted(names, jobs[job]))] += value / len(seeds)
        if tick is not None:
            tick(len(grid.rate) * len(grid.pretrain) * len(grid.finetune))
    counts = np.ones(len(forms)) if forms.weight is None else forms.weight
    rows = np.array([counts[held[int(name)]].sum() for name in names])
    values = np.stack(list(found.values()))
    return SearchResult(tuple(found), values, rows, 1 - trained / (values.size * len(seeds)))


def _train_paths(
    batch: BatchedTraining,
    jobs: Sequence[Job],
    tests: Sequence[IntArray],
    grid: Grid,
    patience: int | None,
    seen: dict[int, float],
) -> Iterator[tuple[Job, tuple[int, int], float, bool]]:
    """All numbers of epochs along the paths of some networks: what each network reaches, and
    whether it was trained for it or had stopped before."""
    test_of = {id(job): test for job, test in zip(jobs, tests, strict=True)}
    done = 0
    for pretrain in sorted(grid.pretrain):
        batch.pretrain(pretrain - done)
        done = pretrain
        branch, tuned = batch.copy(), 0
        path: dict[int, list[float]] = {id(job): [] for job in batch.jobs}
        for finetune in sorted(grid.finetune):
            going = {id(job) for job in branch.jobs}
            if going:
                branch.finetune(finetune - tuned)
                tuned = finetune
                for job, value in zip(
                    branch.jobs,
                    branch.held_out_likelihood([test_of[id(job)] for job in branch.jobs]),
                    strict=True,
                ):
                    path[id(job)].append(value)
            for job in batch.jobs:
                yield job, (pretrain, finetune), path[id(job)][-1], id(job) in going
            if patience is None or not going:
                continue
            for job in branch.jobs:
                fold = id(test_of[id(job)])
                seen[fold] = max(seen.get(fold, -np.inf), path[id(job)][-1])
            looks = sorted(grid.finetune)[: len(path[id(branch.jobs[0])])]
            kept = [
                place
                for place, job in enumerate(branch.jobs)
                if not _falls(path[id(job)], patience)
                and _reachable(path[id(job)], looks, max(grid.finetune))
                > seen[id(test_of[id(job)])] - MARGIN
            ]
            branch.keep(kept)


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
