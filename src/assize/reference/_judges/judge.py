"""A prompt that judges a continuation; without the reference that it needs it asks nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from assize.base.conversation import Continuation, Item
from assize.base.judgment import Judgment, Question, Unscored
from assize.base.signature import sign
from assize.judging.judge import JudgeContext, Task
from assize.judging.method import Method
from assize.judging.options import ReferenceOptions
from assize.judging.prompt_judge import PromptJudge, unscored_rows
from assize.judgments.values import number_of

EMPTY = Unscored("empty", "the candidate holds no text")
NO_REFERENCE = Unscored("no_reference", "there is no reference to compare the candidate with")


@dataclass(frozen=True)
class ReferenceJudge(PromptJudge):
    """A `PromptJudge` of continuations.

    Args:
        referenced: whether a reference is needed.
        options: what a score is.
    """

    referenced: bool = True
    options: ReferenceOptions = field(default_factory=ReferenceOptions)

    @cached_property
    def signature(self) -> str:
        """As of the prompt, and of what a score is."""
        asked = super().signature
        counted = self.options.reference_values
        return asked if counted == "answer" else sign(asked, counted)

    async def judge(self, task: Task) -> Sequence[Judgment]:
        """One row; unscored, with nothing asked, where there is nothing to judge or compare."""
        reason = self._unfit(task.item)
        if reason is not None:
            return unscored_rows(self, task, reason)
        rows = await super().judge(task)
        if self.options.reference_values == "answer":
            return rows
        return [expected(row, question) for row, question in zip(rows, self.questions, strict=True)]

    def _unfit(self, item: Item) -> Unscored | None:
        assert isinstance(item, Continuation)
        if not item.candidate.strip():
            return EMPTY
        if self.referenced and not any(one.strip() for one in item.references):
            return NO_REFERENCE
        return None


def expected(row: Judgment, question: Question) -> Judgment:
    """A row whose score is the mean of its distribution, where it has one."""
    if not row.distribution:
        return row
    bare = replace(row, answer=None, score=None)
    return replace(row, score=number_of(bare, question))


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
            options=ReferenceOptions(**context.options),
        )
