"""Two responses that say the same are a tie, and no model needs to be asked."""

from __future__ import annotations

from collections.abc import Sequence

from assize.conversation import Item, Pair, Turn
from assize.judging.judge import Judge, Task
from assize.judgment import Judgment


def identical(item: Item) -> bool:
    """Whether both sides of a pair say the same, blanks at the ends aside."""
    if not isinstance(item, Pair):
        return False
    return _said(item.a) == _said(item.b)


def _said(side: Sequence[Turn]) -> list[tuple[str, str]]:
    return [(turn.role, turn.text.strip()) for turn in side]


def tied(judge: Judge, task: Task) -> list[Judgment]:
    """A tie on each of the judge's questions; no call, so no usage."""
    return [
        Judgment(
            task.item.id,
            judge.name,
            question.id,
            answer="tie",
            order=task.order,
            repeat=task.repeat,
            details={"identical": True},
            attempts=0,
        )
        for question in judge.questions
    ]
