"""`continuation`: how close a candidate comes to what a person said there (UPHELD)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

from pydantic import Field as Setting

from assize.base.conversation import Continuation, Item
from assize.base.judgment import Judgment, Order, Question
from assize.reference._rating_sheets.form import RATINGS, Asked
from assize.reference._rating_sheets.workbook import reference_of
from assize.web._forms.form import Answers, Field, Form, FormSection
from assize.web._markdown import plain
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating, Worked
from assize.web._tasks.rows import rows_of
from assize.web._tasks.settings import Settings, settings_of
from assize.web._tasks.shown import shown_turns
from assize.web._tasks.typed import items_of, only

Scale = Literal["content", "style", "reasonableness"]
HOW = (
    "You see a conversation so far and two ways to continue it, Option A and Option B. Who wrote"
    " them does not matter and is not said. Answer for each pair of options anew; you need not"
    " explain your answers."
)


class ContinuationSettings(Settings):
    """Of a task that rates continuations."""

    scales: list[Scale] = Setting(default=["content", "style", "reasonableness"], min_length=1)
    markdown: bool = True  # UPHELD's people saw cells of a spreadsheet: texts as they are written


class ContinuationRating(Kind):
    """Rates Option B, a candidate, against Option A, what a person said.

    Content is rated from 1 to 5, style 1, 3 or 5, and reasonableness, of B alone, 1 or 5. The
    rules stand beside each question: a complete but wordier B gets at most 3 for content, a B
    that cannot be read 3 for content and 1 for reasonableness, a text that is cut short is rated
    as it stands, and naming itself an AI lowers nothing.

    Source: UPHELD, appendix C; the wording is ours. Differs: where a record holds several
    references, A is the first that has a text.
    """

    name = "continuation"
    about = "rate a continuation against what a person said"
    template = "continuation.html"

    def check(self, task: Task) -> None:
        """Raises DataError where a scale stands twice."""
        scales = settings_of(task, ContinuationSettings).scales
        if len(set(scales)) < len(scales):
            raise problem_in(task, "a scale stands twice", "settings", "scales")

    def items(self, task: Task) -> Sequence[Item]:
        """The continuations of the task's files; each needs a reference."""
        found = items_of(task, Continuation)
        for one in found:
            if not reference_of(one):
                raise problem_in(
                    task, f"{one.id!r} has no reference, which would be Option A", "items"
                )
        return found

    def form(self, task: Task, item: Item) -> Form:
        """A section for each scale, with its rules."""
        return Form(
            tuple(
                FormSection(_title(title), (_field(one),), rules)
                for one, (title, rules) in _scales(task)
            )
        )

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The conversation so far and both options, neither of them signed."""
        markdown = settings_of(task, ContinuationSettings).markdown
        return shown_options(only(item, Continuation), markdown=markdown)

    def questions(self, task: Task) -> Sequence[Question]:
        """The scales, 1 to 5 each as every reader of such ratings has them."""
        return [one.question for one, _ in _scales(task)]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One a scale."""
        form = self.form(task, item)
        return list(rows_of(self.questions(task), form, item.id, answers, rating))

    def instructions(self, task: Task) -> str:
        """What stands on the page, and the rules of each scale; they stand with it, too."""
        rules = (f"## {_title(title)}\n\n{text}" for _, (title, text) in _scales(task))
        return "\n\n".join([HOW, *rules])

    def examples(self, task: Task) -> Sequence[Worked]:
        """Annotated ones of our own."""
        asked = [one for one, _ in _scales(task)]
        places = {one.question.id: place for place, one in enumerate(RATINGS.asked)}
        return [
            Worked(
                Continuation(f"example-{number}", one.context, one.b, (one.a,)),
                {
                    scale.question.id: one.filled[places[scale.question.id]].partition(":")[0]
                    for scale in asked
                },
                one.why,
            )
            for number, one in enumerate(RATINGS.examples, start=1)
        ]


def shown_options(item: Continuation, *, markdown: bool) -> dict[str, Any]:
    """A conversation so far, and the two options by name; as written where not `markdown`."""
    options = [("Option A", reference_of(item)), ("Option B", item.candidate)]
    turns = shown_turns(item.context)
    if not markdown:
        turns = tuple(replace(one, html=plain(one.text)) for one in turns)
    return {"turns": turns, "options": options, "plain": not markdown}


def choices(asked: Asked) -> Question:
    """A sheet's column as a question: its dropdown's answers, numbers and all, for rules name them.

    >>> from assize.reference._rating_sheets.form import STYLE
    >>> choices(STYLE).labels["3"]
    '3: somewhat the same style'
    """
    labels = {one.partition(": ")[0]: one for one in asked.answers}
    return replace(asked.question, answers=tuple(labels), values=None, labels=labels)


def as_markdown(rules: str) -> str:
    """A sheet's rules as Markdown, in which a line behind a list needs one between.

    >>> as_markdown("Why:\\n- a\\nRules:\\n- b")
    'Why:\\n\\n- a\\n\\nRules:\\n\\n- b'
    """
    lines = rules.split("\n")
    found = lines[:1]
    for before, line in pairwise(lines):
        if before.startswith("- ") != line.startswith("- "):
            found.append("")
        found.append(line)
    return "\n".join(found)


_ASKED = {  # what stands above the answers, and what is always to be kept in mind
    "content": (
        "Do both options convey the same information?",
        "All of A, but wordier: at most 3. Cannot be read: 3. Cut short: as it stands. Naming"
        " itself an AI lowers nothing.",
    ),
    "style": (
        "Are both options in the same style, as if one person spoke?",
        "Neither content nor length counts.",
    ),
    "reasonableness": (
        "Is Option B a reasonable way to continue?",
        "Option B alone. Cannot be read: 1. Cut short: up to where it ends. Naming itself an AI"
        " lowers nothing.",
    ),
}


def _field(asked: Asked) -> Field:
    question = choices(asked)
    text, note = _ASKED[question.id]
    return Field(question.id, replace(question, text=text), note=note)


def _title(title: str) -> str:
    """`Task 1: content` of a sheet as the title of a section."""
    return title.partition(": ")[2].capitalize()


def _scales(task: Task) -> list[tuple[Asked, tuple[str, str]]]:
    """The scales that the task has, each with its title and rules."""
    wanted = settings_of(task, ContinuationSettings).scales
    rules = dict(
        zip((one.question.id for one in RATINGS.asked), RATINGS.instructions[1:], strict=True)
    )
    known = {one.question.id: one for one in RATINGS.asked}
    return [(known[name], (rules[name][0], as_markdown(rules[name][1]))) for name in wanted]
