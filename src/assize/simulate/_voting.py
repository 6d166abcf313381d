"""Judges' votes on a pair in both orders, each a step that is asked once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assize.base.conversation import Pair
from assize.base.errors import AuthenticationError, ModelError
from assize.base.judgment import Judgment, Order, Unscored, Usage
from assize.formats import to_json
from assize.formats.records import judgment
from assize.judging.judge import Judge, Task, is_local, judge_one
from assize.judging.reasons import reason_of
from assize.judging.retries import Asked
from assize.judging.steps import Step, Steps
from assize.running import all_of

STAGE = "vote"
_ORDERS: tuple[Order, ...] = ("AB", "BA")


@dataclass(frozen=True, slots=True)
class Vote:
    """What a judge said of a pair in one order."""

    pair: Pair
    judge: Judge
    order: Order
    step: Step

    def rows(self) -> list[Judgment]:
        """Its judgments; one unscored row a question where there is no answer."""
        if self.step.answer is not None:
            return [judgment(dict(one)) for one in self.step.answer["rows"]]
        return [
            Judgment(
                self.pair.id,
                self.judge.name,
                one.id,
                order=self.order,
                kind=self.judge.kind,
                unscored=self.step.failure,
                signature=self.judge.signature,
                attempts=self.step.attempts,
                at=self.step.at,
            )
            for one in self.judge.questions
        ]


async def votes_on(pair: Pair, judges: Sequence[Judge], steps: Steps) -> tuple[Vote, ...]:
    """Every judge's vote in both orders, side by side.

    Raises:
        AuthenticationError: a model cannot be asked at all.
    """
    wanted = [(judge, order) for judge in judges for order in _ORDERS]
    taken = await all_of(_taken(pair, judge, order, steps) for judge, order in wanted)
    return tuple(
        Vote(pair, judge, order, step) for (judge, order), step in zip(wanted, taken, strict=True)
    )


async def _taken(pair: Pair, judge: Judge, order: Order, steps: Steps) -> Step:
    async def ask() -> Asked:
        return await _asked(judge, Task(pair, order))

    given = [judge.name, judge.signature, order, to_json(pair)]
    return await steps.take(STAGE, f"{pair.id} {judge.name} {order}", given, ask)


async def _asked(judge: Judge, task: Task) -> Asked:
    """The judge's rows; unscored where none of them has an answer."""
    try:
        rows = await (judge_one(judge, task) if is_local(judge) else judge.judge(task))
    except AuthenticationError:
        raise
    except ModelError as error:
        return Asked(None, Unscored(reason_of(error), str(error)), error=error)
    usage = next((one.usage for one in rows if one.usage is not None), Usage())
    attempts = max((one.attempts or 0 for one in rows), default=0)
    lost = next((one.unscored for one in rows if one.unscored is not None), None)
    if lost is not None and all(one.unscored is not None for one in rows):
        return Asked(None, lost, usage, attempts)
    told = [
        to_json(replace(one, kind=judge.kind, signature=judge.signature, order=task.order))
        for one in rows
    ]
    return Asked({"rows": told}, None, usage, attempts)
