"""Many networks in one program: Adam on stacked parameters, two phases.

First all questions are learnt together from everybody (pre-training), then the target alone
from the raters who are to be predicted (fine-tuning), and with what stands beside the
answers. Networks of one size and batch size are trained together; each has its own training
rows, seed and learning rate. A path through the epochs can be looked at on the way, which
is what the search over numbers of epochs costs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from copy import copy, deepcopy
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from assize.base.errors import DataError
from assize.calibrate._data.features import LEAST
from assize.calibrate._data.forms import NO_ANSWER, UNKNOWN, Forms, IntArray
from assize.calibrate._network.answer_embeddings import NONE, Embeddings
from assize.calibrate._network.inputs import fit_inputs
from assize.calibrate._network.layers import Shape, Weights, forward, initial, log_probabilities
from assize.calibrate._network.minibatches import (
    EMPTY,
    MinibatchStream,
    draw_minibatches,
    pad_by_group,
)
from assize.calibrate._network.settings import Job, Setting
from assize.calibrate._network.trained_network import Network

if TYPE_CHECKING:
    from torch import Tensor


class BatchedTraining:
    """Networks of one size that are trained together, with Adam's moments.

    Jobs with the same rows and seed see the same minibatches, whatever their rates.
    """

    def __init__(self, forms: Forms, jobs: Sequence[Job], embeddings: Embeddings = NONE) -> None:
        import torch

        self.jobs = sorted(jobs, key=lambda job: job.setting.rate)  # Adam goes rate by rate
        self.setting = self.jobs[0].setting
        self.shape = shape_of(self.setting, forms, embeddings)
        self.heads = self.shape.heads
        self.vectors = [
            embeddings[scale.id].rows(scale.question.answers)
            for scale in (forms.scales[place] for place in self.shape.embedded)
        ]
        self.embedded = [
            (place, torch.tensor(one, dtype=torch.float32))
            for place, one in zip(self.shape.embedded, self.vectors, strict=True)
        ]
        raters = self.shape.raters
        self.nobody = self.setting.dropout > 0 or raters == 0 or bool((forms.rater < 0).any())
        self.groups = raters + self.nobody
        self.group = np.full(len(forms), UNKNOWN) if raters == 0 else forms.rater
        self.helpers, self.by_helper = forms.helpers, forms.by_helper
        self.trusted = min(raters, len(forms.trusted))
        self.steps = 0
        self.tuning = False
        self._set_streams(forms, embeddings)
        self.waiting = self.setting.wait * self.steps_an_epoch
        generators = [torch.Generator().manual_seed(job.seed) for job in self.jobs]
        self.weights = initial(self.shape, generators, self.setting.initial)
        self._set_zeros()
        self.moments, self.squares = (self.weights.map(torch.zeros_like) for _ in range(2))
        self._set_rates()

    def _set_rates(self) -> None:
        rates = [job.setting.rate for job in self.jobs]
        starts = [n for n, rate in enumerate(rates) if n == 0 or rate != rates[n - 1]]
        self.rates = [(slice(a, b), rates[a]) for a, b in pairwise([*starts, len(rates)])]

    def _set_streams(self, forms: Forms, embeddings: Embeddings) -> None:
        """Distinct training sets: their minibatches, and their inputs with the gaps filled."""
        import torch

        known: dict[tuple[bytes, int], int] = {}
        which = [known.setdefault((job.rows.tobytes(), job.seed), len(known)) for job in self.jobs]
        firsts = [self.jobs[which.index(place)] for place in range(len(known))]
        self.which = torch.tensor(which)
        self.streams = [
            MinibatchStream(job.rows, np.random.default_rng([job.seed, 0]), self.setting.dropout)
            for job in firsts
        ]
        marked = self.setting.mask > 0
        self.inputs = [fit_inputs(forms, job.rows, embeddings, marked=marked) for job in firsts]
        self.block_of = torch.tensor([-1, *self.inputs[0].block_of])  # after the column of ones
        # a last row, of which all is masked
        nothing = np.full((1, forms.x.shape[1]), np.nan)
        x = np.vstack([forms.x, nothing])
        thin = None if forms.thinned is None else np.append(forms.thinned, False)
        filled = np.stack([one.transform(x, thin) for one in self.inputs])  # (S, N, I)
        filled = np.concatenate([np.ones_like(filled[..., :1]), filled], axis=-1)  # (S, N, 1 + I)
        self.x = self.whole = torch.tensor(filled, dtype=torch.float32)
        self.late = 1 + torch.from_numpy(self.inputs[0].late_inputs)  # after the column of ones
        if len(self.late):
            self.x = self.whole.index_fill(-1, self.late, 0.0)
        self.y = torch.tensor(forms.answers)
        self.values = torch.tensor(np.nan_to_num(forms.values)[:, None], dtype=torch.float32)
        self.weight = None if forms.weight is None else torch.tensor(forms.weight).float()
        self._count_rows()

    def _count_rows(self) -> None:
        """What depends on the rows that are drawn from: an epoch's steps, and the weights of
        mean 1 (S, N) that the forms' losses have."""
        import torch

        rows = max(len(stream.rows) for stream in self.streams)
        if min(len(stream.rows) for stream in self.streams) == 0:
            raise DataError("a network has no training rows by raters who are to be predicted")
        self.steps_an_epoch = max(1, rows // self.setting.batch)
        self.counts: Tensor | None = None
        if self.weight is not None:
            means = [self.weight[torch.from_numpy(one.rows)].mean() for one in self.streams]
            self.counts = self.weight / torch.stack(means).unsqueeze(1)

    def _set_zeros(self) -> None:
        """What starts at 0: raters' weights that wait, and all weights of late inputs, so that
        switching these on changes nothing at first."""
        for own in self.weights.own:
            if own is not None and self.setting.wait:
                own.zero_()
        for first in (self.weights.shared[0], self.weights.own[0]):
            if first is not None and len(self.late):
                first.index_fill_(-2, self.late, 0.0)

    def copy(self) -> BatchedTraining:
        """The same networks, to be trained on without changing these."""
        import torch

        other = copy(self)
        other._each(lambda part: part.map(torch.clone))
        other.streams = deepcopy(self.streams)
        return other

    def keep(self, places: Sequence[int]) -> None:
        """Goes on with some of the networks only; the minibatches stay what they are."""
        import torch

        models = torch.tensor(places, dtype=torch.int64)
        self._each(lambda part: part.map(lambda tensor: tensor[models]))
        self.which = self.which[models]
        self.jobs = [self.jobs[place] for place in places]
        self._set_rates()

    def pretrain(self, epochs: int) -> None:
        """Some epochs on all questions."""
        for _ in range(epochs * self.steps_an_epoch):
            self._step()

    def finetune(self, epochs: int) -> None:
        """Some epochs on the target alone."""
        if not self.tuning:
            self._start_finetuning()
        for _ in range(epochs * self.steps_an_epoch):
            self._step()

    def _start_finetuning(self) -> None:
        """Drops the other questions, lets the helpers go, and switches late inputs on."""
        self.tuning = True
        self.x = self.whole
        width, embedded = self.heads[0], int(0 in self.shape.embedded)
        self._each(lambda part: part.only(width, embedded, self.trusted))
        self.heads, self.embedded = self.heads[:1], self.embedded[:embedded]
        if not self.helpers:
            return
        self.groups = self.trusted + self.nobody
        for stream in self.streams:
            stream.rows = stream.rows[~self.by_helper[stream.rows]]
        self._count_rows()

    def _each(self, change: Callable[[Weights], Weights]) -> None:
        self.weights, self.moments, self.squares = (
            change(part) for part in (self.weights, self.moments, self.squares)
        )

    def _step(self) -> None:
        import torch

        self.steps += 1
        parts = self.weights.tensors
        for part in parts:
            part.requires_grad_()
        gradients = torch.autograd.grad(self._loss(), parts)
        for part in parts:
            part.requires_grad_(False)
        self._move(gradients)

    def _loss(self) -> Tensor:
        """The loss of the next minibatches, summed over the networks: mean squared error with a
        mean head, else the mean log loss over the answers in each batch."""
        import torch

        size, blocks = self.setting.batch, len(self.inputs[0].marked)
        drawn, hidden = draw_minibatches(
            self.streams, size, self.group, self.groups, blocks, self.setting.mask
        )
        places = torch.from_numpy(drawn)  # (S, G, C)
        valid = places != EMPTY
        rows = places.clamp(min=0)
        stream = torch.arange(len(self.streams)).view(-1, 1, 1)
        x = self.x[stream, rows] * valid.unsqueeze(-1)
        if blocks:
            x = self._masked(x, torch.from_numpy(hidden))
        outputs = forward(self.weights, x[self.which], self.groups)
        y = self.y[rows][..., : len(self.heads)]  # (S, G, C, Q)
        weight = ((y != NO_ANSWER) & valid.unsqueeze(-1)).float()
        weight /= weight.sum(dim=(1, 2, 3), keepdim=True).clamp(min=1)
        if self.counts is not None:
            weight *= self.counts[stream, rows].unsqueeze(-1)
        if self.setting.head == "mean":
            losses = (outputs - self.values[rows][self.which]) ** 2
        else:
            losses = -self._logs(outputs, y[self.which])
        return (losses * weight[self.which]).sum()

    def _logs(self, outputs: Tensor, y: Tensor) -> Tensor:
        """Log-probabilities of answers (M, G, C, Q) to the first Q questions."""
        questions, widest = y.shape[-1], max(self.heads)
        whole = log_probabilities(outputs[..., : questions * widest], self.heads[:questions])
        logs = whole.gather(-1, y.clamp(0, widest - 1).unsqueeze(-1)).squeeze(-1)
        for (place, vectors), bias in zip(self.embedded, self.weights.bias, strict=True):
            if place < questions:
                columns = outputs[..., place * widest : place * widest + vectors.shape[1]]
                each = (columns.matmul(vectors.T) + bias[:, None, None]).log_softmax(dim=-1)
                logs[..., place] = each.gather(-1, y[..., [place]].clamp(min=0)).squeeze(-1)
        return logs

    def _masked(self, x: Tensor, hidden: Tensor) -> Tensor:
        """Rows (S, G, C, 1 + I) with their hidden blocks (S, G, C, B) as missing ones are read."""
        import torch

        never = hidden.new_zeros((*hidden.shape[:-1], 1))
        gone = torch.cat([hidden, never], dim=-1)[..., self.block_of]  # -1 is never
        return x.where(~gone, self.x[:, -1, None, None, :])

    def _move(self, gradients: Sequence[Tensor]) -> None:
        """One step of Adam; raters' own weights may still wait."""
        waiting = self.steps <= self.waiting and not self.tuning
        moving = slice(0, self.weights.common if waiting else None)
        parts, moments, squares = (
            part.tensors[moving] for part in (self.weights, self.moments, self.squares)
        )
        adam_step(parts, gradients[moving], moments, squares, step=self.steps, rates=self.rates)

    def held_out(self, tests: Sequence[IntArray]) -> list[float]:
        """Mean log-likelihood of the target for each network on its test rows (n,); with a mean
        head minus the mean squared error."""
        import torch

        width = max(len(test) for test in tests)
        rows = np.full((len(tests), width), EMPTY)
        for place, test in enumerate(tests):
            rows[place, : len(test)] = test
        places = torch.from_numpy(pad_by_group(rows, self.group % self.groups, self.groups))
        valid, rows_ = places != EMPTY, places.clamp(min=0)
        x = self.x[self.which.view(-1, 1, 1), rows_] * valid.unsqueeze(-1)
        outputs = forward(self.weights, x, self.groups)
        if self.setting.head == "mean":
            chosen = -((outputs - self.values[rows_])[..., 0] ** 2)
        else:
            logs = self._logs(outputs, self.y[rows_][..., :1])[..., 0]
            chosen = logs.clamp(min=math.log(LEAST))
        counts = valid if self.weight is None else valid * self.weight[rows_]
        total = (chosen * counts).sum(dim=(1, 2)) / counts.sum(dim=(1, 2))
        return [float(value) for value in total]

    def networks(self) -> Iterator[tuple[Job, Network]]:
        """The networks as they are now, for the target; each with its job."""
        if not self.tuning:
            self._start_finetuning()
        answers, sizes = self.shape.answers[:1], self.shape.vector_sizes[:1]
        shape = replace(self.shape, raters=self.trusted, answers=answers, vector_sizes=sizes)
        shared = [part.numpy() for part in self.weights.shared]
        own = [None if part is None else part.numpy() for part in self.weights.own]
        vectors, bias = None, [None] * len(self.jobs)
        if self.embedded:
            vectors, bias = self.vectors[0], [part.numpy().copy() for part in self.weights.bias[0]]
        for place, job in enumerate(self.jobs):
            weights = (
                tuple(part[place].copy() for part in shared),
                tuple(None if part is None else part[place].copy() for part in own),
            )
            yield (
                job,
                Network(
                    job.setting,
                    shape,
                    *weights,
                    self.inputs[self.which[place]],
                    vectors,
                    bias[place],
                ),
            )


def shape_of(setting: Setting, forms: Forms, embeddings: Embeddings = NONE) -> Shape:
    """The sizes of a setting's network on these forms; of the raters, helpers too."""
    inputs = len(fit_inputs(forms, np.arange(0), embeddings, marked=setting.mask > 0))
    raters = len(forms.raters) if any(setting.personal) else 0
    sizes = (inputs, setting.hidden1, setting.hidden2, raters)
    if setting.head == "mean":
        return Shape(*sizes, (1,), setting.personal)
    widths = tuple(embeddings[one.id].size if one.id in embeddings else 0 for one in forms.scales)
    answers = tuple(len(scale) for scale in forms.scales)
    return Shape(*sizes, answers, setting.personal, widths if any(widths) else ())


BETAS, EPSILON = (0.9, 0.999), 1e-8


def adam_step(
    parts: Sequence[Tensor],
    gradients: Sequence[Tensor],
    moments: Sequence[Tensor],
    squares: Sequence[Tensor],
    *,
    step: int,
    rates: Sequence[tuple[slice, float]],
) -> None:
    """Step number `step` of Adam (Kingma and Ba 2015) on tensors (M, ...) and moments, in place."""
    import torch
    from torch.optim.adam import adam

    for models, rate in rates:
        adam(
            [part[models] for part in parts],
            [part[models].contiguous() for part in gradients],
            [part[models] for part in moments],
            [part[models] for part in squares],
            [],
            [torch.tensor(float(step - 1)) for _ in parts],
            fused=True,
            amsgrad=False,
            beta1=BETAS[0],
            beta2=BETAS[1],
            lr=rate,
            weight_decay=0.0,
            eps=EPSILON,
            maximize=False,
        )
