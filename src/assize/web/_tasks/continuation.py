"""`continuation` and `contrast`: a candidate beside what a person said there (UPHELD).

Both show the conversation so far, Option A, what a person said, and Option B, the candidate; the
questions are those of a rating sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from pydantic import Field as Setting

from assize.base.conversation import Continuation, Item
from assize.base.judgment import Order, Question
from assize.judgments import JudgmentTable
from assize.pages.markdown import plain
from assize.reference._continuations.context import place_of
from assize.reference._contrasts.turns import differing_turns, mean_scores, shuffled
from assize.reference._rating_sheets.form import COMPARED, RATINGS, FormColumn
from assize.reference._rating_sheets.workbook import reference_of
from assize.web._forms.form import Field, Form, FormSection
from assize.web._tasks.definition import Settings, Task, problem_in, settings_of
from assize.web._tasks.inputs import items_of, only, read_votes
from assize.web._tasks.kind import Kind, Worked
from assize.web._tasks.shown import shown_turns

Scale = Literal["content", "style", "reasonableness"]
_SEES = "You see a conversation so far and two ways to continue it, Option A and Option B."
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
_THEME = "Under which theme does the difference fall? Part several by a semicolon."


class ContinuationSettings(Settings):
    """Of a task that rates continuations."""

    scales: list[Scale] = Setting(default=["content", "style", "reasonableness"], min_length=1)
    markdown: bool = True  # UPHELD's people saw cells of a spreadsheet: texts as they are written


class ContrastSettings(Settings):
    """Of a task that contrasts two sources."""

    sources: tuple[str, str]  # as they stand in the continuations
    ratings: list[str] = Setting(default_factory=list)  # people's judgments: only where they differ
    question: str = "content"  # of the ratings
    n: int = Setting(60, ge=1)  # turns that are drawn where there are ratings
    least: float = Setting(0.0, ge=0)  # difference of the mean scores above which they differ
    markdown: bool = True  # as of `continuation`
    theme: bool = False  # whether people name the theme of the difference, too


class _BesideReference(Kind):
    """Shows a candidate beside what a person said; neither is signed."""

    template = "continuation.html"
    types = (Continuation,)
    sheet = RATINGS  # whose columns are asked
    options: type[ContinuationSettings] | type[ContrastSettings] = ContinuationSettings

    def columns(self, task: Task) -> list[FormColumn]:
        """Return the columns of the sheet that the task asks about."""
        raise NotImplementedError

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """Return the conversation so far and both options."""
        talk = only(item, Continuation)
        as_written = not settings_of(task, self.options).markdown
        turns = shown_turns(talk.context)
        if as_written:
            turns = tuple(replace(turn, html=plain(turn.text)) for turn in turns)
        options = [("Option A", reference_of(talk)), ("Option B", talk.candidate)]
        return {"turns": turns, "options": options, "plain": as_written}

    def questions(self, task: Task) -> Sequence[Question]:
        """Return those of the sheet, as every reader of such ratings has them."""
        return [column.question for column in self.columns(task)]

    def examples(self, task: Task) -> Sequence[Worked]:
        """Return annotated ones of our own."""
        asked = {question.id for question in self.questions(task)}
        names = [column.question.id for column in self.sheet.asked]
        examples = []
        for number, example in enumerate(self.sheet.examples, start=1):
            answers = {
                name: said.partition(":")[0] if self.sheet is RATINGS else said
                for name, said in zip(names, example.filled, strict=True)
                if said and name in asked
            }
            item = Continuation(f"example-{number}", example.context, example.b, (example.a,))
            examples.append(Worked(item, answers, example.why))
        return examples


class ContinuationRating(_BesideReference):
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

    def check(self, task: Task) -> None:
        """Raises DataError where a scale stands twice."""
        scales = settings_of(task, ContinuationSettings).scales
        if len(set(scales)) < len(scales):
            raise problem_in(task, "a scale stands twice", "settings", "scales")

    def items(self, task: Task) -> Sequence[Item]:
        """Read the continuations of the task's files; each needs a reference."""
        items = items_of(task, Continuation)
        for item in items:
            if not reference_of(item):
                problem = f"{item.id!r} has no reference, which would be Option A"
                raise problem_in(task, problem, "items")
        return items

    def columns(self, task: Task) -> list[FormColumn]:
        """Return the scales that the task has."""
        known = {column.question.id: column for column in RATINGS.asked}
        return [known[name] for name in settings_of(task, ContinuationSettings).scales]

    def form(self, task: Task, item: Item) -> Form:
        """Return a section for each scale, with its rules."""
        sections = []
        for column in self.columns(task):
            title, rules = _rules(column)
            text, note = _ASKED[column.question.id]
            field = Field(column.question.id, replace(choices(column), text=text), note=note)
            sections.append(FormSection(title, (field,), rules))
        return Form(tuple(sections))

    def instructions(self, task: Task) -> str:
        """Return what stands on the page, and the rules of each scale; they stand with it, too."""
        how = (
            f"{_SEES} Who wrote them does not matter and is not said. Answer for each pair of"
            " options anew; you need not explain your answers."
        )
        rules = ("## {}\n\n{}".format(*_rules(column)) for column in self.columns(task))
        return "\n\n".join([how, *rules])


class SourceContrast(_BesideReference):
    """Labels how each of two sources differs from what a person said; whose is whose is hidden.

    Each turn gives two items, one a source. With `ratings` the turns are drawn from those at
    which people's mean scores of both differ, as `assize reference contrast` draws them.

    Source: UPHELD, appendix G.
    """

    name = "contrast"
    about = "label how two sources differ"
    how = f"{_SEES} Say how Option B sounds, and in what it differs from Option A."
    sheet = COMPARED
    options = ContrastSettings

    def check(self, task: Task) -> None:
        """Raises DataError where the sources are one, or a file of ratings is not there."""
        settings = settings_of(task, ContrastSettings)
        if settings.sources[0] == settings.sources[1]:
            raise problem_in(task, "give two different sources", "settings", "sources")
        read_votes(task, settings.ratings, "settings", "ratings")

    def items(self, task: Task) -> Sequence[Item]:
        """Read the continuations of both sources at the turns that are drawn.

        They are the same ones every time, for the same files and seed.
        """
        settings = settings_of(task, ContrastSettings)
        known = [item for item in items_of(task, Continuation) if reference_of(item)]
        items: list[Continuation] = []
        if settings.ratings:
            tables = read_votes(task, settings.ratings, "settings", "ratings")
            questions = {name: one for table in tables for name, one in table.questions.items()}
            if settings.question not in questions:
                asked = ", ".join(questions) or "none"
                problem = f"no question {settings.question!r}; asked were {asked}"
                raise problem_in(task, problem, "settings", "question")
            rows = [row for table in tables for row in table]
            ratings = JudgmentTable.of(rows, questions.values())
            scores = mean_scores(ratings, questions[settings.question])
            rng = np.random.default_rng(task.seed)
            drawn = differing_turns(
                known, scores, settings.sources, n=settings.n, least=settings.least, rng=rng
            )
            items = list(shuffled(drawn.turns, rng))
        else:
            places = [
                {place_of(item) for item in known if item.source == name}
                for name in settings.sources
            ]
            items = [
                item
                for item in known
                if item.source in settings.sources and place_of(item) in places[0] & places[1]
            ]
        if not items:
            names = " and ".join(settings.sources)
            problem = f"{names} have no turn in common at which scores differ"
            raise problem_in(task, problem, "settings", "sources")
        return items

    def columns(self, task: Task) -> list[FormColumn]:
        """Return phrasing, the difference in words, and the theme where it is asked."""
        theme = settings_of(task, ContrastSettings).theme
        return [column for column in COMPARED.asked if theme or column.question.id != "theme"]

    def form(self, task: Task, item: Item) -> Form:
        """Return a section for each column."""
        rules = dict(COMPARED.instructions[1:])
        sections = []
        for column in self.columns(task):
            name = column.question.id
            field = Field(
                name,
                column.question,
                "radio" if column.answers else "text",
                required=column.column not in COMPARED.optional,
            )
            text = _THEME if name == "theme" else rules[column.column]
            sections.append(FormSection(name.capitalize(), (field,), text))
        return Form(tuple(sections))


def choices(asked: FormColumn) -> Question:
    """Return a sheet's column as a question: its dropdown's answers, numbers and all.

    >>> from assize.reference._rating_sheets.form import STYLE
    >>> choices(STYLE).labels["3"]
    '3: somewhat the same style'
    """
    labels = {answer.partition(": ")[0]: answer for answer in asked.answers}
    return replace(asked.question, answers=tuple(labels), values=None, labels=labels)


def as_markdown(rules: str) -> str:
    """Return a sheet's rules as Markdown, in which a line behind a list needs one between.

    >>> as_markdown("Why:\\n- a\\nRules:\\n- b")
    'Why:\\n\\n- a\\n\\nRules:\\n\\n- b'
    """
    lines = rules.split("\n")
    spaced = lines[:1]
    for before, line in pairwise(lines):
        if before.startswith("- ") != line.startswith("- "):
            spaced.append("")
        spaced.append(line)
    return "\n".join(spaced)


def _rules(column: FormColumn) -> tuple[str, str]:
    """Return title and rules of a scale; a sheet's title is such as `Task 1: content`."""
    place = RATINGS.asked.index(column)
    title, rules = RATINGS.instructions[1 + place]
    return title.partition(": ")[2].capitalize(), as_markdown(rules)
