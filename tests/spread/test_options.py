"""What is not allowed is refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.spread import Resampling, SpreadOptions


def test_a_source_can_be_left_out() -> None:
    assert list(Resampling().without("answers").sources) == ["raters", "conversations"]


@pytest.mark.parametrize(
    ("options", "given"),
    [
        (SpreadOptions, {"figure": "80%"}),
        (Resampling, {"sources": ["items"]}),
        (Resampling, {"replicates": 3}),
        (Resampling, {"confidence": 95}),
    ],
)
def test_what_is_not_allowed_is_refused(options: Any, given: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=next(iter(given))):
        options(**given)
