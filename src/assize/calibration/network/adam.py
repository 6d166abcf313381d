"""One step of Adam on stacked networks whose learning rates may differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

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
