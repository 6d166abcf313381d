"""Which conversations are worth answering again: their shape, their length, what they are about.

Source: MTDEval, appendix A.1, which keeps dialogues of 2 to 10 turns and leaves out turns that
hold nothing but a greeting, an apology or thanks, and technical terms, both by keyword. Its lists
are unpublished; ours stands in `trivial.txt`. A turn is here a turn of the user with the
assistant's answer to it: counted by utterances, a dialogue of two turns would not be multi-turn.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

from assize.base.conversation import Conversation, Turn
from assize.simulate._funnel import Funnel
from assize.simulate._text_lines import read_entries

TRIVIAL = Path(__file__).with_name("trivial.txt")
JARGON = Path(__file__).with_name("jargon.txt")
T = TypeVar("T")
_TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_MARKS = re.compile(r"['\u2019]")  # it's, it’s: two words


def tokens(text: str) -> list[str]:
    """Words in small letters without punctuation; each sign of a script without blanks is one.

    >>> tokens("It's 你好, OK?")
    ['it', 's', '你', '好', 'ok']
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    return _TOKEN.findall(_MARKS.sub(" ", plain))


def exchanges(turns: Iterable[Turn]) -> int:
    """How many times the user spoke and the assistant answered; what we call turns here.

    >>> exchanges([Turn("user", "a"), Turn("user", "b"), Turn("assistant", "c"), Turn("user", "d")])
    1
    """
    count, asked = 0, False
    for turn in turns:
        if turn.role == "user":
            asked = True
        elif turn.role == "assistant" and asked:
            count, asked = count + 1, False
    return count


def takes_turns(chat: Conversation) -> bool:
    """Whether user and assistant speak in turn, the user first and the assistant last, all with
    words; system messages may come before."""
    roles = [turn.role for turn in spoken(chat.turns)]
    whole = len(roles) // 2
    return (
        whole > 0
        and roles == ["user", "assistant"] * whole
        and all(turn.text.strip() for turn in chat.turns)
    )


def spoken(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns after the system messages at the beginning."""
    start = next((at for at, turn in enumerate(turns) if turn.role != "system"), len(turns))
    return tuple(turns[start:])


@cache
def trivial_utterances() -> frozenset[tuple[str, ...]]:
    """The utterances of `trivial.txt`, a line each, as tokens; lines with # are comments."""
    return frozenset(tuple(words) for line in read_entries(TRIVIAL) if (words := tokens(line)))


def is_trivial(text: str) -> bool:
    """Whether a text is made of trivial utterances and nothing else; one without words is.

    >>> is_trivial("OK, thank you so much! Bye :)"), is_trivial("Thanks, and the price?")
    (True, False)
    """
    known, words = trivial_utterances(), tokens(text)
    longest = max(map(len, known), default=0)
    reached = [True] + [False] * len(words)
    for end in range(1, len(words) + 1):
        reached[end] = any(
            reached[start] and tuple(words[start:end]) in known
            for start in range(max(0, end - longest), end)
        )
    return reached[-1]


def has_trivial_turn(turns: Iterable[Turn]) -> bool:
    """Whether any of the user's turns is trivial."""
    return any(is_trivial(turn.text) for turn in turns if turn.role == "user")


def keep_by_turns(
    records: Iterable[T],
    unit: str,
    dialogues: Callable[[T], Iterable[Sequence[Turn]]],
    funnel: Funnel,
    bounds: tuple[int, int] | None,
    *,
    drop_trivial: bool,
) -> list[T]:
    """The records whose dialogues have the turns that are wanted; counts what each step left.

    Args:
        unit: what the records are.
        dialogues: of a record: one, or the two sides of a pair; all must fit.
        bounds: fewest and most exchanges of user and assistant; None for any.
        drop_trivial: leave out records in which a turn of the user is trivial.
    """
    kept = list(records)
    if bounds is not None:
        low, high = bounds
        kept = funnel.keep(
            f"{low} to {high} turns",
            unit,
            kept,
            lambda record: all(low <= exchanges(turns) <= high for turns in dialogues(record)),
        )
    if drop_trivial:
        kept = funnel.keep(
            "no trivial turn",
            unit,
            kept,
            lambda record: not any(map(has_trivial_turn, dialogues(record))),
        )
    return kept


def names_any(turns: Iterable[Turn], words: Collection[str]) -> bool:
    """Whether any turn holds one of the words or phrases, whatever the case, as whole words."""
    wanted = [found for one in words if (found := tokens(one))]
    for turn in turns:
        said = tokens(turn.text)
        for one in wanted:
            size = len(one)
            if any(said[at : at + size] == one for at in range(len(said) - size + 1)):
                return True
    return False
