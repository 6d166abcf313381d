from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.calibrate._network.layers import Shape, Weights, forward, initial, log_probabilities

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("personal", [(True, True, True), (False, True, False)])
def test_outputs_are_those_of_the_formulas(personal: tuple[bool, bool, bool]) -> None:
    shape = Shape(5, 4, 3, 2, (4, 3), personal)
    generators = [torch.Generator().manual_seed(seed) for seed in (1, 2)]
    weights = initial(shape, generators, 0.7)
    x = torch.rand(2, 3, 6, 6, generator=torch.Generator().manual_seed(3))
    assert torch.allclose(forward(weights, x, 3), by_formula(weights, x), atol=1e-6)


def by_formula(weights: Weights, x: Any) -> Any:
    """The network as its formulas say, for 2 raters and nobody, with nothing in place."""
    z = x
    for shared, own in zip(weights.shared, weights.own, strict=True):
        own = torch.zeros(2, 2, *shared.shape[1:]) if own is None else own
        own = torch.cat([own, torch.zeros_like(own[:, :1])], dim=1)
        out = torch.einsum("mgci,mgio->mgco", z, shared.unsqueeze(1) + own)
        z = torch.cat([torch.ones_like(out[..., :1]), torch.sigmoid(out)], dim=-1)
    return out


def test_an_answer_that_a_question_lacks_gets_nothing() -> None:
    p = log_probabilities(torch.zeros(1, 8), (4, 3)).exp()
    assert p[0, 0].tolist() == pytest.approx([0.25] * 4)
    assert p[0, 1].tolist() == pytest.approx([1 / 3] * 3 + [0])


def test_the_number_of_parameters_of_the_published_network() -> None:
    # 36 x 25 + 26 x 25 + 26 x 36 shared, the same again for each of 24 raters
    shape = Shape(35, 25, 25, 24, (4,) * 8 + (3,))
    assert shape.parameters == 25 * (36 * 25 + 26 * 25 + 26 * 36)
    weights = initial(shape, [torch.Generator().manual_seed(0)], 1.0)
    assert sum(part.numel() for part in weights.tensors) == shape.parameters
    assert np.std(weights.shared[0].numpy()) == pytest.approx(1, abs=0.1)
