"""Which conversations of two versions belong together: by id, by prompt, or none.

Decided from what stands in the records, and said; that two versions have as many conversations
says nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assize.base.errors import DataError
from assize.formats.sampling import prompt_of
from assize.versions.version import Version

Pairing = Literal["auto", "id", "prompt", "none"]
PAIRINGS: tuple[Pairing, ...] = ("auto", "id", "prompt", "none")

_ENOUGH = 0.5  # share of the smaller version that must be matched
_ALIKE = 0.9  # share of equal ids whose prompts must be equal too
_EVEN = 0.8  # share of matched conversations whose prompt stands equally often in both
_LEAST = 3  # units
_PLACE = re.compile(r"(.*?)(\d+)")


@dataclass(frozen=True, slots=True)
class Matching:
    """How the conversations of two versions belong together.

    Args:
        by: `id` or `prompt`; `none` where they do not.
        why: a sentence for the reader.
        pairs: how many; None without pairs.
        left_over: conversations in no pair, of the first and of the second version.
        units: by unit the ids in the first and in the second version; several where a prompt
            was answered several times. Without pairs none.
    """

    by: Literal["id", "prompt", "none"]
    why: str
    pairs: int | None = None
    left_over: Sequence[int] | None = None
    units: Mapping[str, tuple[Sequence[str], Sequence[str]]] = field(
        default_factory=dict, repr=False
    )

    @property
    def paired(self) -> bool:
        """Whether there are pairs."""
        return self.by != "none"


def match(first: Version, second: Version, how: Pairing = "auto") -> Matching:
    """Pairs the conversations of two versions where that can be shown.

    Args:
        how: `auto` takes equal ids, save where their prompts differ or they only count
            conversations in a file; else equal prompts; each where half of the smaller version
            is matched. `id` and `prompt` insist, `none` pairs nothing.

    Raises:
        DataError: what is insisted on matches nothing.
    """
    if how == "none":
        return Matching("none", "not paired, as asked")
    smaller = min(len(first.table.items), len(second.table.items))
    reasons = []
    if how in ("auto", "id"):
        found, reason = _by_id(first, second, insisted=how == "id")
        if found is not None and (how == "id" or len(found.units) >= _ENOUGH * smaller):
            return found
        reasons.append(reason)
    if how in ("auto", "prompt"):
        found, reason = _by_prompt(first, second, insisted=how == "prompt")
        if found is not None:
            return found
        reasons.append(reason)
    if how != "auto":
        problem = (
            f"no pairs by {how}: {reasons[-1]}; leave pairing to auto, or give what is lacking"
        )
        raise DataError(problem, source=f"{first.name}, {second.name}")
    return Matching("none", f"not paired: {'; '.join(reasons)}")


def _by_id(first: Version, second: Version, insisted: bool) -> tuple[Matching | None, str]:
    known = set(second.table.items)
    common = [one for one in first.table.items if one in known]
    if not common:
        return None, "no ids in common"
    both = [one for one in common if one in first.items and one in second.items]
    differ = {one for one in both if prompt_of(first.items[one]) != prompt_of(second.items[one])}
    if both and not insisted:
        if len(differ) > (1 - _ALIKE) * len(both):
            return None, (
                f"{len(common):,} ids are in both, but {len(differ):,} of {len(both):,} of them"
                " begin with different prompts"
            )
        common = [one for one in common if one not in differ]
    if not both and not insisted and _places(first.table.items) and _places(second.table.items):
        return None, (
            f"{len(common):,} ids are in both, but they count places in a file, and the"
            " conversations are not here to compare (give them, or pair by id)"
        )
    if len(common) < _LEAST and not insisted:
        return None, f"{len(common):,} of the ids are in both"
    smaller = min(len(first.table.items), len(second.table.items))
    if len(common) < _ENOUGH * smaller and not insisted:
        return None, f"only {len(common):,} of the ids are in both"
    said = "their prompts agree" if both else "their texts are not here to be compared"
    if both and all(first.items[one] is second.items[one] for one in both):
        said = "both name the conversations given"
    units = {one: ((one,), (one,)) for one in common}
    return _matching("id", first, second, units, f"paired by id ({said})"), ""


def _places(ids: Sequence[str]) -> bool:
    """Whether ids are one name and the numbers from 1: what stands in a file without ids."""
    parts = [_PLACE.fullmatch(one) for one in ids]
    if not all(parts):
        return False
    stems = {part[1] for part in parts if part is not None}
    numbers = sorted(int(part[2]) for part in parts if part is not None)
    return len(stems) == 1 and numbers in (
        list(range(1, len(ids) + 1)),
        list(range(len(ids))),
    )


def _by_prompt(first: Version, second: Version, insisted: bool) -> tuple[Matching | None, str]:
    sides = [_prompts(one) for one in (first, second)]
    if not all(sides):
        lacking = [one.name for one, side in zip((first, second), sides, strict=True) if not side]
        return None, f"the conversations of {' and '.join(lacking)} are not here"
    units = {
        prompt: (tuple(sides[0][prompt]), tuple(sides[1][prompt]))
        for prompt in sides[0]
        if prompt in sides[1]
    }
    matched = [sum(len(ids[side]) for ids in units.values()) for side in (0, 1)]
    sizes = len(first.table.items), len(second.table.items)
    smaller = 0 if sizes[0] <= sizes[1] else 1
    if not units:
        return None, "no prompt in common"
    if not insisted:
        if len(units) < _LEAST or matched[smaller] < _ENOUGH * sizes[smaller]:
            return None, f"only {matched[smaller]:,} of {sizes[smaller]:,} prompts are in both"
        even = sum(2 * len(one) for one, two in units.values() if len(one) == len(two))
        if even < _EVEN * sum(matched):
            return None, "prompts are in both, but not equally often (greetings, perhaps)"
    again = Counter(len(one) for ids in units.values() for one in ids)
    several = " (several conversations of a prompt are averaged)" if max(again) > 1 else ""
    return _matching("prompt", first, second, units, f"paired by first prompt{several}"), ""


def _prompts(version: Version) -> dict[str, list[str]]:
    """Ids by prompt, of the conversations that are known and have one."""
    found: dict[str, list[str]] = {}
    for one in version.table.items:
        if one in version.items and (prompt := prompt_of(version.items[one])):
            found.setdefault(prompt, []).append(one)
    return found


def _matching(
    by: Literal["id", "prompt"],
    first: Version,
    second: Version,
    units: Mapping[str, tuple[Sequence[str], Sequence[str]]],
    said: str,
) -> Matching:
    left = [
        len(set(version.table.items) - {one for ids in units.values() for one in ids[side]})
        for side, version in enumerate((first, second))
    ]
    rest = f"{left[0]:,} of {first.name}, {left[1]:,} of {second.name}"
    over = f"; left over: {rest}" if any(left) else "; none left over"
    why = f"{len(units):,} pairs, {said}{over}"
    return Matching(by, why, len(units), left, units)
