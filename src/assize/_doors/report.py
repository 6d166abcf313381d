"""`assize.report`: the page of any result, or of judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Literal

from assize.base.arguments import check_range, check_word
from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.criteria._criterion import CriteriaSet
from assize.criteria._learning.stored import is_pool, stored_pool
from assize.criteria._local import own_labellings
from assize.criteria._reading import load_criteria
from assize.criteria._scores import CriteriaScores
from assize.formats import Items, ItemsLike, JudgmentsLike
from assize.formats.arguments import files_in, items_beside, items_in, judgments_of, source_of
from assize.formats.labels import ItemLabels, Labels, labels_of
from assize.judgments import JudgmentTable
from assize.pages import page
from assize.pages.result_page import shows_items, write_result
from assize.pages.scores import ScoreSummary, write_report
from assize.results import Result


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
        missing = figures.items - figures.scored
        return [f"{self.path}: {figures.items:,} {figures.noun}, {missing:,} of them not scored"]

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
    label: str | ItemLabels | None = None,
    pair: Sequence[str] = (),
    title: str | None = None,
    question: str | None = None,
    keep: int = 200,
    first: Literal["lowest", "highest", "closest", "decided"] | None = None,
    reproduce: Sequence[str] = (),
) -> PageWritten:
    """Writes judgments, or any result, as one HTML page that needs nothing else.

    Of judgments: headline numbers, distributions, a table by judge and question,
    the items to look at first, and all that could not be scored, with the
    reason. The page makes no request and runs no script.

    Args:
        given: folders of runs, files of judgments, or the folder of a pool of criteria. In
            Python also records, dicts and tables, or what another function of assize came to.
        path: where the page is written.
        items: what was judged, so that its text is shown (repeatable).
        criteria: the set by which conversations were scored, a file: the page is then about
            NetSAT and its criteria, uncertain conversations first. In Python also a set.
        label: what people say is good and bad, beside `criteria`; as thumbs:up=1,down=0.
        pair: two conversations that stand side by side, beside `criteria` (repeatable); the
            best and the worst if unset.
        title: heading of the page.
        question: the question that heads the page and orders the items, else `overall`.
        keep: how many items are listed.
        first: which items come first, the lowest scores and the closest preferences if unset.
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
            others = {"criteria": criteria, "label": label, "pair": pair or None}
            _refuse(others | {"question": question, "first": first}, _only_judgments(given))
            return page_of(given, path, items=items, title=title, reproduce=reproduce)
        check_word("first", first, ("lowest", "highest", "closest", "decided"))
        table = judgments_of(given)
        if criteria is not None:
            problem = "is not for the page of criteria, which is about NetSAT; leave it out"
            _refuse({"question": question, "first": first}, problem)
            labels, texts = _labelled(given, items, label, table)
            asked = set_of(criteria)
            scores = CriteriaScores.of(table, asked, others=own_labellings(asked, table.judges))
            scores = scores if labels is None else scores.beside(labels)
            scores = replace(scores, pair=list(pair) or None, keep=keep)
            write_result(path, scores, items=texts, title=title, reproduce=reproduce)
            return PageWritten(str(path))
        problem = "is for the page of criteria; give criteria (--criteria) too"
        _refuse({"label": label, "pair": pair or None}, problem)
        summary = write_report(
            path,
            table,
            items_in(items),
            title="Judgments" if title is None else title,
            reproduce=reproduce,
            main=_known(question, table),
            keep=keep,
            listing=first,
        )
        return PageWritten(str(path), summary)


def _pool_in(given: JudgmentsLike | Result) -> JudgmentsLike | Result:
    """The pool of criteria where a folder of one is given, else what is given."""
    paths = files_in(given)
    if len(paths) == 1 and is_pool(paths[0]):
        return stored_pool(paths[0])
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


def _labelled(
    given: JudgmentsLike,
    items: ItemsLike | None,
    label: str | ItemLabels | None,
    table: JudgmentTable,
) -> tuple[Labels | None, Iterable[Item]]:
    """What people say of the conversations, and the conversations, which are read once."""
    if label is None:
        return None, items_in(items)
    beside = list(items_beside(given, items))
    return labels_of(beside or None, label, known=table.items), beside


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
    known = ", ".join(table.questions) or "none"
    if question is not None and question not in table.questions:
        raise ConfigError(f"no question {question!r}; asked were {known}")
    return question
