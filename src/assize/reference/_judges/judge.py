"""A prompt that judges a continuation; without the reference that it needs it asks nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.conversation import Continuation
from assize.base.judgment import Judgment, Unscored
from assize.judging.judge import JudgeContext, JudgeOffer, Task
from assize.judging.method import Method
from assize.judging.prompt_judge import PromptJudge, unscored_rows

EMPTY = Unscored("empty", "the candidate holds no text")
NO_REFERENCE = Unscored("no_reference", "there is no reference to compare the candidate with")


@dataclass(frozen=True)
class ReferenceJudge(PromptJudge):
    """A `PromptJudge` of continuations.

    Args:
        referenced: whether a reference is needed.
    """

    referenced: bool = True

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One row; unscored, with nothing asked, where there is nothing to judge or compare."""
        item = task.item
        assert isinstance(item, Continuation)
        if not item.candidate.strip():
            return unscored_rows(self, task, EMPTY)
        if self.referenced and not any(map(str.strip, item.references)):
            return unscored_rows(self, task, NO_REFERENCE)
        return await super().judge(task)


def offer_judge(method: Method, *, referenced: bool = True) -> JudgeOffer:
    """The row of the table of judges (`judging/table.py`) of a method."""

    def open_judge(target: str, context: JudgeContext) -> ReferenceJudge:
        model = context.models.open(target)
        return ReferenceJudge(method, model, context.settings, referenced=referenced)

    return JudgeOffer(method.about, open_judge)
