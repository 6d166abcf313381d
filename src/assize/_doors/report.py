"""`assize.report`: the page of any result, or of judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Literal

from assize.base.arguments import check_range
from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.criteria._criterion import CriteriaSet
from assize.criteria._learning.learn import is_pool, read_pool
from assize.criteria._reading import load_criteria
from assize.criteria._scores import CriteriaScores
from assize.formats import Items, ItemsLike, JudgmentsLike
from assize.formats.arguments import files_in, items_in, judgments_of, known_questions, source_of
from assize.judgments import JudgmentTable
from assize.pages import page
from assize.pages.drawing import require
from assize.pages.result_page import shows_items, write_result
from assize.results import Result
from assize.results.numbers import counted
from assize.scoring import ScoreSummary, summarise_judgments
from assize.spread import SpreadOptions
from assize.spread import spread as measure


@dataclass(frozen=True)
class PageWritten(Result):
    """A page that was written.

    Args:
        path: where it stands.
        figures: the numbers on a page of judgments; None on that of a result.
    """

    path: str
    figures: ScoreSummary | None = None

    @property
    def notes(self) -> Sequence[str]:
        """How many items the page is about."""
        figures = self.figures
        if figures is None:
            return [f"{self.path}: the page is written"]
        missing = figures.unscored + figures.not_applicable + figures.not_judged
        return [f"{self.path}: {counted(figures.items, 'item')}, {missing:,} of them not scored"]

    def __str__(self) -> str:
        return "\n".join(self.notes)

    def _repr_html_(self) -> str:
        return f'<a href="{escape(self.path, quote=True)}">{escape(str(self))}</a>'


def report(
    given: JudgmentsLike | Result,
    path: str | Path = "report.html",
    *,
    items: ItemsLike | None = None,
    criteria: str | Path | CriteriaSet | None = None,
    title: str | None = None,
    question: str | None = None,
    keep: int = 200,
    first: Literal["lowest", "highest", "closest", "decided"] | None = None,
    spread: SpreadOptions | None = None,
    reproduce: Sequence[str] = (),
) -> PageWritten:
    """Write judgments, or any result, as one HTML page that needs nothing else.

    For judgments it shows headline numbers, distributions, a table by judge and question, the items
    to look at first, and what could not be scored, with the reason. The page makes no request and
    runs no script but its own.

    Args:
        given: folders of runs, files of judgments, or the folder of a pool of criteria. In
            Python also records, dicts and tables, or what another function of assize came to.
        path: file to write the page to.
        items: files of the judged items, to show their text (repeatable).
        criteria: file of the criteria that conversations were scored by: write a page about NetSAT
            and its criteria, uncertain conversations first. In Python also a set.
        title: heading of the page. Default: the result's own.
        question: question that heads the page and orders the items. Default: overall.
        keep: number of items that the page lists; 20 on the page of criteria.
        first: items to list first. Default: the lowest scores and the closest preferences.
        spread: how answers are spread, in place of the page of judgments: densities with bands by
            group and over time.
        reproduce: command lines that lead to the page, which it shows.

    Returns:
        Where the page stands, with the numbers on it where it is of judgments.

    Raises:
        ConfigError: there is no such question, or an option does not go with what is given.
        DataError: a row is bad, there is no judgment, or labels or criteria do not fit.
        OutputError: the page cannot be written.
        MissingExtra: a part of the extra `report` is not installed.
    """
    check_range("keep", keep, 0)
    with page.made_from(*files_in(given), *files_in(items)):
        given = _pool_in(given)
        if isinstance(given, Result):
            others = {"criteria": criteria, "question": question, "first": first}
            _refuse(others, _only_judgments(given))
            return page_of(given, path, items=items, title=title, reproduce=reproduce)
        if spread is not None:
            _refuse({"criteria": criteria, "first": first}, "is not for spread")
            chosen = spread if question is None else replace(spread, questions=[question])
            result = measure(given, items=items, options=chosen)
            return page_of(result, path, title=title, reproduce=reproduce)
        table = judgments_of(given)
        if criteria is not None:
            problem = "is not for the page of criteria, which is about NetSAT; leave it out"
            _refuse({"question": question, "first": first}, problem)
            scores = CriteriaScores.of(table, set_of(criteria))
            write_result(path, scores, items=items_in(items), title=title, reproduce=reproduce)
            return PageWritten(str(path))
        require()
        summary = summarise_judgments(
            table, items_in(items), main=_known(question, table), keep=keep, listing=first
        )
        title = "Judgments" if title is None else title
        write_result(path, summary, title=title, reproduce=reproduce)
        return PageWritten(str(path), summary)


def _pool_in(given: JudgmentsLike | Result) -> JudgmentsLike | Result:
    """The pool of criteria where a folder of one is given, else what is given."""
    paths = files_in(given)
    if len(paths) == 1 and is_pool(paths[0]):
        return read_pool(paths[0])
    return given


def page_of(
    result: Result,
    path: str | Path,
    *,
    items: ItemsLike | None = None,
    title: str | None = None,
    reproduce: Sequence[str] = (),
    lenient: bool = False,
) -> PageWritten:
    """Writes the page of a result.

    Args:
        lenient: pass over items where the page shows none, in place of an error, and over bad
            records, of which the caller has told already.

    Raises:
        ConfigError: the page of such a result shows no items.
    """
    source: Iterable[Item] | None = None
    if shows_items(result):
        source = () if items is None else source_of(items)
        source = source.lenient() if lenient and isinstance(source, Items) else source
    elif not lenient:
        _refuse({"items": items}, _only_judgments(result))
    write_result(path, result, items=source, title=title, reproduce=reproduce)
    return PageWritten(str(path))


def set_of(criteria: str | Path | CriteriaSet) -> CriteriaSet:
    """The set that is given, or that a file holds."""
    return criteria if isinstance(criteria, CriteriaSet) else load_criteria(str(criteria))


def _only_judgments(result: Result) -> str:
    return f"is for judgments; the page of a {type(result).__name__} has no such choice"


def _refuse(options: Mapping[str, Any], problem: str) -> None:
    """Options that this page does not have."""
    for name, value in options.items():
        if value is not None:
            raise ConfigError(f"{name} {problem}")


def _known(question: str | None, table: JudgmentTable) -> str | None:
    return None if question is None else known_questions([question], table.questions)[0]
