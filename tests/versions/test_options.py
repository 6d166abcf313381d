"""What a comparison is asked for."""

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.versions import OverTime, Regressions


def test_counts_have_a_least() -> None:
    assert Regressions(keep=0).keep == 0
    assert OverTime("started", least=2).least == 2
    with pytest.raises(ConfigError, match="keep: received -1, allowed is at least 0"):
        Regressions(keep=-1)
    with pytest.raises(ConfigError, match="least: received 1, allowed is at least 2"):
        OverTime("started", least=1)
