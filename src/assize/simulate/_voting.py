"""Judges' votes on a pair in both orders, each a step that is asked once."""

from __future__ import annotations

from collections.abc import Sequence

from assize.base.conversation import Pair
from assize.base.judgment import Judgment, Order
from assize.judging.judge import Judge, Task
from assize.judging.judge_step import judge_as_step
from assize.judging.steps import Steps
from assize.running import all_of

STAGE = "vote"
_ORDERS: tuple[Order, ...] = ("AB", "BA")


async def votes_on(pair: Pair, judges: Sequence[Judge], steps: Steps) -> list[Judgment]:
    """Every judge's votes in both orders, side by side.

    One unscored row a question stands where there is no answer.

    Raises:
        AuthenticationError: a model cannot be asked at all.
    """
    votes = await all_of(
        judge_as_step(judge, Task(pair, order), steps, STAGE)
        for judge in judges
        for order in _ORDERS
    )
    return [row for rows in votes for row in rows]
