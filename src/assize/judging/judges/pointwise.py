"""A judge that scores each response by itself: the higher score wins, equal ones are a tie."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import AuthenticationError, ConfigError, ModelError
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question, Unscored, Usage
from assize.judging.boundary import INVISIBLE, invisible_in, texts_of
from assize.judging.judge import Task, identical, tied
from assize.judging.prompt_judge import PromptJudge, total
from assize.judging.reasons import reason_of
from assize.judging.shortening import LEFT_OUT
from assize.judging.tools import said
from assize.running import all_of

Side = Literal["A", "B"]


Rate = Callable[[Continuation, Task], Awaitable[Judgment]]
"""Scores one response: a row with its score, or why it has none, and what it cost."""


class AsksPrompts:
    """What judges share whose calls are those of prompts.

    Args:
        asks: the prompts; none where nobody is prompted.
    """

    name: str
    asks: tuple[PromptJudge, ...]

    @property
    def prompt_version(self) -> str | None:
        """The first prompt's version and hash, for `run.json`."""
        return self.asks[0].prompt_version if self.asks else None

    def first_call(self, task: Task, question: str | None = None) -> tuple[PromptJudge, Task]:
        """What is asked first, of a pair about side A where sides are looked at alone.

        Raises:
            ConfigError: no prompt asks the question.
        """
        for asks in self.asks:
            if question in (None, asks.questions[0].id):
                break
        else:
            known = ", ".join(one.questions[0].id for one in self.asks)
            problem = f"{known}, and not {question}" if known else "with no prompt"
            raise ConfigError(f"{self.name} asks {problem}")
        if not isinstance(task.item, Pair) or Pair in asks.takes:
            return asks, task
        item = task.item.sides()[0] if Conversation in asks.takes else alone(task.item, "A")
        return asks, Task(item, None, task.repeat)


@dataclass(frozen=True)
class PointwiseJudge(AsksPrompts):
    """Compares what a rater says of either response."""

    name: str  # as in `name@target`
    signature: str  # see `Judge`
    rate: Rate  # scores a response, given as the continuation of its context
    kind: JudgeKind = "model"  # see `Judge`
    asks: tuple[PromptJudge, ...] = ()  # the prompt behind the rater, where there is one

    takes: tuple[type, ...] = (Pair,)
    questions: tuple[Question, ...] = (PREFERENCE,)
    rows_vary: bool = False
    sees_order: bool = False  # each response is looked at alone: there is one vote, no order

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One row: A, B or tie, with both scores in `details`."""
        if identical(task.item):
            return tied(self, task)
        assert isinstance(task.item, Pair)
        sides = [alone(task.item, "A"), alone(task.item, "B")]
        a, b = await all_of(self._rated(one, task) for one in sides)
        return [preferred(self.name, task, a, b)]

    async def _rated(self, response: Continuation, task: Task) -> Judgment:
        try:
            return await self.rate(response, task)
        except AuthenticationError:
            raise
        except ModelError as error:
            why = Unscored(reason_of(error), str(error))
            return Judgment(response.id, self.name, PREFERENCE.id, unscored=why, attempts=1)


def higher(a: float, b: float) -> str:
    """The side with the higher score; equal scores are a tie.

    >>> higher(7, 7.5), higher(7, 7)
    ('B', 'tie')
    """
    return "A" if a > b else "B" if b > a else "tie"


def preferred(judge: str, task: Task, a: Judgment, b: Judgment) -> Judgment:
    """The row that prefers the side with the higher score; unscored where one has none.

    Args:
        a, b: what is said of each side by itself.
    """
    sides = {"A": a, "B": b}
    missing = next(
        (
            Unscored(row.unscored.reason, f"{side}: {row.unscored.message}")
            for side, row in sides.items()
            if row.unscored is not None
        ),
        None,
    )
    answer = None
    if missing is None and a.score is not None and b.score is not None:
        answer = higher(a.score, b.score)
    words = [f"{side}: {row.explanation}" for side, row in sides.items() if row.explanation]
    facts = {
        LEFT_OUT: max((row.details or {}).get(LEFT_OUT, 0) for row in sides.values()),
        INVISIBLE: invisible_in(texts_of(task.item)),
    }
    scores = {side: row.score for side, row in sides.items()}
    return Judgment(
        task.item.id,
        judge,
        PREFERENCE.id,
        answer=answer,
        order=task.order,
        repeat=task.repeat,
        explanation="\n".join(words) or None,
        unscored=missing,
        details={"scores": scores, **{name: count for name, count in facts.items() if count}},
        attempts=sum(row.attempts or 0 for row in sides.values()),
        usage=together([a.usage, b.usage]),
    )


def alone(pair: Pair, side: Side) -> Continuation:
    """One side of a pair as a continuation of the context; its id is `ID/A` or `ID/B`."""
    turns = pair.a if side == "A" else pair.b
    return Continuation(f"{pair.id}/{side}", pair.context, text_of(turns))


def text_of(turns: Sequence[Turn]) -> str:
    """What a side says: its one turn, or all turns with their roles."""
    if len(turns) == 1:
        return said(turns[0])
    return "\n\n".join(f"{turn.role}: {said(turn)}" for turn in turns)


def together(usages: Sequence[Usage | None]) -> Usage | None:
    """The sum of what several calls used; None where none is known."""
    known = [one for one in usages if one is not None]
    return total(known) if known else None
