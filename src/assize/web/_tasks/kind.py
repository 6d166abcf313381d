"""What a kind of task is: what it shows, what it asks, and the judgments that answers make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from assize.base.conversation import Item
from assize.base.judgment import Judgment, Order, Question
from assize.web._forms.form import Answers, Form
from assize.web._tasks.definition import Task


@dataclass(frozen=True, slots=True)
class Rating:
    """Who answered, when and how: what every judgment of an answer carries.

    Args:
        rater: the person's name.
        version: number of the task's version that was answered.
        seconds: of work, idle time left out.
        order: `BA` where the sides of a pair were shown exchanged.
        chosen: how the item came to this person: random, file, gold, ...
        suggestion: what a judge proposed and was shown, by field; None where nothing was.
        at: ISO 8601, UTC.
        person: their number in the project's database, which stays when they are renamed.
    """

    rater: str
    version: int
    seconds: float
    at: str
    order: Order | None = None
    repeat: int = 0
    chosen: str = "random"
    pilot: bool = False
    suggestion: Mapping[str, Any] | None = None
    person: int = 0


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


class Kind(Protocol):
    """A kind of task. To add one: copy the smallest file here, add its row to `KINDS`.

    Inherit from it: what is not written below stays as it is here.
    """

    name: str
    about: str
    template: str  # of what is shown beside the form, in templates/items/
    paired: bool = False  # whether two sides are shown, whose order is random
    counts: tuple[str, ...] = ()  # questions that nobody is asked: numbers that the kind counts
    # where a rater makes a new item when none waits, such as "/collect/{task}"; "" where all items
    # come from files
    starts_at: str = ""

    def check(self, task: Task) -> None:
        """Raises DataError where the task's settings are none of this kind."""
        ...

    def items(self, task: Task) -> Sequence[Item]:
        """What the task is about, read from its files."""
        ...

    def form(self, task: Task, item: Item) -> Form:
        """What is asked of one item."""
        ...

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """What the template shows of it; nothing that raters must not know."""
        ...

    def questions(self, task: Task) -> Sequence[Question]:
        """All that may be asked, for `questions.json`."""
        ...

    def main(self, task: Task) -> str:
        """The question that the others explain; "" where there is none."""
        return ""

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """The judgments of one submitted form; sides are mapped back to the real A and B."""
        ...

    def asked(self, task: Task, item: Item) -> Sequence[tuple[str, int | None]]:
        """Question and turn of each row that an answer makes; a skip leaves them unscored."""
        known = {one.id for one in self.questions(task)}
        fields = self.form(task, item).fields
        return [(one.name, one.turn) for one in fields if one.name in known]

    def instructions(self, task: Task) -> str:
        """What the kind itself tells raters, Markdown; it stands before the task's own."""
        return ""

    def examples(self, task: Task) -> Sequence[Worked]:
        """Worked examples that come with the kind; the task's own stand in their place."""
        return ()

    def made(self, task: Task, item: Item, answers: Answers, rating: Rating) -> Sequence[Item]:
        """Records that a submitted form makes, such as a written conversation."""
        return ()
