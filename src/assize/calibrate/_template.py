"""A table of ratings to fill in, for what a run has judged or a rubric asks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Annotated

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import NOT_APPLICABLE, Question
from assize.base.signature import sign
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import (
    files_in,
    items_beside,
    items_in,
    judgments_of,
    known_questions,
    named,
    names_of,
)
from assize.formats.questions import questions_beside, questions_path, read_questions
from assize.formats.ratings.template import TemplateLayout, blank, item_text, write_template
from assize.results import Column, Hidden, Result
from assize.results.numbers import counted
from assize.rubric import load_rubric

SOMETIMES = "sometimes"  # of a question that people answered NA


@dataclass(frozen=True, slots=True)
class RatingTemplate(Result):
    """A table to fill in.

    Args:
        out: the file.
        questions: ids of what is asked.
        rows: of the table.
        items: what is rated.
        raters: by whom; () where raters write their names.
        shown: items whose text stands in it.
        cut: texts that are longer than a cell can be.
        guessed: ids of the questions whose answers were guessed from those seen.
    """

    heading = "Ratings to fill in"
    out: str
    questions: Sequence[str]
    rows: Annotated[int, Column("rows to fill in")]
    items: int
    raters: Sequence[str]
    shown: Hidden[int]
    cut: Hidden[int]
    signature: str
    guessed: Hidden[Sequence[str]] = ()

    @property
    def sentence(self) -> str:
        """What is to be rated."""
        return f"{counted(len(self.questions), 'question')} about {counted(self.items, 'item')}."

    @property
    def notes(self) -> Sequence[str]:
        """Where it stands, and what to do with it."""
        scales = Path(str(questions_path(self.out))).name
        notes = [
            f"{self.rows:,} rows to fill in, of {', '.join(self.questions)}: {self.out}; when it is"
            f" back, give it to `assize agree` or as --ratings, with {scales} beside it"
        ]
        if self.guessed:
            notes.append(
                f"the answers offered for {', '.join(self.guessed)} were guessed: correct {scales},"
                ' delete "inferred" in it, and give it in place of the judgments to write the table'
                " anew"
            )
        if not self.raters:
            notes.append("each rater writes a name into the column rater; --raters fills it in")
        if self.shown < self.items:
            notes.append(
                f"the text of {self.items - self.shown:,} items is not known: give --items to show"
                " it"
            )
        if self.cut:
            notes.append(f"{self.cut} texts are longer than a cell can be, and were cut")
        return notes


def template(
    judgments: JudgmentsLike,
    out: str | Path,
    *,
    items: ItemsLike | None = None,
    question: str | Sequence[str] = (),
    raters: str | Sequence[str] = (),
    layout: TemplateLayout = "long",
    n: int | None = None,
) -> RatingTemplate:
    """Write a table of ratings for people to fill in, for the items and questions of a run.

    A rubric file in place of a run asks its questions of all `items`, which nobody needs to have
    judged: a first sheet, or one of new conversations. A file of questions does the same.

    A workbook (.xlsx) offers the allowed answers in dropdowns and locks the rest; CSV has them in
    words. Texts of conversations are stored as text, which no spreadsheet runs. `calibrate fit
    --ratings`, `agree` and everything else that reads judgments take the filled-in table as it is;
    blank cells are missing. The scales of the questions go beside it, to NAME.questions.json.

    Args:
        judgments: folders of runs, or files of judgments; or a rubric (.yaml) or
            NAME.questions.json, to ask its questions of the items.
        out: table to write, .xlsx or .csv.
        items: files of the judged items, to show beside the rows (repeatable).
        question: only this question (repeatable). Default: all that people may be asked.
        raters: raters who fill in the table (repeatable, or separated by commas): each gets all
            items.
        layout: layout of the table: long (one row per item and question) or wide (one row per
            item).
        n: number of items, from the first. Default: all.

    Raises:
        ConfigError: a question was not asked, the name of the table is neither kind, or a rubric
            has no items.
        DataError: a row is bad, there is no judgment, or none is of `items`.
    """
    check_word("layout", layout, ("long", "wide"))
    check_range("n", n, 1)
    form = _questions_alone(judgments)
    seen: dict[str, set[str]] = {}
    if form:
        questions = _choose_questions(form, names_of(question))
        units, texts = _all_items(judgments, items, n)
    else:
        table = judgments_of(judgments)
        guesses = {row.id: row for file in files_in(judgments) for row in questions_beside(file)}
        seen = table.answers_seen()
        known = [_wider(table.questions[name], guesses.get(name)) for name in table.asked]
        questions = _choose_questions(known, names_of(question))
        judged = table.where(question=[row.id for row in questions], turn=None).items
        units, texts = judged[:n], _texts_of(judged, judgments, items)
    ids = [row.id for row in questions]
    texts = {unit: texts[unit] for unit in units if unit in texts}
    names = tuple(names_of(raters) or ())
    offered = [_with_na(row, seen.get(row.id, ())) for row in questions]
    template = blank(units, offered, names, texts, layout)
    cut = write_template(out, template, questions)
    signature = sign(ids, units, names)
    return RatingTemplate(
        str(out),
        ids,
        len(template.rows),
        len(units),
        names,
        shown=len(texts),
        cut=cut,
        signature=signature,
        guessed=[row.id for row in questions if row.extra.get("inferred")],
    )


def _questions_alone(judgments: JudgmentsLike) -> Sequence[Question]:
    """The questions of a rubric, or of a file of questions; () where judgments are given."""
    files = files_in(judgments)
    name = files[0] if len(files) == 1 else ""
    if name.endswith((".yaml", ".yml")):
        return load_rubric(name).questions
    return read_questions(name) if name.endswith("questions.json") else ()


def _wider(question: Question, guess: Question | None) -> Question:
    """The guess that stands beside the judgments, where it has all answers that were seen."""
    if guess is None or not question.extra.get("inferred"):
        return question
    return guess if set(question.answers) <= set(guess.answers) else question


def _with_na(question: Question, answers: Collection[str]) -> Question:
    """The question as the sheet offers it: with NA, where somebody answered so."""
    used = NOT_APPLICABLE in answers and question.applies == "always"
    return replace(question, applies=SOMETIMES) if used else question


def _all_items(
    form: JudgmentsLike, items: ItemsLike | None, n: int | None
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Ids of the first `n` items, and their texts."""
    if items is None:
        raise ConfigError(f"{named(form)} holds questions; give what is to be rated as --items")
    texts = {row.id: item_text(row) for row in islice(items_in(items), n)}
    if not texts:
        raise DataError("there is nothing to rate", source=named(items))
    return tuple(texts), texts


def _texts_of(
    judged: Sequence[str], judgments: JudgmentsLike, items: ItemsLike | None
) -> dict[str, str]:
    """Texts by id, of the files of judgments and of `items`, one of which must be judged."""
    ids = set(judged)
    texts = {row.id: item_text(row) for row in items_beside(judgments, None) if row.id in ids}
    others, matches = 0, 0
    for row in items_in(items):
        if row.id in ids:
            texts[row.id] = item_text(row)
            matches += 1
        else:
            others += 1
    if others and not matches:
        raise DataError(
            f"none of the {counted(others, 'item')} in {named(items)} is judged in"
            f" {named(judgments)}, so the sheet would have none of them; for a sheet of new items"
            " give a rubric (.yaml) or NAME.questions.json in place of judgments"
        )
    return texts


def _choose_questions(known: Sequence[Question], names: Sequence[str] | None) -> list[Question]:
    """The named questions, else all that are not for models alone."""
    if names is not None:
        by_id = {row.id: row for row in known}
        return [by_id[name] for name in known_questions(names, by_id)]
    people = [row for row in known if row.audience != "models"]
    if not people:
        raise ConfigError("all questions here are for models; name one with --question")
    return people
