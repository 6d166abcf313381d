"""Secrets in use, and text without them.

    key, password, signed query ──► keep ──► redacted(text) ──► file, screen, error

What is used is kept here as it is first used, with the spellings in which a server may hand it
back; whatever is written or shown passes `redacted`. Nothing is guessed from the look of a text,
so that no conversation is garbled: only values in use are taken out.
"""

from __future__ import annotations

import re

STARS = "***"
SHORTEST = 8  # characters; a shorter value may well stand in a text by chance
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s\"'<>]+")
_PARAMETER = re.compile(r"([^?&=#]*)=([^&#]*)")
_LONG = 16  # characters of a query's value from which it is a secret whatever its name
_SECRET_NAME = re.compile(
    r"sig|token|key|secret|pass|pwd|auth|cred|session|policy|expire|^x-(amz|goog)-"
    r"|^(s[a-z]|sk[a-z]+|code)$",  # s?: the parts of a shared access signature
    re.IGNORECASE,
)
_known: dict[str, str] = {}  # what is taken out, the longest first, and what stands in its place


def keep(value: str | None) -> None:
    """Takes a value out of every text from now on, unless it is too short to be told.

    >>> keep("correct-horse-battery")
    >>> redacted("is correct-horse-battery right?")
    'is *** right?'
    """
    if value is not None and len(value) >= SHORTEST:
        for spelt in _spellings(value):
            _note(spelt, STARS)


def keep_urls(text: str) -> None:
    """Keeps passwords and signatures of every URL in a text; its place names a short one too.

    >>> keep_urls("reward@https://me:pw@host/score?sig=12345678&page=2")
    >>> redacted("no answer from https://me:pw@host/score?sig=12345678&page=2")
    'no answer from https://***@host/score?sig=***&page=2'
    """
    if "://" not in text:
        return
    for found in _URL.findall(text):
        _keep_url(found)


def redacted(text: str) -> str:
    """The text with each secret in use as `***`."""
    for secret, shown in _known.items():
        if secret in text:
            text = text.replace(secret, shown)
    return text


def undecided(text: str) -> int:
    """Characters at a text's end with which a secret in use may begin.

    >>> keep("horse-battery-staple")
    >>> undecided("it is horse-b"), undecided("it is a horse")
    (7, 5)
    """
    return max((_begun(text, secret) for secret in _known), default=0)


def _begun(text: str, secret: str) -> int:
    most = min(len(text), len(secret) - 1)
    return next((size for size in range(most, 0, -1) if text.endswith(secret[:size])), 0)


def redacted_bytes(data: bytes) -> bytes:
    """The same of UTF-8."""
    for secret, shown in _known.items():
        if (found := secret.encode()) in data:
            data = data.replace(found, shown.encode())
    return data


def _keep_url(url: str) -> None:
    from base64 import b64encode
    from html import escape
    from urllib.parse import unquote

    user, at, _ = re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0].rpartition("@")
    if at:
        _note(f"://{user}@", f"://{STARS}@")
        name, _, password = user.partition(":")
        for value in (password or name, unquote(password or name)):
            keep(value)
        _note(b64encode(unquote(user).encode()).decode(), STARS)
        _note(b64encode(user.encode()).decode(), STARS)
    query = url.partition("?")[2]
    secret = [value for name, value in _PARAMETER.findall(query) if _is_secret(name, value)]
    if not secret:
        return
    for value in secret:
        keep(value)
        keep(unquote(value))
    shown = _PARAMETER.sub(
        lambda one: f"{one[1]}={STARS if _is_secret(one[1], one[2]) else one[2]}", query
    )
    for spelt in dict.fromkeys((query, escape(query))):
        _note(f"?{spelt}", f"?{shown}")


def _is_secret(name: str, value: str) -> bool:
    return bool(value) and (len(value) >= _LONG or _SECRET_NAME.search(name) is not None)


def _spellings(value: str) -> set[str]:
    """As it is, and as URLs, JSON and HTML spell it."""
    import json
    from html import escape
    from urllib.parse import quote, quote_plus

    spelt = {value, quote(value, safe=""), quote(value), quote_plus(value), escape(value)}
    return spelt | {json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1]}


def _note(secret: str, shown: str) -> None:
    global _known  # replaced as a whole: another thread may be going through it
    if secret not in _known:
        longest = sorted([*_known, secret], key=len, reverse=True)
        _known = {one: shown if one == secret else _known[one] for one in longest}
