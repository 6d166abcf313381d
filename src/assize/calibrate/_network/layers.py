"""The published network, M of them at once.

    z1 = sigmoid((W1 + W1^a) [1; x])
    z2 = sigmoid((W2 + W2^a) [1; z1])
    p(answer to question i) = softmax((V_i + V_i^a) [1; z2])

Every rater a has weights of their own on top of the shared ones. Parameters of M models
stand in one tensor each, and rows are grouped by rater and padded, so that a layer is one
batched matrix product and no rater's weights are ever copied for a row. torch records the
gradients: written out by hand they took 8% less processor time (median of nine runs of 50
networks at the published setting), with the same probabilities to 1e-6.

Source: Hashemi et al. (2024), equations 2-5. In the regression mode the last layer is
(v_i + v_i^a) [1; z2] under squared error. A question whose answers have vectors E_i has
softmax((U_i + U_i^a) [1; z2] E_i^T + c_i) instead (`answer_embeddings.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assize.base.errors import DataError

if TYPE_CHECKING:
    from torch import Generator, Tensor

ABSENT = -1e9  # the logit of an answer that a question does not have


@dataclass(frozen=True, slots=True)
class Shape:
    """The sizes that networks trained together share."""

    inputs: int  # D, columns of x
    # hidden1, hidden2: widths of z1 and z2
    hidden1: int
    hidden2: int
    raters: int  # R; 0 for a network without raters
    answers: tuple[int, ...]  # (Q,) number of answers of each question; all 1 in regression mode
    # whether first, second and last layer have weights of each rater's own
    personal: tuple[bool, bool, bool] = (True, True, True)
    # (Q,) numbers an answer of questions whose answers have vectors, 0 of the others; () where none
    # has
    vector_sizes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        vectors = self.vector_sizes or (0,) * len(self.answers)
        sizes = (self.inputs, self.hidden1, self.hidden2, *self.answers)
        if min(sizes) < 1 or min(self.raters, *vectors) < 0 or len(vectors) != len(self.answers):
            raise DataError("a network has sizes below 1")

    @property
    def heads(self) -> tuple[int, ...]:
        """(Q,) columns of the last layer for each question: its answers, or d."""
        if not self.vector_sizes:
            return self.answers
        return tuple(d or k for d, k in zip(self.vector_sizes, self.answers, strict=True))

    @property
    def widest(self) -> int:
        """The most columns of any; all questions have so many."""
        return max(self.heads)

    @property
    def embedded(self) -> tuple[int, ...]:
        """Questions whose answers have vectors, by place."""
        return tuple(place for place, d in enumerate(self.vector_sizes) if d)

    @property
    def layers(self) -> tuple[tuple[int, int], ...]:
        """Rows and columns of each layer's matrix; the first row is the bias."""
        last = len(self.answers) * self.widest
        return (
            (self.inputs + 1, self.hidden1),
            (self.hidden1 + 1, self.hidden2),
            (self.hidden2 + 1, last),
        )

    @property
    def parameters(self) -> int:
        """Of one network."""
        matrices = sum(
            a * b * (1 + self.raters * own)
            for (a, b), own in zip(self.layers, self.personal, strict=True)
        )
        return matrices + sum(self.answers[place] for place in self.embedded)


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """M networks: shared matrices (M, a, b), the raters' own (M, R, a, b) or None, and one
    number an answer (M, K) of each question whose answers have vectors."""

    shared: tuple[Tensor, ...]
    own: tuple[Tensor | None, ...]
    bias: tuple[Tensor, ...] = ()

    @property
    def tensors(self) -> list[Tensor]:
        """All of them: what raters share, then the raters'."""
        return [*self.shared, *self.bias, *(part for part in self.own if part is not None)]

    @property
    def common(self) -> int:
        """How many of the tensors raters share."""
        return len(self.shared) + len(self.bias)

    def like(self, tensors: Sequence[Tensor]) -> Weights:
        """Weights with other numbers, given in the order of `tensors`."""
        rest = iter(tensors[self.common :])
        own = tuple(None if part is None else next(rest) for part in self.own)
        matrices = len(self.shared)
        return Weights(tuple(tensors[:matrices]), own, tuple(tensors[matrices : self.common]))

    def map(self, change: Callable[[Tensor], Tensor]) -> Weights:
        """The same with every tensor changed."""
        return self.like([change(part) for part in self.tensors])

    def only(self, columns: int, embedded: int, raters: int) -> Weights:
        """The same with the target only: the last layer's columns, and its answers' biases; of
        the first so many raters' own weights."""
        shared = (*self.shared[:-1], self.shared[-1][..., :columns].contiguous())
        *first, last = (None if part is None else part[:, :raters] for part in self.own)
        kept = (*first, None if last is None else last[..., :columns])
        own = tuple(None if part is None else part.contiguous() for part in kept)
        return Weights(shared, own, self.bias[:embedded])


def initial(shape: Shape, generators: Sequence[Generator], scale: float) -> Weights:
    """M networks, all weights normal with standard deviation `scale`, one generator each;
    biases of answers are 0."""
    import torch

    def drawn(*size: int) -> Tensor:
        return scale * torch.stack([torch.randn(size, generator=one) for one in generators])

    shared = tuple(drawn(*layer) for layer in shape.layers)
    own = tuple(
        drawn(shape.raters, *layer) if personal and shape.raters else None
        for layer, personal in zip(shape.layers, shape.personal, strict=True)
    )
    bias = tuple(torch.zeros(len(generators), shape.answers[place]) for place in shape.embedded)
    return Weights(shared, own, bias)


def forward(weights: Weights, x: Tensor, groups: int) -> Tensor:
    """Outputs (M, G, C, Q * K) before the softmax, of x (M or 1, G, C, D + 1): padded rows by
    group.

    The first R groups are the raters; one more has the shared weights only.
    """
    import torch

    z = x
    for shared, own in zip(weights.shared[:-1], weights.own[:-1], strict=True):
        out = z.matmul(_matrix(shared, own, groups))
        z = torch.nn.functional.pad(out.sigmoid_(), (1, 0), value=1.0)
    return z.matmul(_matrix(weights.shared[-1], weights.own[-1], groups))


def _matrix(shared: Tensor, own: Tensor | None, groups: int) -> Tensor:
    """Shared and own weights together: (M, G, a, b)."""
    import torch

    common = shared.unsqueeze(1)
    if own is None:
        return common.expand(-1, groups, -1, -1)
    together = own + common
    if groups == own.shape[1]:
        return together
    return torch.cat([together, common], dim=1)


def log_probabilities(outputs: Tensor, answers: Sequence[int]) -> Tensor:
    """Outputs (..., Q * K) as log-probabilities (..., Q, K); answers a question lacks have none."""
    import torch

    widest = outputs.shape[-1] // len(answers)  # the target alone may have fewer than all
    logits = outputs.reshape(*outputs.shape[:-1], len(answers), widest)
    shifted = logits - logits.detach().amax(dim=-1, keepdim=True)
    if min(answers) < widest:
        lacking = torch.arange(widest) >= torch.tensor(answers).unsqueeze(1)
        shifted = shifted.masked_fill(lacking, ABSENT)
    # torch's log_softmax is slow over so few answers
    return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()
