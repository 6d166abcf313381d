"""A judge's rows on one item as a step of a run: asked once, and kept in its journal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from assize.base.errors import AuthenticationError, ModelError
from assize.base.judgment import Judgment, Unscored, Usage
from assize.formats import to_json
from assize.formats.records import judgment
from assize.judging.judge import Judge, Task, is_local, judge_one
from assize.judging.prompt_judge import Asked, unscored_rows
from assize.judging.reasons import reason_of
from assize.judging.steps import Steps


async def judge_as_step(judge: Judge, task: Task, steps: Steps, stage: str) -> Sequence[Judgment]:
    """The judge's rows; one unscored row a question where there is no answer.

    Raises:
        AuthenticationError: a model cannot be asked at all.
    """
    step = await steps.take(
        stage,
        f"{task.item.id} {judge.name} {task.order}",
        [judge.name, judge.signature, task.order, to_json(task.item)],
        partial(_ask, judge, task),
    )
    if step.answer is not None:
        return [judgment(dict(row)) for row in step.answer["rows"]]
    facts: dict[str, Any] = {"kind": judge.kind, "signature": judge.signature}
    rows = unscored_rows(judge, task, step.failure)
    return [replace(row, **facts, attempts=step.attempts, at=step.at) for row in rows]


async def _ask(judge: Judge, task: Task) -> Asked:
    """The judge's rows; unscored where none of them has an answer."""
    try:
        rows = await (judge_one(judge, task) if is_local(judge) else judge.judge(task))
    except AuthenticationError:
        raise
    except ModelError as error:
        return Asked(None, Unscored(reason_of(error), str(error)), error=error)
    usage = next((row.usage for row in rows if row.usage is not None), Usage())
    attempts = max((row.attempts or 0 for row in rows), default=0)
    reasons = [row.unscored for row in rows if row.unscored is not None]
    if reasons and len(reasons) == len(rows):
        return Asked(None, reasons[0], usage, attempts)
    facts: dict[str, Any] = {"kind": judge.kind, "signature": judge.signature}
    answers = [to_json(replace(row, **facts, order=task.order)) for row in rows]
    return Asked({"rows": answers}, None, usage, attempts)
