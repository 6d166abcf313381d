"""What a comparison is asked for."""

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.versions import Regressions


def test_fewer_than_no_conversations_cannot_be_kept() -> None:
    assert Regressions(keep=0).keep == 0
    with pytest.raises(ConfigError, match="keep: received -1, allowed is at least 0"):
        Regressions(keep=-1)
