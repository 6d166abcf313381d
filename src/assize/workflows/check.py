"""What is ill-formed in conversations, pairs and judgments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assize.errors import ConfigError, DataError
from assize.formats import Items, Judgments, items_from
from assize.formats.any_log import Map, Roles, with_mapping
from assize.formats.check_result import CheckResult
from assize.formats.checks import Checker
from assize.formats.files import is_read_once
from assize.formats.questions import questions_beside
from assize.formats.reading import open_records
from assize.formats.records import judgment
from assize.formats.shards import files_of
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.running.progress import Advance, progress
from assize.workflows.reading import files_in, is_judgment

if TYPE_CHECKING:
    from assize.reference.data.description.card import DataCard


@with_mapping
def check(
    items: Items | Judgments,
    *,
    describe: bool = False,
    provenance: str | Path | None = None,
    card: str | Path | None = None,
    format: str | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
    quiet: bool = False,
) -> CheckResult:
    """Checks files: turns out of order or empty, duplicate ids, missing references, scales.

    As a command it exits with 2 when a record could not be read; all else is a warning.
    `describe` adds the set's card: how much there is, how long it is, who judged it, and
    what `provenance` declares of it.

    Args:
        items: paths, URLs, or - for standard input. In Python also conversations, pairs,
            continuations, judgments, dicts and tables, which count as one file.
        describe: also describe what is there.
        provenance: a YAML file of what the makers of the data declare.
        card: write the description here, as Markdown.
        format: format of the input, recognised from the content by default.
        map: where the fields of an unknown log stand; see `assize.read`.
        roles: what its names of roles mean.
        quiet: no progress.

    Raises:
        DataError: what is in memory holds no record, or there is nothing to describe.
        ConfigError: there is no such format.
    """
    describing = describe or provenance is not None or card is not None
    if describing:
        items = _kept(items)
    checker, files = Checker(), files_in(items)
    with progress("checking", None, quiet=quiet) as advance:
        for source in files:
            _look_in(checker, source, format, advance)
        rest = _beside(items, len(files))
        if rest is not None or not files:
            _look_at(checker, rest, format, advance)
    found = CheckResult(checker.finish())
    if not describing:
        return found
    return replace(found, card=_card(items, found, provenance, card, format))


def _kept(items: Any) -> Any:
    """What can be looked at twice.

    Raises:
        ConfigError: a file can be read once alone.
    """
    for file in files_in(items):
        if is_read_once(file):
            raise ConfigError(f"{file}: a description reads its files twice; save it as a file")
    return list(items) if isinstance(items, Iterator) else items


def _card(
    items: Any,
    found: CheckResult,
    provenance: str | Path | None,
    out: str | Path | None,
    format: str | None,
) -> DataCard | None:
    """The card of what could be read, whose bad records stand in the reports; else None."""
    from assize.workflows.describe import card_of  # what it loads, a check alone does not need

    unread = {report.source for report in found.files if report.format is None}
    several = items if isinstance(items, list | tuple) else [items]
    kept = [one for one in several if str(one) not in unread]
    if unread and not kept:
        return None
    try:
        return card_of(kept if unread else items, provenance, out, format, lambda _: None)
    except DataError:
        if found.problems and provenance is None:
            return None
        raise


def _beside(given: Any, files: int) -> Any:
    """What is no file; None where there is nothing else."""
    if not files:
        return given
    several = given if isinstance(given, list | tuple) else [given]
    kept = [one for one in several if not files_in(one)]
    return kept or None


def _look_in(checker: Checker, source: str, format: str | None, advance: Advance) -> None:
    """Reads a file, or each of a folder or a pattern."""
    try:
        files = files_of(source)
    except DataError as error:
        checker.begin(source).problems.append(error.problem)
        return
    for one in files:
        _look(checker, one, format, advance)


def _look(checker: Checker, source: str, format: str | None, advance: Advance) -> None:
    """Reads a file as far as it goes; what is wrong with it stands in its report."""
    report = checker.begin(source)
    try:
        with open_records(source, format=format, on_reject=checker.reject) as opened:
            report.format = opened.format.name
            checker.know((*opened.format.questions, *questions_beside(source)))
            for line, record in opened.records:
                checker.add(record, line)
                advance()
    except DataError as error:
        where = "" if error.line is None else f"line {error.line}: "
        report.problems.append(where + (f"{error.field}: " if error.field else "") + error.problem)


def _look_at(checker: Checker, given: Any, format: str | None, advance: Advance) -> None:
    """Looks at what is in memory: items first, then judgments."""
    checker.begin("items").format = "in memory"
    several = given if isinstance(given, list | tuple) else [given]
    judged = [one for one in several if is_judgment(one)]
    others = [one for one in several if not is_judgment(one)] if judged else given
    if not judged or others:
        read = items_from(others, format=format, on_reject=checker.reject)
        for place, record in enumerate(read, start=1):
            checker.add(record, place)
            advance()
    for one in judged:
        if isinstance(one, JudgmentTable):
            checker.know(one.questions.values())
        rows = one if isinstance(one, JudgmentTable) else [one]
        for place, row in enumerate(rows, start=1):
            checker.add(row if isinstance(row, Judgment) else judgment(row), place)
            advance()
