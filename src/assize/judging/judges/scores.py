"""A judge made of scores: of a pair the side with the higher score wins, equal ones are a tie."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import AuthenticationError, ConfigError, ModelError
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question, Unscored, Usage
from assize.judging.boundary import INVISIBLE, invisible_in, texts_of
from assize.judging.judge import Task, identical, tied
from assize.judging.prompt_judge import PromptJudge, total, unscored_rows
from assize.judging.reasons import reason_of
from assize.judging.shortening import LEFT_OUT
from assize.judging.tools import said
from assize.running import all_of

Score = Callable[[Any, Task], Awaitable[Sequence[Judgment]]]
"""Scores a dialogue, or one response given as the continuation of its context: its rows, with
scores or why there are none, and what they cost. It may raise a ModelError."""


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
        item = (task.item.sides() if Conversation in asks.takes else responses(task.item))[0]
        return asks, Task(item, None, task.repeat)


@dataclass(frozen=True)
class ScoresJudge(AsksPrompts):
    """Scores what it is shown by one row a question; of a pair it scores both sides.

    A pair is judged once, without an order, for each side is looked at alone: the side with the
    higher score wins, equal scores are a tie, and both stand in `details`. One that takes pairs
    alone is shown responses; one that takes conversations is shown dialogues, and their details
    stand beside the scores.
    """

    name: str  # as in `name@target`
    signature: str  # see `Judge`
    score: Score  # the rows of one side, or of a dialogue
    scores: tuple[Question, ...] = (PREFERENCE,)  # that its rows answer
    # what a pair is asked, by the question that decides it
    prefers: Mapping[str, Question] = field(default_factory=lambda: {PREFERENCE.id: PREFERENCE})
    takes: tuple[type, ...] = (Pair,)
    asks: tuple[PromptJudge, ...] = ()  # the prompts behind it, where there are some

    kind: JudgeKind = "model"
    sees_order: Literal[False] = False

    @property
    def rows_vary(self) -> bool:
        """Whether pairs are asked other questions than dialogues."""
        return Conversation in self.takes

    @property
    def questions(self) -> tuple[Question, ...]:
        """Those of dialogues, and those of pairs."""
        return (*(self.scores if self.rows_vary else ()), *self.prefers.values())

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """The rows of a dialogue, or of a pair; a failed call leaves its rows unscored."""
        if not isinstance(task.item, Pair):
            return await self._scored(task.item, task)
        if identical(task.item):
            return tied(self, task, self.prefers.values())
        sides = task.item.sides() if self.rows_vary else responses(task.item)
        a, b = await all_of(self._scored(side, task) for side in sides)
        return self._preferred(task, a, b)

    async def _scored(self, item: Any, task: Task) -> Sequence[Judgment]:
        try:
            return await self.score(item, task)
        except AuthenticationError:
            raise
        except ModelError as error:
            reason, alone = Unscored(reason_of(error), str(error)), Task(item, None, task.repeat)
            first, *others = unscored_rows(self, alone, reason, questions=self.scores)
            return [replace(first, attempts=1), *others]

    def _preferred(
        self, task: Task, a: Sequence[Judgment], b: Sequence[Judgment]
    ) -> list[Judgment]:
        """A row a question of pairs; what all calls cost stands on the first."""
        sides = [{row.question: row for row in rows} for rows in (a, b)]
        found = []
        for decides, question in self.prefers.items():
            one, two = (rows[decides] for rows in sides)
            row = preferred(self.name, task, one, two)
            details = dict(row.details or {})
            if self.rows_vary and (one.details or two.details):
                details["sides"] = {"A": one.details, "B": two.details}
            found.append(replace(row, question=question.id, details=details, usage=None))
        usage = together([row.usage for row in (*a, *b)])
        return [replace(found[0], usage=usage), *found[1:]]


async def answered(asks: Iterable[PromptJudge], task: Task) -> list[Judgment]:
    """The rows of several prompts about one item; a call that fails leaves its own unscored."""

    async def one(asked: PromptJudge) -> Sequence[Judgment]:
        try:
            return await asked.judge(task)
        except AuthenticationError:
            raise
        except ModelError as error:
            return unscored_rows(asked, task, Unscored(reason_of(error), str(error)))

    return [row for rows in await all_of(one(asked) for asked in asks) for row in rows]


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


def responses(pair: Pair) -> tuple[Continuation, Continuation]:
    """Both sides as continuations of the context; their ids are `ID/A` and `ID/B`."""
    a, b = (
        Continuation(f"{pair.id}/{side}", pair.context, text_of(turns))
        for side, turns in (("A", pair.a), ("B", pair.b))
    )
    return a, b


def text_of(turns: Sequence[Turn]) -> str:
    """What a side says: its one turn, or all turns with their roles."""
    if len(turns) == 1:
        return said(turns[0])
    return "\n\n".join(f"{turn.role}: {said(turn)}" for turn in turns)


def together(usages: Sequence[Usage | None]) -> Usage | None:
    """The sum of what several calls used; None where none is known."""
    known = [one for one in usages if one is not None]
    return total(known) if known else None
