"""A table of ratings to fill in, for what a run has judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.base.signature import sign
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_beside, judgments_of, names_of
from assize.formats.questions import questions_path
from assize.formats.ratings.template import TemplateLayout, blank, item_text, write_template
from assize.judgments import JudgmentTable
from assize.results import Column, Hidden, Result
from assize.results.numbers import counted


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

    @property
    def sentence(self) -> str:
        """What is to be rated."""
        return f"{counted(len(self.questions), 'question')} about {counted(self.items, 'item')}."

    @property
    def notes(self) -> Sequence[str]:
        """Where it stands, and what to do with it."""
        scales = Path(str(questions_path(self.out))).name
        notes = [
            f"{self.rows:,} rows to fill in, of {', '.join(self.questions)}: {self.out}; give it as"
            f" --ratings when it is back, with {scales} beside it"
        ]
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

    A workbook (.xlsx) offers the allowed answers in dropdowns and locks the rest; CSV has them in
    words. Texts of conversations are stored as text, which no spreadsheet runs. `calibrate fit
    --ratings`, `agree` and everything else that reads judgments take the filled-in table as it is;
    blank cells are missing. The scales of the questions go beside it, to NAME.questions.json.

    Args:
        judgments: folders of runs, or files of judgments.
        out: table to write, .xlsx or .csv.
        items: files of the judged items, to show beside the rows (repeatable).
        question: only this question (repeatable). Default: all that people may be asked.
        raters: raters who fill in the table (repeatable, or separated by commas): each gets all
            items.
        layout: layout of the table: long (one row per item and question) or wide (one row per
            item).
        n: number of items, from the first. Default: all.

    Raises:
        ConfigError: a question was not asked, or the name of the table is neither kind.
        DataError: a row is bad, or there is no judgment.
    """
    check_word("layout", layout, ("long", "wide"))
    check_range("n", n, 1)
    table = judgments_of(judgments)
    questions = _questions(table, names_of(question))
    ids = [row.id for row in questions]
    units = tuple(table.where(question=ids, turn=None).items)[:n]
    known = items_beside(judgments, items)
    texts = {item.id: item_text(item) for item in known if item.id in set(units)}
    names = tuple(names_of(raters) or ())
    template = blank(units, questions, names, texts, layout)
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
    )


def _questions(table: JudgmentTable, wanted: Sequence[str] | None) -> list[Question]:
    """What is asked: the named questions, else all that are not for models alone."""
    for name in wanted or ():
        if name not in table.questions:
            raise ConfigError(f"no question {name!r}; asked were {', '.join(table.asked)}")
    if wanted is not None:
        return [table.questions[name] for name in wanted]
    known = [table.questions[name] for name in table.asked]
    people = [name for name in known if name.audience != "models"]
    if not people:
        raise ConfigError("all questions here are for models; name one with --question")
    return people
