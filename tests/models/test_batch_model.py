"""Lists of a provider are read back far enough, and not endlessly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.models.conftest import read_parts

from assize.models import batch_model
from assize.models.batch_model import recent


@dataclass
class Made:
    created_at: Any


async def listed(*made: Any) -> AsyncIterator[Made]:
    for one in made:
        yield Made(one)


def found(*made: Any, since: float) -> list[Any]:
    return [one.created_at for one in read_parts(recent(listed(*made), since))]


def test_a_list_is_read_back_to_a_day_before_the_submission() -> None:
    day = 86_400
    assert found(9 * day, 8.5 * day, 7 * day, since=9 * day) == [9 * day, 8.5 * day]
    at = datetime(2026, 1, 2, tzinfo=UTC)
    assert found(at, since=at.timestamp()) == [at]
    assert found(at, since=at.timestamp() + 2 * day) == []
    assert found(None, "yesterday", since=0.0) == [None, "yesterday"]


def test_a_list_that_never_ends_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_model, "LOOKED_AT", 3)
    assert found(*range(10), since=0.0) == [0, 1, 2]
