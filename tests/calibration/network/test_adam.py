from __future__ import annotations

import pytest

from assize.calibration.network.adam import adam_step

torch = pytest.importorskip("torch")


def test_stacked_models_move_as_torchs_adam_moves_each_at_its_own_rate() -> None:
    torch.manual_seed(0)
    start = torch.randn(3, 4, 2)
    gradients = [torch.randn(3, 4, 2) for _ in range(5)]
    rates = [(slice(0, 1), 0.1), (slice(1, 3), 0.003)]
    part, moment, square = start.clone(), torch.zeros(3, 4, 2), torch.zeros(3, 4, 2)
    for step, gradient in enumerate(gradients, start=1):
        adam_step([part], [gradient], [moment], [square], step=step, rates=rates)
    for models, rate in rates:
        alone = start[models].clone().requires_grad_()
        optimiser = torch.optim.Adam([alone], lr=rate)
        for gradient in gradients:
            alone.grad = gradient[models].clone()
            optimiser.step()
        assert torch.allclose(part[models], alone.detach(), atol=1e-6)
