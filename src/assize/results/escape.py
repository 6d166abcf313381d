"""Untrusted text made fit to be shown: nothing hidden in it acts, nothing breaks a table."""

from __future__ import annotations

import re

LONGEST = 24  # characters of an id or a group's name in a table
# Controls but tab and line ends, bidirectional embeddings, overrides and isolates,
# separators, interlinear marks, non-characters, surrogates, and tag characters save
# where they spell the flag of a region. Joiners stay: emoji and many scripts need them.
_HIDDEN = re.compile(
    "(\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f)"
    "|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)


def visible(text: str) -> str:
    r"""The text with each character that acts unseen replaced by its number.

    Direction marks (U+200E, U+200F) and joiners stay, for scripts need them and they
    cannot turn text around.

    >>> visible("a\u202eb\x00")
    'a[U+202E]b[U+0000]'
    """
    return text if text.isprintable() else _HIDDEN.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    flag: str | None = match[1]
    return flag if flag is not None else f"[U+{ord(match[0]):04X}]"


# What a CI server takes for an order in a log: GitHub's `::name` at the start of a line, blanks
# aside, and `##[name]`, `##vso[name]`, `##teamcity[name]` anywhere. A table may break a line where
# it likes, so the first kind is disarmed anywhere too.
_COMMAND = re.compile(r":(?=:[a-z])|#(?=#(?:vso|teamcity)?\[)", re.IGNORECASE)


def disarmed(text: str) -> str:
    r"""The text with the first sign of what a CI server would carry out replaced by its number.

    >>> disarmed("::stop-commands::x"), disarmed("a: b :: c")
    ('\\x3a:stop-commands\\x3a:x', 'a: b :: c')
    """
    return _COMMAND.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def printable(text: str) -> str:
    r"""The text for a terminal: no control characters, overrides, lone surrogates or CI commands.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    visible_text = "".join(
        char if char.isprintable() or char in "\n\t" else ascii(char)[1:-1] for char in text
    )
    return disarmed(visible_text)


def printable_line(text: str) -> str:
    r"""`printable` for a line of its own: what follows a line end in it is set in.

    >>> printable_line("item a\nFAILED")
    'item a\n  FAILED'
    """
    return printable(text).replace("\n", "\n  ")


def shortened(name: str, longest: int = LONGEST) -> str:
    """An id or a group's name for a table: where it is long its middle is left out.

    >>> shortened("the-conversation-with-a-long-id-17")
    'the-conversatio...-id-17'
    """
    return name if len(name) <= longest else f"{name[: longest - 9]}...{name[-6:]}"
