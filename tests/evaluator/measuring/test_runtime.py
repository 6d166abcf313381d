"""Seconds an instance: which answers count, not how long they take."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import TooLongError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator._measuring.runtime import runtimes
from assize.judging.judge import Task

SAID = (Turn("assistant", "x"),)
CHATS: list[Item] = [Conversation(str(at), SAID) for at in range(4)]
PAIRS: list[Item] = [Pair(f"p{at}", (), SAID, SAID) for at in range(3)]


@dataclass
class Judge:
    """Answers everything but the item `1`; notes what it was asked."""

    takes: tuple[type, ...] = (Conversation, Pair)
    asked: list[tuple[str, str | None]] = field(default_factory=list)
    name: str = "own"
    kind: str = "model"
    questions: tuple[Question, ...] = (PREFERENCE,)
    signature: str = "0f"
    rows_vary: bool = False

    async def judge(self, task: Task) -> Sequence[Judgment]:
        self.asked.append((task.item.id, task.order))
        if task.item.id == "1":
            raise TooLongError("too long")
        return [Judgment(task.item.id, self.name, "preference", answer="A")]


def test_each_kind_is_timed_after_one_trial_and_a_failure_is_unscored() -> None:
    judge = Judge()
    (found,) = runtimes([judge], [*CHATS, *PAIRS], most=3)  # type: ignore[list-item]
    assert (found.judge, found.conversation.n, found.conversation.unscored) == ("own", 2, 1)
    assert found.pair.n == 3
    assert judge.asked[:2] == [("0", None), ("0", None)]
    assert judge.asked[4:6] == [("p0", "AB"), ("p0", "AB")]
    assert found.conversation.estimate >= 0


def test_a_judge_of_pairs_has_no_figure_for_conversations() -> None:
    (found,) = runtimes([Judge(takes=(Pair,))], [*CHATS, *PAIRS])  # type: ignore[list-item]
    assert math.isnan(found.conversation.estimate)
    assert found.conversation.n == 0
