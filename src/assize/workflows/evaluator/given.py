"""What commands on evaluators are given: a folder or `default`, items, and judgments of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assize.formats import Items, Judgments
from assize.judgments import JudgmentTable
from assize.workflows.reading import files_in, items_in, judgments_of


def read_twice(items: Any) -> Any:
    """What can be read twice: for its judgments, and for itself."""
    return list(items) if isinstance(items, Iterator) else items


def judgments_beside(items: Any, judgments: Judgments | None, format: str | None) -> JudgmentTable:
    """The judgments; by default those that stand among the items."""
    if judgments is None:
        return judgments_of(items, format=format, argument="items")
    return judgments_of(judgments)


def corpora_in(items: Items, format: str | None) -> dict[str, list[Any]]:
    """Items by corpus: each file, and what is in memory as `items`."""
    files = files_in(items)
    names = [Path(file).name for file in files]
    found = {
        file if names.count(name) > 1 else name: list(items_in([file], format=format))
        for file, name in zip(files, names, strict=True)
    }
    several = items if isinstance(items, list | tuple) else [items]
    rest = [one for one in several if not files_in(one)] if files else items
    if not files or rest:
        found["items"] = list(items_in(rest, format=format))
    return found
