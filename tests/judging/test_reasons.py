"""Under which reason a failure is unscored."""

from __future__ import annotations

import pytest

from assize.base.errors import (
    AnswerError,
    BadRequestError,
    BudgetError,
    ModelTimeout,
    RateLimitError,
    ServerError,
    TooLongError,
)
from assize.judging.reasons import reason_of
from assize.models.replay import NotRecorded


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BudgetError("spent"), "budget"),
        (RateLimitError("slow down"), "rate_limit"),
        (ModelTimeout("late"), "timeout"),
        (TooLongError("long"), "too_long"),
        (BadRequestError("bad"), "bad_request"),
        (NotRecorded("none"), "not_recorded"),
        (AnswerError("odd"), "parse"),
        (ServerError("down"), "server"),
        (ZeroDivisionError("a metric's own"), "failed"),
    ],
)
def test_each_failure_has_its_reason(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason
