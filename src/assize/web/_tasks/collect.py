"""`collect` and `collect-pairs`: rating a conversation that the rater has just had.

What is asked is asked by another kind: the `form` of the settings are that kind's own settings.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from assize.base.conversation import Item
from assize.base.judgment import Judgment, Order, Question
from assize.web._forms import Answers, Form
from assize.web._tasks.compare import Compare
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating, Worked
from assize.web._tasks.rate import Rate

NEED = "topic_text"  # the metadata field that says what the user wanted

_ASKING: dict[str, Kind] = {one.name: one for one in (Rate(), Compare())}


class Collect(Kind):
    """Talks with a hidden system, then rates the conversation on a rubric."""

    name = "collect"
    about = "talk with a hidden system about a topic, then rate the conversation on a rubric"
    template = "conversation.html"
    starts_at = "/collect/{task}"
    sides = 1
    asks = "rate"  # the kind whose form it has

    def check(self, task: Task) -> None:
        """Raises DataError where the settings, topics or prompts are wrong, or raters are to
        qualify: there is nothing to rate before a conversation was had."""
        from assize.web._collect.opened import check_files

        if task.qualification is not None:
            problem = (
                f"{self.name!r} has no items before raters talk, so nobody can be tested on them;"
                " take it out, and test raters in a task of kind 'rate'"
            )
            raise problem_in(task, problem, "qualification")
        self._asking().check(self._asked(task))
        check_files(task)

    def items(self, task: Task) -> Sequence[Item]:
        """None: conversations become items as they end."""
        return ()

    def form(self, task: Task, item: Item) -> Form:
        """What is asked of a conversation."""
        return self._asking().form(self._asked(task), item)

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The conversation, without what tells its system."""
        return self._asking().shown(self._asked(task), item, order)

    def questions(self, task: Task) -> Sequence[Question]:
        """All that may be asked."""
        return self._asking().questions(self._asked(task))

    def main(self, task: Task) -> str:
        """That of the form."""
        return self._asking().main(self._asked(task))

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """The judgments of one submitted form; their item is the chat's id."""
        return self._asking().judgments(self._asked(task), item, answers, rating)

    def instructions(self, task: Task) -> str:
        """Those of the form."""
        return self._asking().instructions(self._asked(task))

    def examples(self, task: Task) -> Sequence[Worked]:
        """None: whoever rates has had the conversation."""
        return ()

    def _asking(self) -> Kind:
        return _ASKING[self.asks]

    def _asked(self, task: Task) -> Task:
        """The task as the kind that asks reads it; raises DataError where a setting is wrong."""
        from assize.web._collect.settings import collect_settings

        form = {"information_need": NEED, **collect_settings(task, self.sides).form}
        return replace(task, kind=self.asks, settings=form)


class CollectPairs(Collect):
    """Talks with two hidden systems at the same time, then says which was better."""

    name = "collect-pairs"
    about = "talk with two hidden systems side by side, then say which was better"
    template = "pair.html"  # in the order of the chat, whose sides were drawn
    sides = 2
    asks = "compare"
