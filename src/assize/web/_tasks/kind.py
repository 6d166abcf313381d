"""What a kind of task is: what it shows, what it asks, and the judgments that answers make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assize.base.conversation import Conversation, Item
from assize.base.judgment import Judgment, Order, Question
from assize.web._forms.form import Answers, Form
from assize.web._tasks.definition import Task
from assize.web._tasks.inputs import items_of
from assize.web._tasks.rows import Rating, rows_of
from assize.web._tasks.shown import shown_item

__all__ = ["Kind", "Rating", "Worked"]


@dataclass(frozen=True, slots=True)
class Worked:
    """A worked example: an item with its answers, each with its reason where one is given.

    Args:
        item: as the kind shows it.
        answers: by field.
        why: of all of them together.
        reasons: by field.
    """

    item: Item
    answers: Answers
    why: str = ""
    reasons: Mapping[str, str] = field(default_factory=dict)


class Kind:
    """A kind of task. To add one: copy the smallest file here, add its row to `KINDS`.

    Inherit from it: what is not written below stays as it is here.
    """

    name: str
    about: str
    template: str = "conversation.html"  # of what is beside the form, in templates/items/
    types: tuple[type[Any], ...] = (Conversation,)  # of items
    paired: bool = False  # whether two sides are shown, whose order is random
    counts: tuple[str, ...] = ()  # questions that nobody is asked: numbers that the kind counts
    how: str = ""  # what the kind itself tells raters, Markdown
    # where a rater makes a new item when none waits, such as "/collect/{task}"; "" where all items
    # come from files
    starts_at: str = ""

    def check(self, task: Task) -> None:
        """Raises DataError where the task's settings are none of this kind."""

    def items(self, task: Task) -> Sequence[Item]:
        """Read what the task is about from its files."""
        return items_of(task, *self.types)

    def form(self, task: Task, item: Item) -> Form:
        """Return what is asked of one item."""
        raise NotImplementedError

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """Return what the template shows of an item; nothing that raters must not know."""
        return shown_item(item, order, str(task.settings.get("information_need", "")))

    def questions(self, task: Task) -> Sequence[Question]:
        """Return all that may be asked, for `questions.json`."""
        raise NotImplementedError

    def main(self, task: Task) -> str:
        """Return the question that the others explain; "" where there is none."""
        return ""

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """Return the judgments of one submitted form; sides are the real A and B again."""
        form = self.form(task, item)
        return list(rows_of(self.questions(task), form, item.id, answers, rating))

    def asked(self, task: Task, item: Item) -> Sequence[tuple[str, int | None]]:
        """Return question and turn of each row of an answer; a skip leaves them unscored."""
        known = {question.id for question in self.questions(task)}
        fields = self.form(task, item).fields
        return [(field.name, field.turn) for field in fields if field.name in known]

    def instructions(self, task: Task) -> str:
        """Return what the kind itself tells raters, before the task's own."""
        return self.how

    def examples(self, task: Task) -> Sequence[Worked]:
        """Return worked examples that come with the kind; the task's own replace them."""
        return ()

    def made(self, task: Task, item: Item, answers: Answers, rating: Rating) -> Sequence[Item]:
        """Return records that a submitted form makes, such as a written conversation."""
        return ()
