"""A smoke set: a few conversations, the same ones each time, from every stratum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from assize.conversation import Item
from assize.signature import content_hash
from assize.versions.version import prompt_of

T = TypeVar("T", bound=Item)


def smoke_sample(
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
