"""What is not allowed is refused by name."""

from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.spread import Resampling, SpreadOptions


def test_a_source_can_be_left_out() -> None:
    assert list(Resampling().without("answers").sources) == ["raters", "conversations"]


def test_what_is_not_allowed_is_refused() -> None:
    with pytest.raises(ConfigError, match="figure"):
        SpreadOptions(figure="80%")
    with pytest.raises(ConfigError, match="sources"):
        Resampling(sources=["items"])  # type: ignore[list-item]
    with pytest.raises(ConfigError, match="replicates"):
        Resampling(replicates=3)
    with pytest.raises(ConfigError, match="confidence"):
        Resampling(confidence=95)
