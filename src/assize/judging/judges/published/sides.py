"""A judge that scores dialogues, and of a pair prefers the side whose score is higher."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from assize.base.conversation import Conversation, Pair
from assize.base.errors import AuthenticationError, ModelError
from assize.base.judgment import JudgeKind, Judgment, Question, Unscored
from assize.judging.judge import Task, identical, tied
from assize.judging.judges.pointwise import AsksPrompts, preferred, together
from assize.judging.prompt_judge import PromptJudge, unscored_rows
from assize.judging.reasons import reason_of
from assize.running import all_of

Score = Callable[[Conversation, Task], Awaitable[Sequence[Judgment]]]


@dataclass(frozen=True)
class SidesJudge(AsksPrompts):
    """Scores a dialogue by one row a question; of a pair it scores both sides.

    A pair is judged once, without an order, for each side is looked at alone: the side with the
    higher score wins, equal scores are a tie, and both stand in `details`.
    """

    name: str  # as in `name@target`
    signature: str  # see `Judge`
    scores: tuple[Question, ...]  # of a dialogue
    prefers: Mapping[str, Question]  # what a pair is asked, by the question that decides it
    score: Score  # the rows of one dialogue; may raise a ModelError
    kind: JudgeKind = "model"
    asks: tuple[PromptJudge, ...] = ()  # the prompts behind it, where there are some

    takes: tuple[type, ...] = (Conversation, Pair)
    rows_vary: bool = True  # pairs are asked other questions than dialogues
    sees_order: Literal[False] = False

    @property
    def questions(self) -> tuple[Question, ...]:
        """Those of dialogues, and those of pairs."""
        return (*self.scores, *self.prefers.values())

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """The rows of a dialogue, or of a pair; a failed call leaves its rows unscored."""
        if isinstance(task.item, Conversation):
            return await self._scored(task.item, task)
        assert isinstance(task.item, Pair)
        if identical(task.item):
            return tied(self, task, self.prefers.values())
        a, b = await all_of(self._scored(side, task) for side in task.item.sides())
        return self._preferred(task, a, b)

    async def _scored(self, item: Conversation, task: Task) -> Sequence[Judgment]:
        try:
            return await self.score(item, task)
        except AuthenticationError:
            raise
        except ModelError as error:
            reason = Unscored(reason_of(error), str(error))
            return [
                Judgment(item.id, self.name, one.id, repeat=task.repeat, unscored=reason)
                for one in self.scores
            ]

    def _preferred(
        self, task: Task, a: Sequence[Judgment], b: Sequence[Judgment]
    ) -> list[Judgment]:
        """A row a question of pairs; what all calls cost stands on the first."""
        sides = [{row.question: row for row in rows} for rows in (a, b)]
        found = []
        for decides, question in self.prefers.items():
            one, two = (rows[decides] for rows in sides)
            row = preferred(self.name, task, one, two)
            more = {side: rows[decides].details for side, rows in zip("AB", sides, strict=True)}
            told = {"sides": more} if any(more.values()) else {}
            details = {**(row.details or {}), **told}
            found.append(
                replace(row, question=question.id, details=details, usage=None, order=None)
            )
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
