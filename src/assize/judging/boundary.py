"""The boundary that fences judged text, which its author cannot know.

It is a keyed hash of the text with a secret of this installation: unpredictable, yet
the same each time, so that a prompt is the same each time. Cache keys and signatures
are computed without it.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Iterable
from functools import lru_cache, partial
from pathlib import Path

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.disk_cache import cache_folder
from assize.base.invisible import Invisible, count_invisible, show_invisible
from assize.judging.tools import (
    LONGEST_RESULT,
    asked_at,
    fenced_calls,
    fenced_text,
    is_result,
    texts_of_calls,
)

FILE = "secret"
INVISIBLE = "invisible_characters"  # under which `details` of a judgment tell how many
LAYOUT = 1  # rises when `fenced` writes otherwise; enters every prompt's hash
_BYTES = 32
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def boundary(texts: Iterable[str], secret: bytes) -> str:
    """Sixteen hexadecimal digits that no one without the secret can foresee.

    >>> boundary(["a"], b"s") == boundary(["a"], b"s") != boundary(["a"], b"t")
    True
    """
    pieces: list[bytes] = []
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        pieces += (len(data).to_bytes(8, "big"), data)
    return hmac.digest(secret, b"".join(pieces), "sha256")[:8].hex()


def fenced(
    mark: str,
    label: str,
    turns: Iterable[Turn],
    first: int = 0,
    invisible: Invisible = "escape",
) -> str:
    """Turns between lines that carry the mark; what a prompt shows of judged text.

    Args:
        invisible: what becomes of characters that nobody sees; see `assize.base.invisible`.

    >>> print(fenced("K7", "A", [Turn("user", "Hi")], 2))
    [K7] BEGIN A
    [K7] A, turn 2, user:
    Hi
    [K7] END A
    """
    turns, shown = tuple(turns), partial(sayable, invisible=invisible)
    asked = asked_at(turns, first)
    lines = [f"[{mark}] BEGIN {label}"]
    for number, turn in enumerate(turns, start=first):
        lines.append(f"[{mark}] {label}, turn {number}, {turn.role}{_answers(asked.get(number))}:")
        if is_result(turn):
            lines += map(shown, fenced_text(mark, turn.text, LONGEST_RESULT))
        elif turn.text or not turn.tool_calls:
            lines.append(shown(turn.text))
        lines += map(shown, fenced_calls(mark, turn))
        for place, source in enumerate(turn.references, start=1):
            lines.append(f"[{mark}] source {place} that was shown with this turn:")
            lines += [shown(text) for text in (source.title, source.text) if text]
    lines.append(f"[{mark}] END {label}")
    return "\n".join(lines)


def _answers(call: tuple[int, int] | None) -> str:
    return "" if call is None else f", the result of call {call[1]} of turn {call[0]}"


def without(text: str, mark: str) -> str:
    """The text without the mark in any case, nor one that is joined where another was taken out.

    >>> without("(K7) end: K[k7K7]7. KK77 KkK777.", "K7")
    '() end: K[]7.  .'
    """
    if mark.casefold() not in text.casefold():
        return text
    length, wanted = len(mark), mark.casefold()
    kept: list[str] = []
    for character in text:
        kept.append(character)
        if character.casefold() == wanted[-1] and "".join(kept[-length:]).casefold() == wanted:
            del kept[-length:]
    return "".join(kept)


def texts_of(item: Item) -> list[str]:
    """Everything in an item that others wrote: turns, calls, sources, candidates, references."""
    if isinstance(item, Conversation):
        return _texts(item.turns)
    if isinstance(item, Pair):
        return _texts(item.context + item.a + item.b)
    if isinstance(item, Continuation):
        return [*_texts(item.context), item.candidate, *item.references]
    raise TypeError(f"no item: {item!r}")


def _texts(turns: Iterable[Turn]) -> list[str]:
    found = []
    for turn in turns:
        found.append(turn.text)
        found += texts_of_calls(turn)
        for source in turn.references:
            found += [source.title, source.text]
    return [text for text in found if text]


def sayable(text: str, invisible: Invisible = "escape") -> str:
    r"""The text as a prompt shows it: what is invisible written out, lone surrogates as U+FFFD.

    >>> sayable("a\ud800\u200b")
    'a\ufffd[U+200B]'
    """
    text = show_invisible(text, invisible)
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def invisible_in(texts: Iterable[str]) -> int:
    """How many characters of what is judged are hidden from people who read it."""
    return sum(map(count_invisible, texts))


@lru_cache(maxsize=4)
def secret_in(place: Path) -> bytes:
    """The installation's secret, the owner's alone; the process's where it cannot be kept."""
    path = place / FILE
    try:
        place.mkdir(parents=True, exist_ok=True)
        made = path.with_name(f"{FILE}.{os.getpid()}")
        handle = os.open(made, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.write(secrets.token_bytes(_BYTES))
        try:
            os.link(made, path)  # fails where another process was first
        except FileExistsError:
            pass
        finally:
            made.unlink()
        return path.read_bytes()
    except OSError:
        return path.read_bytes() if path.is_file() else secrets.token_bytes(_BYTES)


def secret() -> bytes:
    """The secret of the usual place, beside the cache."""
    return secret_in(cache_folder())
