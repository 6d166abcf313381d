from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.stats._studies.folds import KFold, LeaveOut


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KFold(folds=1), "folds: received 1, allowed is at least 2"),
        (lambda: KFold(seeds=0), "seeds: received 0, allowed is at least 1"),
        (lambda: LeaveOut("system", seeds=0), "seeds: received 0, allowed is at least 1"),
    ],
)
def test_too_few_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()
