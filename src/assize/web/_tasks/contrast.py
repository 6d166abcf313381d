"""`contrast`: in what two sources differ, at turns that people scored differently (UPHELD)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import Field as Setting

from assize.base.conversation import Continuation, Item
from assize.base.judgment import Judgment, Order, Question
from assize.formats import read_judgments
from assize.judgments import JudgmentTable
from assize.reference._contrasts.result import Contrast, contrast_labels, labels_in
from assize.reference._contrasts.turns import (
    Drawn,
    differing_turns,
    mean_scores,
    place_of,
    shuffled,
)
from assize.reference._rating_sheets.form import COMPARED
from assize.reference._rating_sheets.workbook import Key, entries_of, reference_of
from assize.web._forms.form import Answers, Field, Form, FormSection
from assize.web._tasks.continuation import shown_options
from assize.web._tasks.definition import Task, problem_in
from assize.web._tasks.kind import Kind, Rating, Worked
from assize.web._tasks.rows import rows_of
from assize.web._tasks.settings import Settings, settings_of
from assize.web._tasks.typed import items_of, only

HOW = (
    "You see a conversation so far and two ways to continue it, Option A and Option B. Say how"
    " Option B sounds, and in what it differs from Option A."
)


class ContrastSettings(Settings):
    """Of a task that contrasts two sources."""

    sources: tuple[str, str]  # as they stand in the continuations
    ratings: list[str] = Setting(default_factory=list)  # people's judgments: only where they differ
    question: str = "content"  # of the ratings
    n: int = Setting(60, ge=1)  # turns that are drawn where there are ratings
    least: float = Setting(0.0, ge=0)  # difference of the mean scores above which they differ
    markdown: bool = True  # as of `continuation`
    theme: bool = False  # whether people name the theme of the difference, too


class SourceContrast(Kind):
    """Labels how each of two sources differs from what a person said; whose is whose is hidden.

    Each turn gives two items, one a source. With `ratings` the turns are drawn from those at
    which people's mean scores of both differ, as `assize reference contrast` draws them.

    Source: UPHELD, appendix G.
    """

    name = "contrast"
    about = "label how two sources differ"
    template = "continuation.html"

    def check(self, task: Task) -> None:
        """Raises DataError where the sources are one, or a file of ratings is not there."""
        given = settings_of(task, ContrastSettings)
        if given.sources[0] == given.sources[1]:
            raise problem_in(task, "give two different sources", "settings", "sources")
        for name in given.ratings:
            if not os.path.exists(task.file(name)):
                raise problem_in(task, f"there is no file {name!r}", "settings", "ratings")

    def items(self, task: Task) -> Sequence[Item]:
        """The continuations of both sources at the turns that are drawn, in random order."""
        drawn = drawn_of(task)
        if not drawn:
            first, second = settings_of(task, ContrastSettings).sources
            problem = f"{first} and {second} have no turn in common at which scores differ"
            raise problem_in(task, problem, "settings", "sources")
        return drawn

    def form(self, task: Task, item: Item) -> Form:
        """Phrasing, the difference in words, and the theme where it is asked."""
        rules = dict(COMPARED.instructions[1:])
        asked = [one for one in COMPARED.asked if one.question.id in _asked(task)]
        return Form(
            tuple(
                FormSection(
                    one.question.id.capitalize(),
                    (
                        Field(
                            one.question.id,
                            one.question,
                            "radio" if one.answers else "text",
                            required=one.column not in COMPARED.optional,
                        ),
                    ),
                    _THEME if one.question.id == "theme" else rules[one.column],
                )
                for one in asked
            )
        )

    def shown(self, task: Task, item: Item, order: Order | None) -> dict[str, Any]:
        """The conversation so far and both options."""
        markdown = settings_of(task, ContrastSettings).markdown
        return shown_options(only(item, Continuation), markdown=markdown)

    def questions(self, task: Task) -> Sequence[Question]:
        """Those of the form."""
        return [one.question for one in COMPARED.asked if one.question.id in _asked(task)]

    def judgments(
        self, task: Task, item: Item, answers: Answers, rating: Rating
    ) -> Sequence[Judgment]:
        """One a question that was answered."""
        form = self.form(task, item)
        return list(rows_of(self.questions(task), form, item.id, answers, rating))

    def instructions(self, task: Task) -> str:
        """What stands on the page."""
        return HOW

    def examples(self, task: Task) -> Sequence[Worked]:
        """Annotated ones of our own."""
        names = [one.question.id for one in COMPARED.asked]
        return [
            Worked(
                Continuation(f"example-{number}", one.context, one.b, (one.a,)),
                {
                    name: said
                    for name, said in zip(names, one.filled, strict=True)
                    if said and name in _asked(task)
                },
                one.why,
            )
            for number, one in enumerate(COMPARED.examples, start=1)
        ]


_THEME = "Under which theme does the difference fall? Part several by a semicolon."


def contrasted(task: Task, judgments: JudgmentTable) -> Contrast:
    """What people's labels of a task come to: shares of human phrasing by source, and themes.

    Args:
        judgments: of the task's items, as they are exported.

    Source: UPHELD, figure 5. Themes are those that people named, else the notes as they stand.
    """
    items = drawn_of(task)
    given = settings_of(task, ContrastSettings)
    key = Key(COMPARED.name, entries_of(items), {"sources": list(given.sources), "seed": task.seed})
    themed = "as people named them"
    return contrast_labels(key, labels_in(key, judgments), judgments, themed, task.seed)


def drawn_of(task: Task) -> list[Continuation]:
    """The items of the task: the same ones every time, for the same files and seed."""
    given = settings_of(task, ContrastSettings)
    known = [one for one in items_of(task, Continuation) if reference_of(one)]
    if not given.ratings:
        turns = [{place_of(one) for one in known if one.source == name} for name in given.sources]
        both = turns[0] & turns[1]
        return [one for one in known if one.source in given.sources and place_of(one) in both]
    rng = np.random.default_rng(task.seed)
    return list(shuffled(_drawn(task, given, known, rng).turns, rng))


def _drawn(
    task: Task, given: ContrastSettings, known: Sequence[Continuation], rng: np.random.Generator
) -> Drawn:
    rows = [row for name in given.ratings for row in read_judgments(task.file(name))]
    tables = [read_judgments(task.file(name)) for name in given.ratings]
    questions = {name: one for table in tables for name, one in table.questions.items()}
    if given.question not in questions:
        known_names = ", ".join(questions) or "none"
        problem = f"no question {given.question!r}; asked were {known_names}"
        raise problem_in(task, problem, "settings", "question")
    scores = mean_scores(JudgmentTable.of(rows, questions.values()), questions[given.question])
    return differing_turns(known, scores, given.sources, n=given.n, least=given.least, rng=rng)


def _asked(task: Task) -> tuple[str, ...]:
    theme = ("theme",) if settings_of(task, ContrastSettings).theme else ()
    return ("phrasing", "difference", *theme)
