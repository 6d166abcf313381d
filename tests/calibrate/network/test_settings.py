from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.calibrate._network.training import Setting

POSITIVE, START = "must be positive", "above 0 and at most 10"
DROPOUT = r"dropout must be in \[0, 1\)"


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("hidden1", 0, POSITIVE),
        ("batch", 0, POSITIVE),
        ("rate", 0.0, POSITIVE),
        ("pretrain", -1, POSITIVE),
        ("wait", -1, POSITIVE),
        ("initial", 0.0, START),
        ("initial", -1.0, START),
        ("initial", 11.0, START),
        ("initial", float("nan"), START),
        ("dropout", -0.1, DROPOUT),
        ("dropout", 1.0, DROPOUT),
    ],
)
def test_what_no_network_can_have_is_refused(setting: str, value: float, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Setting(**{setting: value})  # type: ignore[arg-type]
