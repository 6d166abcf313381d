"""What tests of evaluators share: conversations in lines, and what stands beside a score."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from assize.base.conversation import Conversation, Item
from assize.base.judgment import Judgment
from assize.evaluator import Evaluator
from assize.evaluator._scoring import score

Talk = Callable[..., Conversation]
"""`talk("id", "u: hi", "a: hello")`."""


def details_of(row: Judgment) -> dict[str, Any]:
    assert row.details is not None
    return dict(row.details)


def why_unscored(row: Judgment) -> tuple[str, str]:
    """The reason and the message."""
    assert row.unscored is not None
    return row.unscored.reason, row.unscored.message


def scores_of(
    evaluator: Evaluator, items: Iterable[Item], question: str = "overall"
) -> list[float]:
    """The scores of items that have one."""
    rows = score(items, evaluator=evaluator)
    return [row.score for row in rows if row.question == question and row.score is not None]
