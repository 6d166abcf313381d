"""A few items, the same ones each time, from every stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from assize.base.arguments import check_range
from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.signature import content_hash
from assize.results.abridge import one_line

T = TypeVar("T", bound=Item)


@dataclass(frozen=True, slots=True)
class ItemSample:
    """A few items, the same ones for every version that was given the same prompts.

    Args:
        sample: number of items to draw, by their prompts.
        by: with `sample`, field each of whose values is drawn in proportion, for example
            metadata.lang.
        seed: with `sample`, random seed.
    """

    sample: int
    by: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        check_range("sample", self.sample, 1)
        check_range("seed", self.seed, 0)


def draw_sample(
    items: Sequence[T], count: int, *, strata: Mapping[str, str] | None = None, seed: int = 0
) -> list[T]:
    """So many items, in their order.

    Which ones depends on their prompts, or their ids without one, and the seed, and not on their
    place: two versions of an assistant that were given the same prompts have the same sample.

    Args:
        strata: by id; each stratum has its share, by largest remainders, and at least one where
            `count` allows.
    """
    groups: dict[str, list[T]] = {}
    for one in items:
        groups.setdefault("" if strata is None else strata.get(one.id, ""), []).append(one)
    taken: set[int] = set()
    for name, size in _shares({name: len(mine) for name, mine in groups.items()}, count).items():
        ordered = sorted(groups[name], key=lambda one: (_key(one, seed), one.id))
        taken |= {id(one) for one in ordered[:size]}
    return [one for one in items if id(one) in taken]


def prompt_of(item: Item) -> str:
    """What the assistant was given: a conversation's first user turn, else the shared context.

    Blanks are alike. "" where there is none.

    >>> prompt_of(Conversation("c", (Turn("user", "Hi  there"), Turn("assistant", "Hello"))))
    'Hi there'
    """
    if isinstance(item, Conversation):
        return _first(item.turns)
    if isinstance(item, Pair):
        return _said(item.context) or _first(item.a)
    if isinstance(item, Continuation):
        return _said(item.context)
    return ""


def first_words(item: Item | None, limit: int = 140) -> str:
    """Return how an item begins: the first words of its first turn by a user, else of any.

    "" where it is not known.

    >>> first_words(Conversation("c", (Turn("user", "Hi  there"), Turn("assistant", "Hello"))), 5)
    'Hi th…'
    """
    turns: Sequence[Turn] = ()
    if isinstance(item, Conversation):
        turns = item.turns
    elif isinstance(item, Pair):
        turns = (*item.context, *item.a, *item.b)
    elif isinstance(item, Continuation):
        turns = (*item.context, Turn("assistant", item.candidate))
    users = (turn for turn in turns if turn.role == "user")
    text = next((turn.text for turn in (*users, *turns)), "")
    return one_line(text, limit)


def _first(turns: tuple[Turn, ...]) -> str:
    text = next((turn.text for turn in turns if turn.role == "user"), "")
    return " ".join(text.split())


def _said(turns: tuple[Turn, ...]) -> str:
    return "\n".join(f"{turn.role}: {' '.join(turn.text.split())}" for turn in turns)


def _key(item: Item, seed: int) -> str:
    return content_hash(f"{seed}\x1f{prompt_of(item) or item.id}")


def _shares(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """How many of each stratum; they add up to `count`, or to all there are.

    >>> _shares({"en": 90, "de": 9, "pl": 1}, 10)
    {'en': 8, 'de': 1, 'pl': 1}
    """
    total = sum(sizes.values())
    if count >= total:
        return dict(sizes)
    least = 1 if count >= len(sizes) else 0
    exact = {name: count * size / total for name, size in sizes.items()}
    found = {name: max(least, int(share)) for name, share in exact.items()}
    while sum(found.values()) < count:
        found[max(sizes, key=lambda name: exact[name] - found[name])] += 1
    while sum(found.values()) > count:
        over = [name for name in sizes if found[name] > least]
        found[max(over, key=lambda name: found[name] - exact[name])] -= 1
    return found
