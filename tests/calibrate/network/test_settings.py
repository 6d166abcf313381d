from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.calibrate._network.training import Setting


@pytest.mark.parametrize(
    "wrong", [{"hidden1": 0}, {"batch": 0}, {"rate": 0.0}, {"pretrain": -1}, {"wait": -1}]
)
def test_sizes_and_epochs_that_cannot_be_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match="must be positive"):
        Setting(**wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("start", [0.0, -1.0, 11.0, float("nan")])
def test_a_start_that_no_network_can_have_is_refused(start: float) -> None:
    with pytest.raises(ConfigError, match="above 0 and at most 10"):
        Setting(initial=start)


@pytest.mark.parametrize("share", [-0.1, 1.0])
def test_dropout_leaves_some_rows_their_rater(share: float) -> None:
    with pytest.raises(ConfigError, match=r"dropout must be in \[0, 1\)"):
        Setting(dropout=share)
