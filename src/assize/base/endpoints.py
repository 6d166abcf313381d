"""What all endpoints share: their errors by name, their addresses, and keys kept out of both."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from assize.base.errors import (
    AuthenticationError,
    BadRequestError,
    ConfigError,
    ModelError,
    ModelTimeout,
    NotFoundError,
    RateLimitError,
    ServerError,
    TooLongError,
    UnreachableError,
)
from assize.base.secrets import keep, keep_urls, redacted

OPENAI_KEY = "OPENAI_API_KEY"
ANTHROPIC_KEY = "ANTHROPIC_API_KEY"
REWARD_KEY = "ASSIZE_REWARD_KEY"

_OVERLOADED = (429, 503, 529)
_TOO_LONG = re.compile(
    r"context.{0,8}(length|window)|too many (input )?tokens"
    r"|prompt is too long|maximum.{0,20}tokens",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d,]{2,}")
_SECRET = re.compile(r"\b(sk|key|Bearer)[-_ ][A-Za-z0-9*_.\-]{6,}")
_LONGEST = 2000
_STATUSES = {  # of what errors are called where they have no status of their own
    "authentication_error": 401,
    "context_length_exceeded": 400,
    "insufficient_quota": 429,
    "invalid_request_error": 400,
    "overloaded_error": 529,
    "permission_error": 403,
    "rate_limit_error": 429,
    "rate_limit_exceeded": 429,
    "request_too_large": 413,
    "timeout_error": 504,
}


def key_in(variable: str) -> str | None:
    """The key in an environment variable, kept out of whatever is written from now on."""
    key = os.environ.get(variable)
    keep(key)
    return key


@contextmanager
def explain_key(model: str, variable: str) -> Iterator[None]:
    """Add to an error of the key which model it is and which variable holds the key, if any.

    Raises:
        AuthenticationError: the block raised one.
    """
    try:
        yield
    except AuthenticationError as error:
        state = "" if os.environ.get(variable) else ", which is not set"
        source = f"; the key comes from {variable}{state}" if variable else ""
        raise AuthenticationError(f"{model}: {error}{source}") from error


def address(url: str) -> str:
    """An address without user, password and query: what may be written down.

    Raises:
        ConfigError: it is none of an endpoint, or its port is none.

    >>> address("https://me:secret@host:8000/v1/?key=1")
    'https://host:8000/v1'
    """
    keep_urls(url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _no_address(url, f"is malformed ({error})") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise _no_address(url, "must be like http://localhost:8000/v1")
    place = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if port is not None:
        place += f":{port}"
    return f"{parts.scheme}://{place}{parts.path}".rstrip("/")


def _no_address(url: str, why: str) -> ConfigError:
    return ConfigError(f"the endpoint's address {url!r} {why}; mend it")


def safe(said: str) -> str:
    """A server's message without anything that looks like a key, and not endless."""
    return _SECRET.sub("***", redacted(said))[:_LONGEST]


def of_sdk(error: Exception, name: str) -> ModelError:
    """Our error for one of the SDKs `openai` and `anthropic`, which have the same classes."""
    sdk: Any = import_module(name)
    for own in (error, error.__cause__):  # of `BoundedClient`
        if isinstance(own, ModelError):
            return own
    said = safe(str(error))
    if isinstance(error, sdk.APIConnectionError) and not may_be_sent(error):
        return unreachable(str(error.request.url), error)
    # While a file is streamed, the SDK hands on what its client raises.
    if isinstance(error, sdk.APITimeoutError | import_module("httpx2").TimeoutException):
        return ModelTimeout("the server did not answer in time", may_cost=may_be_sent(error))
    if isinstance(error, sdk.APIStatusError):
        code = str(getattr(error, "code", None) or "")
        url = str(error.request.url)
        return of_status(error.status_code, said, error.response.headers, code, url)
    if isinstance(error, sdk.APIConnectionError):
        problem = f"the connection failed: {safe(repr(error.__cause__))}"
        return ServerError(problem, may_cost=may_be_sent(error))
    return ServerError(f"the call failed: {safe(repr(error))}")


def of_http(error: Exception, url: str) -> ModelError:
    """Our error for one of the HTTP client, of a call to an address."""
    import httpx2

    if isinstance(error, ModelError):
        return error
    if not isinstance(error, httpx2.HTTPError):
        return ServerError(f"the call failed: {safe(repr(error))}")
    if not may_be_sent(error):
        return unreachable(url, error)
    if isinstance(error, httpx2.TimeoutException):
        return ModelTimeout("the server did not answer in time")
    return ServerError(f"the connection failed: {safe(repr(error))}")


def unreachable(url: str, error: Exception) -> UnreachableError:
    """The error of a call that found no connection, by its address and the network's message."""
    said = error if error.__cause__ is None else error.__cause__
    return UnreachableError(address(url), safe(str(said) or type(said).__name__))


def may_be_sent(error: BaseException) -> bool:
    """Whether a request that failed may have reached the server: there was a connection."""
    import httpx2

    never = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
    return not isinstance(error, never) and not isinstance(error.__cause__, never)


def of_status(
    status: int, said: str, headers: Mapping[str, str], code: str = "", url: str = ""
) -> ModelError:
    """The error that an HTTP status stands for; `url` is what was called, where it is known."""
    if "insufficient_quota" in code:
        return AuthenticationError(f"the account has no quota left: {said}")
    if 300 <= status < 400:
        return BadRequestError(
            "the server redirects to another address, and calls follow no redirect; give that"
            " address itself, if you trust it"
        )
    if status in _OVERLOADED:
        return RateLimitError(said, retry_after=retry_after(headers))
    if status in (401, 403):
        return AuthenticationError(f"{said} ({status} from {address(url)})" if url else said)
    if status in (408, 409, 504):
        return ModelTimeout(said)
    if status >= 500:  # a gateway that lost the answer (502) does not know whether it was given
        return ServerError(said, may_cost=status == 502)
    if status == 413 or "context_length" in code or _TOO_LONG.search(said):
        return too_long(said)
    if status == 404:
        return NotFoundError(f"{said} (404 from {address(url)})" if url else said)
    return BadRequestError(said)


def of_event(told: Any) -> ModelError:
    """The error that a stream tells of after its beginning; what was written may be charged."""
    said = told if isinstance(told, Mapping) else {"message": str(told)}
    kinds = (str(said.get(name) or "") for name in ("code", "type"))
    status = next((found for kind in kinds if (found := _status(kind))), 500)
    message = safe(str(said.get("message") or "the answer broke off"))
    error = of_status(status, message, {}, str(said.get("code") or ""))
    error.may_cost = True
    return error


def _status(kind: str) -> int | None:
    """The HTTP status that an error's code or type stands for."""
    if kind.isascii() and kind.isdigit() and 400 <= int(kind[:4]) < 600:
        return int(kind)
    return _STATUSES.get(kind)


def too_long(said: str) -> TooLongError:
    """The error with the numbers that its message holds: the limit is the smaller one."""
    told = said.removeprefix("Error code: 400")
    numbers = sorted({int(found.replace(",", "")) for found in _NUMBER.findall(told)})
    limit = numbers[0] if numbers else None
    needed = numbers[-1] if len(numbers) > 1 else None
    return TooLongError(said, needed=needed, limit=limit)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, when the server said so in seconds or as a date."""
    from email.utils import parsedate_to_datetime
    from time import time

    said = headers.get("retry-after")
    if said is None:
        return None
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(said).timestamp() - time()
        except ValueError:
            return None
    return max(0.0, seconds) if math.isfinite(seconds) else None
