"""A prompt that judges a continuation; without the reference that it needs it asks nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.conversation import Continuation, Item
from assize.base.judgment import Judgment, Unscored
from assize.judging.judge import JudgeContext, Task
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
        reason = self._unfit(task.item)
        if reason is not None:
            return unscored_rows(self, task, reason)
        return await super().judge(task)

    def _unfit(self, item: Item) -> Unscored | None:
        assert isinstance(item, Continuation)
        if not item.candidate.strip():
            return EMPTY
        if self.referenced and not any(one.strip() for one in item.references):
            return NO_REFERENCE
        return None


@dataclass(frozen=True, slots=True)
class ReferenceOffer:
    """A row of the table of judges; see `judging/table.py`."""

    method: Method
    referenced: bool = True

    @property
    def about(self) -> str:
        """As of the method."""
        return self.method.about

    def open(self, target: str, context: JudgeContext) -> ReferenceJudge:
        """The judge that asks this model."""
        return ReferenceJudge(
            self.method,
            context.models.open(target),
            context.settings,
            referenced=self.referenced,
        )
