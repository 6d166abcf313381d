"""Training many networks in one program: Adam on stacked parameters, two phases.

First all questions are learnt together (pre-training), then the target alone
(fine-tuning). Networks of one size and batch size run as one stack; each has its own
training rows, seed and learning rate. A path through the epochs can be looked at on the
way, which is what the search over numbers of epochs costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from assize.calibration.forms import NO_ANSWER, UNKNOWN, Forms, IntArray
from assize.calibration.network import (
    Shape,
    Weights,
    backward,
    forward,
    initial,
    probabilities,
)
from assize.calibration.slots import EMPTY, Stream, batch_slots, slots_of
from assize.errors import ConfigError, DataError, MissingExtra

if TYPE_CHECKING:
    from torch import Tensor

BYTES = 24e6  # of parameters and moments that a stack may have: what stays in the cache
BETAS, EPSILON = (0.9, 0.999), 1e-8
LEAST = 1e-12  # of a probability, before its logarithm


@dataclass(frozen=True, slots=True)
class Setting:
    """How one network is made and trained.

    Args:
        hidden1, hidden2: widths of the hidden layers.
        batch: rows a step, drawn with replacement.
        rate: Adam's learning rate.
        pretrain, finetune: epochs on all questions, then on the target; an epoch is as
            many steps as there are batches in the training rows.
        personal: whether first, second and last layer have weights of each rater's own.
        dropout: share of rows trained without their rater, so that the shared weights
            alone predict raters who are not known.
        initial: standard deviation of the weights at the start.
        decay: pull of the raters' own weights towards 0 (L2, a step's share of the loss).
        wait: epochs of pre-training before the raters' own weights move; they start at 0.
        weights: (Q,) of the questions in pre-training; all alike when None.
        head: `distribution`, or `mean` for squared error on the target's value.
    """

    hidden1: int = 25
    hidden2: int = 25
    batch: int = 64
    rate: float = 0.001
    pretrain: int = 20
    finetune: int = 30
    personal: tuple[bool, bool, bool] = (True, True, True)
    dropout: float = 0.0
    initial: float = 1.0
    decay: float = 0.0
    wait: int = 0
    weights: tuple[float, ...] | None = None
    head: Literal["distribution", "mean"] = "distribution"

    def __post_init__(self) -> None:
        sizes = (self.hidden1, self.hidden2, self.batch)
        if min(sizes) < 1 or self.rate <= 0 or min(self.pretrain, self.finetune, self.wait) < 0:
            raise ConfigError(f"sizes and rate must be positive, epochs at least 0: {self}")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be in [0, 1); received {self.dropout}")


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """One network to be trained: its setting, its training rows (n,), its seed."""

    setting: Setting
    rows: IntArray
    seed: int


def fill_of(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of each column (D,) over the rows that have it; 0 where none has."""
    known = ~np.isnan(x)
    total = np.where(known, x, 0).sum(axis=0)
    return np.asarray(total / np.maximum(known.sum(axis=0), 1))


class Stack:
    """Networks of one size that are trained together, with Adam's moments.

    Jobs with the same rows and seed see the same minibatches, whatever their rates.
    """

    def __init__(self, forms: Forms, jobs: Sequence[Job]) -> None:
        import torch

        self.jobs = sorted(jobs, key=lambda job: job.setting.rate)  # Adam goes rate by rate
        self.setting = self.jobs[0].setting
        raters = len(forms.raters) if any(self.setting.personal) else 0
        answers = tuple(len(scale) for scale in forms.scales)
        self.answers = (1,) if self.setting.head == "mean" else answers
        self.shape = shape_of(self.setting, forms)
        nobody = self.setting.dropout > 0 or raters == 0 or bool((forms.rater == UNKNOWN).any())
        self.groups = raters + nobody
        self.group = np.full(len(forms), UNKNOWN) if raters == 0 else forms.rater
        self.steps = 0
        self._set_streams(forms)
        generators = [torch.Generator().manual_seed(job.seed) for job in self.jobs]
        self.weights = initial(self.shape, generators, self.setting.initial)
        if self.setting.wait:
            for own in self.weights.own:
                if own is not None:
                    own.zero_()
        self.moments = self.weights.zeros()
        self.squares = self.weights.zeros()
        self.rest: Weights | None = None  # the other questions' heads, while one is fine-tuned
        self._set_rates()

    def _set_rates(self) -> None:
        rates = [job.setting.rate for job in self.jobs]
        ends = [place for place in range(1, len(rates)) if rates[place - 1] != rates[place]]
        self.same_rate = [slice(*pair) for pair in pairwise([0, *ends, len(rates)])]

    def _set_streams(self, forms: Forms) -> None:
        """Distinct training sets: their minibatches, and their inputs with the gaps filled."""
        import torch

        known: dict[tuple[bytes, int], int] = {}
        which = [known.setdefault((job.rows.tobytes(), job.seed), len(known)) for job in self.jobs]
        firsts = [self.jobs[which.index(place)] for place in range(len(known))]
        self.which = torch.tensor(which)
        self.streams = [
            Stream(job.rows, np.random.default_rng([job.seed, 0]), self.setting.dropout)
            for job in firsts
        ]
        self.fills = np.stack([fill_of(forms.x[job.rows]) for job in firsts])
        filled = np.where(np.isnan(forms.x), self.fills[:, None], forms.x)  # (S, N, D)
        filled = np.concatenate([np.ones_like(filled[..., :1]), filled], axis=-1)
        self.x = torch.tensor(filled, dtype=torch.float32)
        self.y = torch.tensor(forms.answers)
        self.values = torch.tensor(np.nan_to_num(forms.values)[:, None], dtype=torch.float32)
        rows = max(len(job.rows) for job in firsts)
        self.steps_an_epoch = max(1, rows // self.setting.batch)

    def copy(self) -> Stack:
        """The same networks, to be trained on without changing these."""
        other = copy(self)
        other.weights = self.weights.clone()
        other.moments = self.moments.clone()
        other.squares = self.squares.clone()
        other.streams = deepcopy(self.streams)
        return other

    def keep(self, places: Sequence[int]) -> None:
        """Goes on with some of the networks only; the minibatches stay what they are."""
        import torch

        models = torch.tensor(places, dtype=torch.int64)
        self.weights = self.weights.pick(models)
        self.moments, self.squares = self.moments.pick(models), self.squares.pick(models)
        self.which = self.which[models]
        self.jobs = [self.jobs[place] for place in places]
        self._set_rates()

    def pretrain(self, epochs: int) -> None:
        """Some epochs on all questions."""
        for _ in range(epochs * self.steps_an_epoch):
            self._step()

    def finetune(self, epochs: int) -> None:
        """Some epochs on the target alone; the other questions' heads stay as they are."""
        if self.rest is None and len(self.answers) > 1:
            width = self.shape.widest
            self.rest = self.weights.last(slice(width, None))
            self.answers = self.answers[:1]
            self.weights, self.moments, self.squares = (
                part.last(slice(0, width)) for part in (self.weights, self.moments, self.squares)
            )
        for _ in range(epochs * self.steps_an_epoch):
            self._step()

    def _step(self) -> None:
        import torch

        self.steps += 1
        drawn = batch_slots(self.streams, self.setting.batch, self.group, self.groups)
        places = torch.from_numpy(drawn)  # (S, G, C)
        valid = places != EMPTY
        rows = places.clamp(min=0)
        stream = torch.arange(len(self.streams)).view(-1, 1, 1)
        x = self.x[stream, rows] * valid.unsqueeze(-1)
        passed = forward(self.weights, x[self.which], self.groups)
        if self.setting.head == "mean":
            gradient = self._mean_gradient(passed.outputs, rows, valid)
        else:
            gradient = self._gradient(passed.outputs, rows, valid)
        self._adam(backward(self.weights, passed, gradient))

    def _mean_gradient(self, outputs: Tensor, rows: Tensor, valid: Tensor) -> Tensor:
        """Gradient of the mean squared error of each model's batch, by the outputs."""
        there = (valid & (self.y[rows][..., 0] != NO_ANSWER)).unsqueeze(-1)
        share = there / there.sum(dim=(1, 2, 3), keepdim=True).clamp(min=1)
        gap = outputs - self.values[rows][self.which]
        return 2 * gap * share[self.which]

    def _gradient(self, outputs: Tensor, rows: Tensor, valid: Tensor) -> Tensor:
        """Gradient of the mean log loss over the answers in each model's batch, by the outputs."""
        import torch

        y = self.y[rows][..., : len(self.answers)]  # (S, G, C, Q)
        weight = ((y != NO_ANSWER) & valid.unsqueeze(-1)).float()
        if self.setting.weights is not None and len(self.answers) > 1:
            weight *= torch.tensor(self.setting.weights)
        weight /= weight.sum(dim=(1, 2, 3), keepdim=True).clamp(min=1e-9)
        gradient = probabilities(outputs, self.answers)
        truth = torch.nn.functional.one_hot(y.clamp(min=0), gradient.shape[-1]).float()
        gradient -= truth[self.which]
        gradient *= weight.unsqueeze(-1)[self.which]
        return gradient.flatten(-2)

    def _adam(self, gradients: Weights) -> None:
        """One step of Adam (Kingma and Ba 2015); torch's fused one takes one rate a call."""
        import torch
        from torch.optim.adam import adam

        shared = len(gradients.shared)
        waiting = self.steps <= self.setting.wait * self.steps_an_epoch
        moving = slice(0, shared if waiting else None)
        parts, found = self.weights.tensors[moving], gradients.tensors[moving]
        moments, squares = self.moments.tensors[moving], self.squares.tensors[moving]
        if self.setting.decay:
            for place in range(shared, len(parts)):
                found[place] = found[place] + self.setting.decay * parts[place]
        done = [torch.tensor(float(self.steps - 1)) for _ in parts]
        for models in self.same_rate:
            adam(
                [part[models] for part in parts],
                [part[models].contiguous() for part in found],
                [part[models] for part in moments],
                [part[models] for part in squares],
                [],
                [one.clone() for one in done],
                fused=True,
                amsgrad=False,
                beta1=BETAS[0],
                beta2=BETAS[1],
                lr=self.jobs[models.start].setting.rate,
                weight_decay=0.0,
                eps=EPSILON,
                maximize=False,
            )

    def held_out(self, tests: Sequence[IntArray]) -> list[float]:
        """Mean log-likelihood of the target for each network on its test rows (n,)."""
        import torch

        width = max(len(test) for test in tests)
        rows = np.full((len(tests), width), EMPTY)
        for place, test in enumerate(tests):
            rows[place, : len(test)] = test
        places = torch.from_numpy(slots_of(rows, self.group % self.groups, self.groups))
        valid, rows_ = places != EMPTY, places.clamp(min=0)
        x = self.x[self.which.view(-1, 1, 1), rows_] * valid.unsqueeze(-1)
        outputs = forward(self.weights, x, self.groups).outputs[..., : self.shape.widest]
        p = probabilities(outputs, self.shape.answers[:1])
        y = self.y[rows_][..., 0].clamp(min=0)
        chosen = p[..., 0, :].gather(-1, y.unsqueeze(-1)).squeeze(-1).clamp(min=LEAST).log()
        total = (chosen * valid).sum(dim=(1, 2)) / valid.sum(dim=(1, 2))
        return [float(value) for value in total]

    def networks(self) -> Iterator[tuple[Job, Network]]:
        """The networks as they are now, each with its job."""
        whole = self.weights if self.rest is None else self.weights.beside(self.rest)
        shared = [part.numpy() for part in whole.shared]
        own = [None if part is None else part.numpy() for part in whole.own]
        for place, job in enumerate(self.jobs):
            yield (
                job,
                Network(
                    job.setting,
                    self.shape,
                    tuple(part[place].copy() for part in shared),
                    tuple(None if part is None else part[place].copy() for part in own),
                    self.fills[self.which[place]],
                ),
            )


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """One trained network, as arrays.

    Args:
        setting, shape: what it is.
        shared: the shared matrices (a, b); row 0 is the bias.
        own: the raters' (R, a, b), or None where a layer has none.
        fill: (D,) what a missing column counts as.
    """

    setting: Setting
    shape: Shape
    shared: tuple[NDArray[np.float32], ...]
    own: tuple[NDArray[np.float32] | None, ...]
    fill: NDArray[np.float64]

    def hidden(self, x: NDArray[np.float64], rater: int = UNKNOWN) -> NDArray[np.float64]:
        """z2 (N, h2) of inputs (N, D), for one rater; the same for all where only V^a is theirs."""
        z = np.where(np.isnan(x), self.fill, x)
        for layer in (0, 1):
            z = 1 / (1 + np.exp(-_with_one(z) @ self.matrix(layer, rater)))
        return z

    def outputs(self, x: NDArray[np.float64], rater: int = UNKNOWN) -> NDArray[np.float64]:
        """Last layer (N, Q, K) before the softmax; (N, 1, 1) values with a mean head."""
        out = _with_one(self.hidden(x, rater)) @ self.matrix(2, rater)
        return out.reshape(len(x), len(self.shape.answers), self.shape.widest)

    def vector(self, rater: int = UNKNOWN) -> NDArray[np.float64]:
        """(h2 + 1,) a rater's vector v + v^a in regression mode; the bias first."""
        if self.setting.head != "mean":
            raise ConfigError("only a network with a mean head has one vector a rater")
        return self.matrix(2, rater)[:, 0].astype(np.float64)

    def matrix(self, layer: int, rater: int) -> NDArray[np.float32]:
        """Shared and own weights (a, b) of a rater in one of the layers; the bias first."""
        own = self.own[layer]
        return (
            self.shared[layer]
            if own is None or rater == UNKNOWN
            else self.shared[layer] + own[rater]
        )

    def probabilities(self, x: NDArray[np.float64], rater: IntArray) -> NDArray[np.float64]:
        """The target's answers (N, K), or values (N, 1) with a mean head, of rows (N, D)
        by raters (N,); UNKNOWN has the shared weights only."""
        width = self.shape.answers[0]
        found = np.empty((len(x), width))
        for one in np.unique(rater).tolist():
            rows = rater == one
            found[rows] = self.outputs(x[rows], one)[:, 0, :width]
        return found if self.setting.head == "mean" else softmax(found)


def _with_one(z: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.hstack([np.ones((len(z), 1)), z])


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Distributions (..., K)."""
    shifted = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def train(forms: Forms, jobs: Sequence[Job]) -> list[Network]:
    """Trains networks, those of one shape together; in the order of the jobs.

    Same forms and jobs, same numbers, whatever else is trained beside them up to the
    rounding of a matrix product.

    Raises:
        DataError: a job has no training rows.
        MissingExtra: torch is not installed.
    """
    found: dict[int, Network] = {}
    with one_thread():
        for chosen in stacks(forms, jobs):
            stack = Stack(forms, chosen)
            stack.pretrain(stack.setting.pretrain)
            stack.finetune(stack.setting.finetune)
            found |= {id(job): network for job, network in stack.networks()}
    return [found[id(job)] for job in jobs]


@contextmanager
def one_thread() -> Iterator[None]:
    """torch on one thread: the matrices are too small to be shared out, and trying to costs
    twenty times the work. Raises MissingExtra where torch is not installed."""
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("training a network", extra="train", missing="torch") from error
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def shape_of(setting: Setting, forms: Forms) -> Shape:
    """The sizes of a setting's network on these forms."""
    answers = (1,) if setting.head == "mean" else tuple(len(scale) for scale in forms.scales)
    raters = len(forms.raters) if any(setting.personal) else 0
    return Shape(
        forms.x.shape[1], setting.hidden1, setting.hidden2, raters, answers, setting.personal
    )


def stacks(forms: Forms, jobs: Sequence[Job]) -> Iterator[list[Job]]:
    """Jobs that can run as one stack: alike but for rate, rows and seed, and small enough
    together to stay in the processor's cache."""
    alike: dict[object, list[Job]] = {}
    for job in jobs:
        if len(job.rows) == 0:
            raise DataError("a network has no training rows")
        batches = max(1, len(job.rows) // job.setting.batch)
        alike.setdefault((replace(job.setting, rate=1.0), batches), []).append(job)
    for same in alike.values():
        size = max(1, int(BYTES / (16 * shape_of(same[0].setting, forms).parameters)))
        for start in range(0, len(same), size):
            yield same[start : start + size]
