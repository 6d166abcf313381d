"""Many networks in one program: Adam on stacked parameters, two phases.

First all questions are learnt together (pre-training), then the target alone
(fine-tuning). Networks of one size and batch size run as one stack; each has its own
training rows, seed and learning rate. A path through the epochs can be looked at on the
way, which is what the search over numbers of epochs costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy, deepcopy
from itertools import pairwise
from typing import TYPE_CHECKING

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
from assize.calibration.setting import Job, Setting
from assize.calibration.slots import EMPTY, Stream, batch_slots, slots_of
from assize.calibration.trained import Network

if TYPE_CHECKING:
    from torch import Tensor

BETAS, EPSILON = (0.9, 0.999), 1e-8
LEAST = 1e-12  # of a probability, before its logarithm


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


def shape_of(setting: Setting, forms: Forms) -> Shape:
    """The sizes of a setting's network on these forms."""
    answers = (1,) if setting.head == "mean" else tuple(len(scale) for scale in forms.scales)
    raters = len(forms.raters) if any(setting.personal) else 0
    return Shape(
        forms.x.shape[1], setting.hidden1, setting.hidden2, raters, answers, setting.personal
    )
