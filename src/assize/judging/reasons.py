"""Under which reason a failure is unscored."""

from __future__ import annotations

from assize.errors import (
    AnswerError,
    AssizeError,
    BadRequestError,
    BudgetError,
    ModelTimeout,
    RateLimitError,
    TooLongError,
)
from assize.models.replay import NotRecorded


def reason_of(error: AssizeError) -> str:
    """The reason under which a failure is unscored."""
    for kind, reason in _REASONS.items():
        if isinstance(error, kind):
            return reason
    return "server"


_REASONS: dict[type[AssizeError], str] = {
    BudgetError: "budget",
    RateLimitError: "rate_limit",
    ModelTimeout: "timeout",
    TooLongError: "too_long",
    BadRequestError: "bad_request",
    NotRecorded: "not_recorded",
    AnswerError: "parse",
}
