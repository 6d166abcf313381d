"""What commands on evaluators are given: a folder or `default`, items, and judgments of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assize.formats import Judgments
from assize.judgments import JudgmentTable
from assize.workflows.reading import judgments_of


def folder_of(evaluator: str | Path) -> str | Path | None:
    """The folder; None for the shipped evaluator."""
    return None if isinstance(evaluator, str) and evaluator == "default" else evaluator


def read_twice(items: Any) -> Any:
    """What can be read twice: for its judgments, and for itself."""
    return list(items) if isinstance(items, Iterator) else items


def judgments_beside(items: Any, judgments: Judgments | None, format: str | None) -> JudgmentTable:
    """The judgments; by default those that stand among the items."""
    if judgments is None:
        return judgments_of(items, format=format, argument="items")
    return judgments_of(judgments)
