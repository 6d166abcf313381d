from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.evaluator._training.settings import PRESETS, settings_of


def test_the_paper_preset_is_appendix_c() -> None:
    paper = PRESETS["paper"]
    assert (paper.rate, paper.reliability_rate, paper.betas, paper.decay) == (
        5e-5,
        1e-2,
        (0.9, 0.95),
        0.1,
    )
    assert (paper.warm_up, paper.batch, paper.epochs, paper.apart) == (0.1, 32, 3, True)
    assert (paper.members, paper.held_out, paper.tied) == (1, False, False)


def test_what_is_none_leaves_the_preset_as_it_is() -> None:
    assert settings_of("small", epochs=None, seed=3) == settings_of(seed=3)
    assert settings_of("linear").hidden == ()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"epochs": 0}, "epochs: received 0, allowed is at least 1"),
        ({"members": -1}, "members: received -1"),
        ({"rate": 0.0}, "rate: received 0.0; give more than 0"),
        ({"begin": 0.5}, "no gradient reaches the network"),
        ({"hidden": (0,)}, "each layer has 1 unit or more"),
        ({"embeddings": float("nan")}, "embeddings: received nan"),
        ({"preset": "large"}, "known: small, linear, paper"),
    ],
)
def test_what_is_out_of_range_is_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        settings_of(**given)
