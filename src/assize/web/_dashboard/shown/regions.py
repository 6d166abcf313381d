"""A region's list as a page shows it: values, conversations, how each begins."""

from __future__ import annotations

from dataclasses import dataclass

from assize.formats.sampling import prompt_of
from assize.results.numbers import counted, number
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.selection import PAGE, Region, Selection, select
from assize.web._dashboard.figures.shares import answer_at, answer_in
from assize.web._dashboard.prepared.rows import item_of
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.answers import answer_said

GIST = 140


@dataclass(frozen=True, slots=True)
class ListedItem:
    """One row: the conversation, its value, how it begins.

    Args:
        value: its number or answer.
        ranked: the number that orders the list, where that is another question's.
    """

    item: str
    rater: str
    value: str
    ranked: str
    gist: str
    group: str


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of a region.

    Args:
        pages: how many there are; `page` counts from 1.
        apart: whether a row is one rater's.
        answer, said: the answer to a nominal question, also as a heading has it; "" for numbers
            and where any is listed.
    """

    found: Selection
    rows: tuple[ListedItem, ...]
    page: int
    pages: int
    apart: bool
    answer: str
    said: str

    @property
    def heading(self) -> str:
        """What is listed."""
        found = self.found
        about = counted(found.conversations, "conversation")
        return (
            about
            if found.conversations == found.total and not self.apart
            else (f"{counted(found.total, 'answer')} about {about}")
        )

    @property
    def before(self) -> int | None:
        """The page before this one."""
        return self.page - 1 if self.page > 1 else None

    @property
    def after(self) -> int | None:
        """The page after this one."""
        return self.page + 1 if self.page < self.pages else None


def listed(
    view: View, look: Look, region: Region, *, curve: str = "", page: int = 1, main: str = ""
) -> Listed:
    """A page of what lies in a region, worst first; of answers to a nominal question by `main`."""
    start = (max(page, 1) - 1) * PAGE
    found = select(view, look, region, curve=curve, start=start, count=PAGE, main=main)
    question = view.question(look.question)
    nominal = question.kind == "nominal"
    field = view.fields.place(look.by) if look.by else None
    rows = []
    for one in found.rows:
        group = ""
        if field is not None:
            group = view.fields.words[field][int(view.fields.codes[field, one.place])]
        item = item_of(view, one.place)
        text = "" if item is None else " ".join(prompt_of(item).split())
        gist = text if len(text) <= GIST else text[:GIST] + "…"
        value = answer_said(question, int(one.value)) if nominal else number(one.value)
        ranked = number(one.ranked) if nominal and found.by else ""
        rows.append(ListedItem(one.item, one.rater or "", value, ranked, gist, group))
    answer = answer_in(question, region.low, region.high) if nominal else ""
    return Listed(
        found,
        tuple(rows),
        max(page, 1),
        max(1, -(-found.total // PAGE)),
        look.disaggregated,
        answer,
        answer_said(question, answer_at(question, answer)) if answer else "",
    )
