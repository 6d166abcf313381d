"""Where mails, keys, phone numbers, dates, addresses and ids stand in a text.

Patterns go by the look of a text alone, the surest first; what an earlier one took, a later one
leaves. Names have a file of their own: they have no look.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

KINDS = ("LITERAL", "KEY", "MAIL", "PLACE", "DATE", "NUMBER", "PHONE", "NAME", "TERM")
PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(KINDS)}) \d+\]")

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_STREET = r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Boulevard|Blvd|Court|Square|Terrace)"
_NUMBERED = (
    r"(?:order|ticket|case|account|acct|customer|client|invoice|booking|reservation|passport"
    r"|licen[cs]e|policy|member(?:ship)?|employee|student|patient|tracking|serial|reference|ref"
    r"|card|tax|insurance|security|id)"
)


@dataclass(frozen=True, slots=True)
class Found:
    """What a placeholder will stand for: characters from `start` up to `end`."""

    start: int
    end: int
    kind: str


def _digits(text: str) -> int:
    return sum(one.isdigit() for one in text)


def _varied(text: str) -> bool:
    """Whether a text looks like a password rather than a word."""
    signs = (str.isdigit, str.isupper, str.islower, lambda one: not one.isalnum())
    return sum(any(map(sign, text)) for sign in signs) >= 2 and not text.istitle()


def _phone(text: str) -> bool:
    """Whether digits with blanks and marks are a telephone number, not two years."""
    years = re.fullmatch(r"\s*(?:19|20)\d\d\s?[-/.]\s?(?:19|20)\d\d\s*", text)
    return 7 <= _digits(text) <= 15 and years is None


def _numbered(text: str) -> bool:
    """Whether letters and digits are an id or a long number, not two years."""
    if re.fullmatch(r"(?:19|20)\d\d-(?:19|20)\d\d", text):
        return False
    return _digits(text) >= 5 or (_digits(text) >= 4 and any(map(str.isalpha, text)))


def _always(_: str) -> bool:
    return True


# kind, pattern (its group 1, where it has one, is what is taken), and what must hold of that
_PATTERNS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("LITERAL", PLACEHOLDER, _always),  # a text that holds one already
    (
        "KEY",
        re.compile(r"-----BEGIN [A-Z ]*KEY-----.*?-----END [A-Z ]*KEY-----", re.DOTALL),
        _always,
    ),
    (
        "KEY",
        re.compile(r"[a-z][a-z0-9+.-]{0,20}://[^\s/@:]{1,100}:[^\s/@]{1,100}@[^\s\"'<>]+", re.I),
        _always,
    ),
    (
        "KEY",
        re.compile(
            r"\b(?:[spr]k[-_][\w-]{16,}|A[KS]IA[0-9A-Z]{16}|gh[pousr]_\w{20,}"
            r"|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,}|hf_\w{20,}"
            r"|glpat-[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"
        ),
        _always,
    ),
    (
        "KEY",
        re.compile(
            r"\b(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|pin|api[ _-]?key"
            r"|access[ _-]?key)\b[\"']?\s*[:=]\s*[\"']?([^\s\"',;]{4,})",
            re.I,
        ),
        _always,
    ),
    (
        "KEY",
        re.compile(
            r"\b(?:password|passphrase|passcode|pin|token|secret|key)\b[^.!?\n]{0,20}?"
            r"\b(?:is|was|to)\s+[\"']?([^\s\"',;]{4,}[^\s\"',;.!?])",
            re.I,
        ),
        _varied,
    ),
    ("KEY", re.compile(r"\b(?=\w{0,80}\d)(?=\w{0,80}[A-Za-z])[A-Za-z0-9_]{24,}\b"), _always),
    ("MAIL", re.compile(r"[\w.%+'-]{1,64}@\w[\w-]{0,62}(?:\.\w[\w-]{0,62})+"), _always),
    (
        "PLACE",
        re.compile(rf"\b\d{{1,5}}[a-z]?\s+(?:[A-Z][\w'-]+\s+){{1,3}}{_STREET}\b\.?"),
        _always,
    ),
    ("NUMBER", re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I), _always),
    (
        "DATE",
        re.compile(
            r"(?<![\w/.-])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
            r"|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d)(?![\w/-]|\.\d)"
        ),
        _always,
    ),
    (
        "DATE",
        re.compile(
            rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}\.?,?\s+\d{{4}}"
            rf"|{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}})\b"
        ),
        _always,
    ),
    (
        "NUMBER",
        re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){3,7}(?:[ ]?[A-Z0-9]{1,3})?\b"),
        _always,
    ),
    (
        "NUMBER",
        re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\b", re.I),
        _always,
    ),
    ("NUMBER", re.compile(r"(?<![\w.])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w])"), _always),
    ("PHONE", re.compile(r"(?<![\w.,])(?:\+|\()?\d(?:[ ().\-/]{0,2}\d){6,14}(?![\w])"), _phone),
    (
        "NUMBER",
        re.compile(
            rf"\b{_NUMBERED}\b[^\w\n]{{0,3}}(?:(?:number|no|nr|id|code|key)\b"
            r"[^\w\n]{0,3})?(?:is\s+)?(\w[\w-]*\d[\w-]*)",
            re.I,
        ),
        lambda one: _digits(one) >= 2,
    ),
    ("NUMBER", re.compile(r"\b[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\b"), _numbered),
)


def patterned(text: str) -> list[Found]:
    """All that has a look of its own, from left to right, none over another.

    >>> [(one.kind, "call 0171 555 1234, order AB-77123"[one.start : one.end])
    ...  for one in patterned("call 0171 555 1234, order AB-77123")]
    [('PHONE', '0171 555 1234'), ('NUMBER', 'AB-77123')]
    """
    taken: list[Found] = []
    for kind, pattern, holds in _PATTERNS:
        free = apart(_matches(text, kind, pattern, holds), taken)
        taken = sorted([*taken, *free], key=lambda one: one.start)
    return taken


def _matches(
    text: str, kind: str, pattern: re.Pattern[str], holds: Callable[[str], bool]
) -> Iterator[Found]:
    for one in pattern.finditer(text):
        group = 1 if pattern.groups else 0
        if holds(one[group]):
            yield Found(one.start(group), one.end(group), kind)


def apart(found: Iterable[Found], taken: Iterable[Found]) -> list[Found]:
    """Those that lie over none of the taken, nor over one another."""
    kept: list[Found] = []
    known = list(taken)
    for one in found:
        if all(one.end <= other.start or other.end <= one.start for other in (*known, *kept)):
            kept.append(one)
    return kept
