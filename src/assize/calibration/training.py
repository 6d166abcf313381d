"""Training many networks in one program: Adam on stacked parameters, two phases.

First all questions are learnt together (pre-training), then the target alone
(fine-tuning). Networks of one size and batch size run as one stack; each has its own
training rows, seed and learning rate. A path through the epochs can be looked at on the
way, which is what the search over numbers of epochs costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
from assize.calibration.slots import EMPTY, Stream, batch_slots
from assize.errors import ConfigError, DataError, MissingExtra

if TYPE_CHECKING:
    from torch import Tensor

BYTES = 24e6  # of parameters and moments that a stack may have: what stays in the cache
BETAS, EPSILON = (0.9, 0.999), 1e-8


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

    @property
    def stack(self) -> Setting:
        """What networks of one stack have in common: all but rate and epochs."""
        return replace(self, rate=1.0, pretrain=0, finetune=0)


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """One network to be trained: its setting, its training rows (n,), its seed."""

    setting: Setting
    rows: IntArray
    seed: int


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """Forms as tensors; a column that is missing is filled with the mean of each job's rows.

    Args:
        x: (N, D + 1) with a 1 in front, NaN where missing.
        fill: (M, D + 1) what stands for a missing value in each model.
        y: (N, Q) answers, NO_ANSWER where there is none.
        values: (N, 1) the target's value, for the mean head.
    """

    x: Tensor
    fill: Tensor
    y: Tensor
    values: Tensor
    rater: IntArray
    answers: tuple[int, ...]

    def inputs(self, places: Tensor) -> Tensor:
        """x (M or 1, G, C, D + 1) of places (M or 1, G, C); empty slots are 0."""
        found = self.x[places.clamp(min=0)]
        if found.isnan().any():
            found = found.where(~found.isnan(), self.fill[:, None, None, :])
        return found * (places != EMPTY).unsqueeze(-1)


def prepare(forms: Forms, jobs: Sequence[Job]) -> Prepared:
    """The forms as tensors, with the fill of each job."""
    import torch

    means = np.stack([fill_of(forms.x[job.rows]) for job in jobs])
    ones = np.ones((len(forms), 1))
    return Prepared(
        torch.tensor(np.hstack([ones, forms.x]), dtype=torch.float32),
        torch.tensor(np.hstack([np.ones((len(jobs), 1)), means]), dtype=torch.float32),
        torch.tensor(forms.answers),
        torch.tensor(np.nan_to_num(forms.values)[:, None], dtype=torch.float32),
        forms.rater,
        tuple(len(scale) for scale in forms.scales),
    )


def fill_of(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mean of each column (D,) over the rows that have it; 0 where none has."""
    known = ~np.isnan(x)
    total = np.where(known, x, 0).sum(axis=0)
    return np.asarray(total / np.maximum(known.sum(axis=0), 1))


class Stack:
    """Networks of one size that are trained together, and their optimiser's moments."""

    def __init__(self, forms: Forms, jobs: Sequence[Job]) -> None:
        import torch

        first = jobs[0].setting
        for job in jobs:
            if len(job.rows) == 0:
                raise DataError("a network has no training rows")
        self.setting = first
        self.data = prepare(forms, jobs)
        raters = len(forms.raters) if any(first.personal) else 0
        answers = (1,) if first.head == "mean" else self.data.answers
        self.shape = Shape(
            forms.x.shape[1], first.hidden1, first.hidden2, raters, answers, first.personal
        )
        self.groups = max(1, raters + (first.dropout > 0 or bool((forms.rater == UNKNOWN).any())))
        self.known = np.full(len(forms), UNKNOWN) if raters == 0 else forms.rater
        generators = [torch.Generator().manual_seed(job.seed) for job in jobs]
        self.weights = initial(self.shape, generators, first.initial)
        if first.wait:
            for own in self.weights.own:
                if own is not None:
                    own.zero_()
        self.moments = [torch.zeros_like(part) for part in self.weights.tensors]
        self.squares = [torch.zeros_like(part) for part in self.weights.tensors]
        self.steps = 0
        self.rates = torch.tensor([job.setting.rate for job in jobs])
        self.streams = [_stream(job) for job in jobs]
        rows = max(len(job.rows) for job in jobs)
        self.steps_an_epoch = max(1, rows // first.batch)

    def branch(self, times: int) -> None:
        """Every network becomes `times` copies side by side, moments and all."""
        import torch

        models = torch.arange(len(self.rates)).repeat(times)
        self.weights = self.weights.pick(models)
        self.moments = [part[models] for part in self.moments]
        self.squares = [part[models] for part in self.squares]
        self.rates = self.rates[models]

    def train(self, epochs: int, *, target_only: bool) -> None:
        """Runs some epochs of one phase."""
        for _ in range(epochs * self.steps_an_epoch):
            self._step(target_only)

    def _step(self, target_only: bool) -> None:
        import torch

        self.steps += 1
        drawn = batch_slots(self.streams, self.setting.batch, self.known, self.groups)
        places = torch.from_numpy(drawn)
        copies = len(self.rates) // len(self.streams)
        if copies > 1:
            places = places.repeat(copies, 1, 1)
        x = self.data.inputs(places)
        passed = forward(self.weights, x, self.groups)
        gradient = self._loss_gradient(passed.outputs, places, target_only)
        found = backward(self.weights, passed, gradient)
        waiting = self.steps <= self.setting.wait * self.steps_an_epoch and not target_only
        self._adam(found, waiting)

    def _loss_gradient(self, outputs: Tensor, places: Tensor, target_only: bool) -> Tensor:
        """Gradient of the mean loss over the answers in each model's batch."""
        import torch

        valid = places != EMPTY
        rows = places.clamp(min=0)
        if self.setting.head == "mean":
            there = (valid & (self.data.y[rows][..., 0] != NO_ANSWER)).unsqueeze(-1)
            gap = (outputs - self.data.values[rows]) * there
            return 2 * gap / there.sum(dim=(1, 2, 3), keepdim=True).clamp(min=1)
        y = self.data.y[rows]  # (M, G, C, Q)
        there = (y != NO_ANSWER) & valid.unsqueeze(-1)
        if target_only:
            there[..., 1:] = False
        weight = there.float()
        if self.setting.weights is not None and not target_only:
            weight = weight * torch.tensor(self.setting.weights)
        weight = weight / weight.sum(dim=(1, 2, 3), keepdim=True).clamp(min=1e-9)
        p = probabilities(outputs, self.data.answers)
        p = p.scatter_add(-1, y.clamp(min=0).unsqueeze(-1), -torch.ones_like(p[..., :1]))
        return (p * weight.unsqueeze(-1)).flatten(-2)

    def _adam(self, gradients: Weights, waiting: bool) -> None:
        """One step of Adam (Kingma and Ba 2015), with each network's own rate."""
        first, second = BETAS
        size = self.rates * (1 - second**self.steps) ** 0.5 / (1 - first**self.steps)
        small = EPSILON * (1 - second**self.steps) ** 0.5
        count = len(gradients.shared)
        for place, (part, gradient, m, v) in enumerate(
            zip(self.weights.tensors, gradients.tensors, self.moments, self.squares, strict=True)
        ):
            if place >= count:
                if waiting:
                    continue
                if self.setting.decay:
                    gradient = gradient + self.setting.decay * part
            m.lerp_(gradient, 1 - first)
            v.mul_(second).addcmul_(gradient, gradient, value=1 - second)
            move = m / (v.sqrt() + small)
            part.sub_(move * size.view(-1, *[1] * (part.dim() - 1)))


def _stream(job: Job) -> Stream:
    return Stream(job.rows, np.random.default_rng([job.seed, 0]), job.setting.dropout)


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
            z = 1 / (1 + np.exp(-_with_one(z) @ self._matrix(layer, rater)))
        return z

    def outputs(self, x: NDArray[np.float64], rater: int = UNKNOWN) -> NDArray[np.float64]:
        """Last layer (N, Q, K) before the softmax; (N, 1, 1) values with a mean head."""
        out = _with_one(self.hidden(x, rater)) @ self._matrix(2, rater)
        return out.reshape(len(x), len(self.shape.answers), self.shape.widest)

    def vector(self, rater: int = UNKNOWN) -> NDArray[np.float64]:
        """(h2 + 1,) a rater's vector v + v^a in regression mode; the bias first."""
        if self.setting.head != "mean":
            raise ConfigError("only a network with a mean head has one vector a rater")
        return self._matrix(2, rater)[:, 0].astype(np.float64)

    def _matrix(self, layer: int, rater: int) -> NDArray[np.float32]:
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
    _require_torch()
    found: dict[int, Network] = {}
    for places in _stacks(jobs, forms):
        chosen = [jobs[place] for place in places]
        stack = Stack(forms, chosen)
        stack.train(chosen[0].setting.pretrain, target_only=False)
        stack.train(chosen[0].setting.finetune, target_only=True)
        found |= zip(places, networks(stack, chosen), strict=True)
    return [found[place] for place in range(len(jobs))]


def _require_torch() -> None:
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("training a network", extra="train", missing="torch") from error
    torch.set_flush_denormal(True)


def _stacks(jobs: Sequence[Job], forms: Forms) -> Iterator[list[int]]:
    """Places of jobs that run as one stack."""
    alike: dict[object, list[int]] = {}
    for place, job in enumerate(jobs):
        one = job.setting
        alike.setdefault((replace(one, rate=1.0), len(job.rows) // one.batch), []).append(place)
    for places in alike.values():
        size = stack_size(jobs[places[0]].setting, forms)
        for start in range(0, len(places), size):
            yield places[start : start + size]


def stack_size(setting: Setting, forms: Forms) -> int:
    """How many networks of a setting fit into the cache together."""
    answers = tuple(len(scale) for scale in forms.scales)
    shape = Shape(
        forms.x.shape[1], setting.hidden1, setting.hidden2, len(forms.raters), answers,
        setting.personal,
    )  # fmt: skip
    return max(1, int(BYTES / (16 * shape.parameters)))


def networks(stack: Stack, jobs: Sequence[Job]) -> Iterator[Network]:
    """The stack's networks as they are now; with branches, the first ones of each job."""
    shared = [part.numpy() for part in stack.weights.shared]
    own = [None if part is None else part.numpy() for part in stack.weights.own]
    fill = stack.data.fill.double().numpy()[:, 1:]
    for place, job in enumerate(jobs):
        yield Network(
            job.setting,
            stack.shape,
            tuple(part[place].copy() for part in shared),
            tuple(None if part is None else part[place].copy() for part in own),
            fill[place],
        )
