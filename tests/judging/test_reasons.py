"""Failures by their reason."""

from __future__ import annotations

import pytest

from assize.errors import (
    AnswerError,
    AuthenticationError,
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
        (RateLimitError("slow"), "rate_limit"),
        (ModelTimeout("late"), "timeout"),
        (TooLongError("long"), "too_long"),  # a bad request too, but the narrower word
        (BadRequestError("bad"), "bad_request"),
        (NotRecorded("none"), "not_recorded"),
        (AnswerError("odd"), "parse"),
        (ServerError("down"), "server"),
        (AuthenticationError("key"), "server"),
        (ValueError("ours"), "failed"),
    ],
)
def test_an_error_has_its_narrowest_reason(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason
