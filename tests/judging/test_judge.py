"""What a judge may say of itself, and what counts where it says nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from assize.conversation import Conversation
from assize.judging.judge import Task, is_local, judge_one, sees_order
from assize.judgment import Judgment


def test_a_judge_sees_the_order_and_needs_a_model_unless_it_says_otherwise() -> None:
    silent: Any = SimpleNamespace()
    assert sees_order(silent)
    assert not is_local(silent)
    local: Any = SimpleNamespace(sees_order=False, needs_model=False)
    assert not sees_order(local)
    assert is_local(local)


def test_one_task_of_a_local_judge_is_answered_as_many_are() -> None:
    def many(tasks: Sequence[Task]) -> list[list[Judgment]]:
        return [[Judgment(task.item.id, "metric", "length", score=3.0)] for task in tasks]

    judge: Any = SimpleNamespace(judge_many=many, needs_model=False)
    (row,) = asyncio.run(judge_one(judge, Task(Conversation("c", ()))))
    assert (row.item, row.score) == ("c", 3.0)
