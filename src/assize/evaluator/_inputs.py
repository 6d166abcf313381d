"""What commands on evaluators are given: a folder or `default`, items, and judgments of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assize.base.errors import ConfigError
from assize.formats import Items, ItemsLike, JudgmentsLike, read_judgments
from assize.formats.arguments import files_in, judgments_of, source_of
from assize.judgments import JudgmentTable


def read_twice(given: Any) -> Items:
    """What can be read twice: for its judgments, and for itself."""
    items = source_of(given)
    if not isinstance(items.source, Iterator):
        return items
    return items.part(list(items.source))


def judgments_beside(items: Any, judgments: JudgmentsLike | None) -> JudgmentTable:
    """The judgments; by default those that stand among the items.

    Raises:
        ConfigError: there is none among the items.
    """
    if judgments is None:
        if not len(read_judgments(items)):
            raise ConfigError(
                "there is no judgment among the items, and none of them has gold; give what people"
                " answered, or gold labels, by judgments",
                "judgments",
            )
        return judgments_of(items, argument="items")
    return judgments_of(judgments)


def corpora_in(given: ItemsLike) -> dict[str, list[Any]]:
    """Items by corpus: each file, and what is in memory as `items`."""
    items = source_of(given)
    names = [Path(file).name for file in items.paths]
    corpora = {
        file if names.count(name) > 1 else name: list(items.part(file))
        for file, name in zip(items.paths, names, strict=True)
    }
    if not items.paths:
        corpora["items"] = list(items)
    elif items.in_memory:
        rest = [part for part in items.source if not files_in(part)]
        corpora["items"] = list(items.part(rest))
    return corpora
