"""A judge that scores each response by itself: the higher score wins, equal ones are a tie."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

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


@dataclass(frozen=True, slots=True)
class Rated:
    """One response's score, or why it has none; and what it cost."""

    score: float | None
    unscored: Unscored | None = None
    usage: Usage | None = None
    attempts: int = 1
    explanation: str | None = None
    left_out: int = 0  # turns that `--truncate` did not show


Rate = Callable[[Continuation, Task], Awaitable[Rated]]


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

    async def _rated(self, response: Continuation, task: Task) -> Rated:
        try:
            return await self.rate(response, task)
        except AuthenticationError:
            raise
        except ModelError as error:
            return Rated(None, Unscored(reason_of(error), str(error)))


def higher(a: float, b: float) -> str:
    """The side with the higher score; equal scores are a tie.

    >>> higher(7, 7.5), higher(7, 7)
    ('B', 'tie')
    """
    return "A" if a > b else "B" if b > a else "tie"


def preferred(judge: str, task: Task, a: Rated, b: Rated) -> Judgment:
    """The row that prefers the side with the higher score; unscored where one has none."""
    missing = next(
        (
            Unscored(one.unscored.reason, f"{side}: {one.unscored.message}")
            for side, one in (("A", a), ("B", b))
            if one.unscored is not None
        ),
        None,
    )
    answer = None
    if missing is None and a.score is not None and b.score is not None:
        answer = higher(a.score, b.score)
    words = [f"{side}: {one.explanation}" for side, one in (("A", a), ("B", b)) if one.explanation]
    details: dict[str, Any] = {"scores": {"A": a.score, "B": b.score}}
    if a.left_out or b.left_out:
        details[LEFT_OUT] = max(a.left_out, b.left_out)
    hidden = invisible_in(texts_of(task.item))
    if hidden:
        details[INVISIBLE] = hidden
    return Judgment(
        task.item.id,
        judge,
        PREFERENCE.id,
        answer=answer,
        order=task.order,
        repeat=task.repeat,
        explanation="\n".join(words) or None,
        unscored=missing,
        details=details,
        attempts=a.attempts + b.attempts,
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
