"""Turns quoted beside a pattern, each cut to a few lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from assize.base.conversation import Conversation, Item, Turn
from assize.criteria._criterion import Criterion
from assize.results.abridge import Abridged, abridge

LONGEST_QUOTE = 280
MOST_QUOTES = 3
LONGEST_TEXT = 400  # characters of a criterion


@dataclass(frozen=True, slots=True)
class Quote:
    """A turn that speaks for something: its number from 0, who said it, and what."""

    number: int
    role: str
    text: Abridged


@dataclass(frozen=True, slots=True)
class Quoted:
    """The turns that are named, and those of them that are quoted.

    Args:
        numbers: of all turns that are named, in words; "" for none.
        quotes: the first of them; none where the conversation was not given.
    """

    numbers: str = ""
    quotes: tuple[Quote, ...] = ()


def quoted(item: Item | None, numbers: Iterable[int]) -> Quoted:
    """The turns of a conversation; a number of no turn is left out where the text is known.

    Args:
        item: None where its text is not known.
        numbers: from 0, in any order.
    """
    named = sorted({one for one in numbers if one >= 0})
    if not isinstance(item, Conversation):
        return Quoted(_words(named))
    named = [one for one in named if one < len(item.turns)]
    quotes = tuple(_quote(at, item.turns[at]) for at in named[:MOST_QUOTES])
    return Quoted(_words(named), quotes)


def _quote(at: int, turn: Turn) -> Quote:
    return Quote(at, turn.role, abridge(" ".join(turn.text.split()), LONGEST_QUOTE))


def short(text: str) -> str:
    """A sentence of which the middle is left out where nobody would read it to its end."""
    found = abridge(" ".join(text.split()), LONGEST_TEXT)
    return f"{found.head} … {found.tail}" if found.left_out else found.head


def fitted(one: Criterion) -> Criterion:
    """The criterion with a text that fits on a page."""
    return replace(one, text=short(one.text))


def _words(numbers: list[int]) -> str:
    """`turn 3`, `turns 3, 5`, at most twelve of them."""
    if not numbers:
        return ""
    shown = ", ".join(map(str, numbers[:12])) + (", …" if len(numbers) > 12 else "")
    return f"turn{'' if len(numbers) == 1 else 's'} {shown}"


def wanted(items: Iterable[Item], ids: Iterable[str]) -> Mapping[str, Item]:
    """The items with these ids, read once; of those that share one the first."""
    among = set(ids)
    found: dict[str, Item] = {}
    for item in items:
        if item.id in among:
            found.setdefault(item.id, item)
            if len(found) == len(among):
                break
    return found
