"""Check that versions differ: no judgment may stand on both sides of a comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.judgments import JudgmentTable
from assize.results.numbers import counted
from assize.versions.version import Version

REMEDY = (
    "give each version judgments of its own, or beside the judgments the items of that version"
    " alone: OLD=judgments.jsonl OLD=old-items.jsonl with compare, --baseline judgments.jsonl"
    " --baseline old-items.jsonl with gate"
)


def check_distinct(versions: Sequence[Version]) -> None:
    """Refuse versions that share judgments, or that are the same.

    Versions may judge the same items in different files. Equal judgments are then a
    version held against itself, unless its items differ, for instance in `system`.

    Raises:
        DataError: two versions take judgments of one item from one source, or are equal.
    """
    for first, second in combinations(versions, 2):
        both = set(first.table.items) & set(second.table.items)
        for source in first.sources.keys() & second.sources.keys():
            shared = both & set(first.sources[source]) & set(second.sources[source])
            if shared:
                raise DataError(
                    f"{first.name} and {second.name} both take their judgments of"
                    f" {counted(len(shared), 'item')} from here ({min(shared)!r} for one), so they"
                    f" would be compared with themselves; {REMEDY}",
                    source=source,
                )
        if _items_agree(first, second, both) and _rows_agree(first.table, second.table):
            raise DataError(
                f"both versions hold the same {counted(len(first.table), 'judgment')} of the same"
                " items, so a version would be compared with itself; give two versions, or, if"
                " judgments and conversations of one version were meant, give both one name"
                " (x=scores.jsonl x=chats.jsonl); where two versions did answer alike, give items"
                " whose `system` names the version",
                source=f"{first.name}, {second.name}",
            )


def check_ids(items: Iterable[Item], source: str, remedy: str) -> dict[str, Item]:
    """Return the items by id.

    Raises:
        DataError: two items that differ have one id; `remedy` says what to do.
    """
    by_id: dict[str, Item] = {}
    for item in items:
        if by_id.setdefault(item.id, item) != item:
            raise DataError(
                f"the id {item.id!r} names two items that differ; {remedy}", source=source
            )
    return by_id


def _items_agree(first: Version, second: Version, ids: Iterable[str]) -> bool:
    """Whether no item is known to differ between the versions."""
    known = [item for item in ids if item in first.items and item in second.items]
    return all(first.items[item] == second.items[item] for item in known)


def _rows_agree(first: JudgmentTable, second: JudgmentTable) -> bool:
    """Whether two tables hold the same judgments, in any order."""
    if len(first) != len(second) or _count_answers(first) != _count_answers(second):
        return False
    return Counter(map(repr, first)) == Counter(map(repr, second))


def _count_answers(table: JudgmentTable) -> Counter[tuple[str, str | None, float | None]]:
    """Count answers by item: soon done, and enough to tell most versions apart."""
    columns = [table.arrow[name].to_pylist() for name in ("item", "answer", "score")]
    return Counter(zip(*columns, strict=True))
