"""Under which reason a failure is unscored."""

from __future__ import annotations

from assize.base.errors import (
    AnswerError,
    BadRequestError,
    BudgetError,
    ModelError,
    ModelTimeout,
    RateLimitError,
    TooLongError,
)
from assize.models.replay import NotRecorded


def reason_of(error: Exception) -> str:
    """The reason under which a failure is unscored; `failed` is what no model is to blame for."""
    for kind, reason in _REASONS.items():
        if isinstance(error, kind):
            return reason
    return "failed"


_REASONS: dict[type[Exception], str] = {
    BudgetError: "budget",
    RateLimitError: "rate_limit",
    ModelTimeout: "timeout",
    TooLongError: "too_long",
    BadRequestError: "bad_request",
    NotRecorded: "not_recorded",
    AnswerError: "parse",
    ModelError: "server",
}
