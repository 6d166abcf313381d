"""What is known of the items: who answered, how long, and which belong together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.errors import DataError
from assize.base.fields import word_at
from assize.base.judgment import Judgment


@dataclass(frozen=True, slots=True)
class Facts:
    """Of one item.

    Args:
        item: as it was read.
        length: log of the assistant's characters; for a pair A's less B's. None where the
            assistant says nothing.
        systems: who answered: one name, or A's and B's; None where it is not known.
    """

    item: Item
    length: float | None
    systems: tuple[str | None, ...]

    @property
    def system(self) -> str | None:
        """The system of a single answer, or both of a pair in order."""
        known = [name for name in self.systems if name is not None]
        return " | ".join(known) if known else None


def facts_of(items: Iterable[Item]) -> dict[str, Facts]:
    """Facts by item id; an id that occurs twice keeps its first item."""
    facts: dict[str, Facts] = {}
    for item in items:
        facts.setdefault(item.id, Facts(item, _length(item), systems_of(item)))
    return facts


def _length(item: Item) -> float | None:
    if isinstance(item, Pair):
        a, b = _characters(item.a), _characters(item.b)
        return log(a) - log(b) if a and b else None
    if isinstance(item, Continuation):
        return log(len(item.candidate)) if item.candidate else None
    size = _characters(item.turns)
    return log(size) if size else None


def _characters(turns: Sequence[Turn]) -> int:
    return sum(len(turn.text) for turn in turns if turn.role == "assistant")


_SYSTEM_FIELDS = (("system_a", "system_b"), ("model_a", "model_b"), ("model_name1", "model_name2"))


def systems_of(item: Item) -> tuple[str | None, ...]:
    """Who answered: one name, or A's and B's as the pair's metadata or other fields name them
    (`systems`, `system_a`, `model_a`, `model_name1`); None where it is not known."""
    if isinstance(item, Conversation):
        return (item.system,)
    if isinstance(item, Continuation):
        return (item.source,)
    fields = {**item.extra, **item.metadata}
    systems = fields.get("systems")
    if isinstance(systems, dict):
        return _text(systems.get("A")), _text(systems.get("B"))
    if isinstance(systems, list) and len(systems) == 2:
        return _text(systems[0]), _text(systems[1])
    for a, b in _SYSTEM_FIELDS:
        if a in fields or b in fields:
            return _text(fields.get(a)), _text(fields.get(b))
    return None, None


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def cluster_labels(items: Sequence[str], facts: Mapping[str, Facts], field: str) -> list[str]:
    """The value of a field of each item, for items that belong together.

    Args:
        items: ids, one a unit.
        field: `item`, a field of the record such as `conversation` or `system`, or a name
            in its metadata.

    Raises:
        DataError: an item is unknown or lacks the field; names the first one.
    """
    if field == "item":
        return list(items)
    labels = []
    for name in items:
        if name not in facts:
            raise DataError(f"item {name!r} is not among --items, so its {field} is not known")
        label = word_at(facts[name].item, field)
        if label is None:
            raise DataError(f"item {name!r} has no field {field!r}, nor has its metadata")
        labels.append(label)
    return labels


def judgments_of(record: Item | Judgment) -> Iterator[Judgment]:
    """Yield a judgment itself; of a pair, its `gold` as judgments by the judge `gold`."""
    if isinstance(record, Judgment):
        yield record
        return
    gold = getattr(record, "gold", None)
    answers = {"preference": gold} if isinstance(gold, str) else gold or {}
    for name, answer in answers.items():
        yield Judgment(record.id, "gold", name, answer=answer, kind="person")
