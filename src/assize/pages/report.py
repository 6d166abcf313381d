"""`assize.report`: the page of any result, or of judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

from assize.arguments import checked
from assize.errors import ConfigError
from assize.formats import Items, Judgments
from assize.judgments import JudgmentTable
from assize.pages.scores import write_report
from assize.pages.summary import Summary
from assize.tables import Result, ResultTable
from assize.workflows.allowed import check_range, check_word
from assize.workflows.reading import OnError, items_in, judgments_of

PAGES = {
    "ActsResult": "assize.pages.acts:write_acts",
    "AgreementResult": "assize.pages.agreement:write_agreement",
    "JuryResult": "assize.pages.jury:write_jury",
    "Compared": "assize.pages.calibration_sets:write_sets",
    "Study": "assize.pages.calibration_study:write_study",
}
"""By the name of a result's class what writes its page: `module:function`, which takes the
path, the result, and what `reproduce`, and a `title` where it has one of its own."""


@dataclass(frozen=True, slots=True)
class PageWritten(Result):
    """A page that was written.

    Args:
        path: where it stands.
        summary: the numbers on a page of judgments; None on that of a result.
    """

    path: str
    summary: Summary | None = None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """None: they stand on the page."""
        return {}

    @property
    def notes(self) -> Sequence[str]:
        """How many items the page is about."""
        found = self.summary
        if found is None:
            return [f"{self.path}: the page is written"]
        missing = found.items - found.scored
        return [f"{self.path}: {found.items:,} {found.noun}, {missing:,} of them not scored"]

    def to_json(self) -> dict[str, Any]:
        """Where the page stands, and its numbers."""
        return {"out": self.path, **({} if self.summary is None else self.summary.to_json())}

    def __str__(self) -> str:
        return "\n".join(self.notes)

    def _repr_html_(self) -> str:
        return f'<a href="{escape(self.path, quote=True)}">{escape(str(self))}</a>'


@checked
def report(
    given: Judgments | Result,
    path: str | Path = "report.html",
    *,
    items: Items | None = None,
    title: str | None = None,
    question: str | None = None,
    keep: int = 20,
    first: Literal["lowest", "highest", "closest", "decided"] | None = None,
    on_error: OnError = "fail",
    format: str | None = None,
    reproduce: Sequence[str] = (),
) -> PageWritten:
    """Writes judgments, or any result, as one HTML page that needs nothing else.

    Of judgments: headline numbers, distributions, a table by judge and question,
    the items to look at first, and all that could not be scored, with the
    reason. The page makes no request and runs no script.

    Args:
        given: folders of runs, or files of judgments. In Python also records, dicts and
            tables, or what another function of assize came to.
        path: where the page is written.
        items: what was judged, so that its text is shown (repeatable).
        title: heading of the page.
        question: the question that heads the page and orders the items, else `overall`.
        keep: how many items are listed.
        first: which items come first, the lowest scores and the closest preferences if unset.
        on_error: what a bad record does, fail or skip (kept in a file).
        format: format of the input, recognised from the content by default.
        reproduce: command lines that lead to the page, which it shows.

    Returns:
        Where the page stands, with the numbers on it where it is of judgments.

    Raises:
        ConfigError: such a result has no page, or there is no such question.
        DataError: a row is bad, or there is no judgment.
        OutputError: the page cannot be written.
        MissingExtra: a part of the extra `report` is not installed.
    """
    if isinstance(given, Result):
        _refuse({"items": items, "question": question, "first": first, "format": format}, given)
        return _of_result(given, path, title, reproduce)
    check_range("keep", keep, 0)
    check_word("first", first, ("lowest", "highest", "closest", "decided"))
    table = judgments_of(given, format=format, on_error=on_error)
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


def _of_result(
    result: Result, path: str | Path, title: str | None, reproduce: Sequence[str]
) -> PageWritten:
    name = type(result).__name__
    if name not in PAGES:
        known = ", ".join(PAGES)
        raise ConfigError(f"a result of the kind {name} has no page; these have: {known}")
    module, _, function = PAGES[name].partition(":")
    write: Any = getattr(import_module(module), function)
    more = {} if title is None else {"title": title}
    write(path, result, reproduce=reproduce, **more)
    return PageWritten(str(path))


def _refuse(options: Mapping[str, Any], result: Result) -> None:
    """Options that only the page of judgments has."""
    for name, value in options.items():
        if value is not None:
            kind = type(result).__name__
            raise ConfigError(f"{name} is for judgments; the page of a {kind} has no such choice")


def _known(question: str | None, table: JudgmentTable) -> str | None:
    known = ", ".join(table.questions) or "none"
    if question is not None and question not in table.questions:
        raise ConfigError(f"no question {question!r}; asked were {known}")
    return question
