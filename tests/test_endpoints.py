"""Errors, addresses and keys of endpoints, without a server; the providers' tests have one."""

from __future__ import annotations

import pytest

from assize import errors
from assize.endpoints import address, of_sdk, of_status, retry_after, safe, too_long


def test_retry_after_may_be_a_date_or_nonsense() -> None:
    assert retry_after({"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"}) == 0.0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({}) is None


def test_the_numbers_of_a_too_long_message_are_found() -> None:
    error = too_long("maximum context length is 8,192 tokens, however you requested 9312 tokens")
    assert (error.limit, error.needed) == (8192, 9312)


@pytest.mark.parametrize("variable", ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ASSIZE_REWARD_KEY"])
def test_no_key_stays_in_a_message(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "a-secret-without-the-usual-shape")
    said = safe("no such key: a-secret-without-the-usual-shape, sk-other12345678")
    assert "secret" not in said
    assert "other" not in said


@pytest.mark.parametrize(
    ("status", "said", "code", "kind"),
    [
        (429, "slow down", "", errors.RateLimitError),
        (529, "overloaded", "", errors.RateLimitError),
        (429, "pay first", "insufficient_quota", errors.AuthenticationError),
        (401, "who?", "", errors.AuthenticationError),
        (408, "late", "", errors.ModelTimeout),
        (500, "broken", "", errors.ServerError),
        (413, "big", "", errors.TooLongError),
        (400, "the prompt is too long", "", errors.TooLongError),
        (400, "no such field", "", errors.BadRequestError),
    ],
)
def test_each_status_has_its_error(status: int, said: str, code: str, kind: type) -> None:
    assert type(of_status(status, said, {}, code)) is kind


@pytest.mark.parametrize("sdk", ["openai", "anthropic"])
def test_an_unknown_error_is_a_server_error(sdk: str) -> None:
    assert isinstance(of_sdk(RuntimeError("x"), sdk), errors.ServerError)


def test_addresses_keep_ports_and_ipv6_and_lose_passwords() -> None:
    assert address("http://[::1]:8000/v1/") == "http://[::1]:8000/v1"
    assert address("http://me:pass@127.0.0.1:9/v1?token=t") == "http://127.0.0.1:9/v1"
