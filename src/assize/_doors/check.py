"""What is ill-formed in conversations, pairs and judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats import Items, ItemsLike, JudgmentsLike
from assize.formats.arguments import files_in, source_of
from assize.formats.checks import Checker, CheckResult, summarise_check
from assize.formats.files import is_read_once
from assize.formats.judgment_files import is_judgment
from assize.formats.questions import questions_beside
from assize.formats.read_options import ReadOptions
from assize.formats.reading import open_records
from assize.formats.records import judgment
from assize.formats.rejects import Reject, describe_misfit
from assize.formats.sources import files_of
from assize.judgments import JudgmentTable
from assize.running.progress import Advance, progress

if TYPE_CHECKING:
    from assize._doors.data_card.card import DataCard


def check(
    items: ItemsLike | JudgmentsLike,
    *,
    describe: bool = False,
    provenance: str | Path | None = None,
    card: str | Path | None = None,
    quiet: bool = False,
) -> CheckResult:
    """Check files: turns out of order or empty, duplicate ids, missing references, scales.

    On the command line it exits with 2 if a record could not be read; all else is a warning.
    `describe` adds a card of the data: how much, how long, judged by whom, and what `provenance`
    declares.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also conversations,
            pairs, continuations, judgments, dicts and tables, which count as one file.
        describe: also describe the data: how much, how long, judged by whom.
        provenance: YAML file in which the makers of the data declare where they come from.
        card: also write the description to this file, as Markdown.
        quiet: no progress.

    Raises:
        DataError: what is in memory holds no record, or there is nothing to describe.
        ConfigError: there is no such format.
    """
    describing = describe or provenance is not None or card is not None
    source = _kept(source_of(items)) if describing else source_of(items)
    checker, rest = Checker(), _beside(source)
    misfits: set[str] = set()  # files of which most records are bad
    with progress("checking", None, quiet=quiet) as advance:
        for path in source.paths:
            misfits |= _look_in(checker, path, source.options, advance)
        if rest is not None or not source.paths:
            _look_at(checker, rest, source, advance)
    result = summarise_check(checker.finish())
    if misfits:
        findings = [
            finding
            for finding in result.findings
            if finding.file not in misfits or finding.finding != "unreadable record"
        ]
        result = replace(result, findings=findings)
    if not describing:
        return result
    return replace(result, card=_card(source, result, provenance, card))


def _kept(source: Items) -> Items:
    """What can be looked at twice.

    Raises:
        ConfigError: a file can be read once alone.
    """
    for file in source.paths:
        if is_read_once(file):
            raise ConfigError(f"{file}: a description reads its files twice; save it as a file")
    return source.part(list(source.source)) if isinstance(source.source, Iterator) else source


def _card(
    source: Items, found: CheckResult, provenance: str | Path | None, out: str | Path | None
) -> DataCard | None:
    """The card of what could be read, whose bad records stand in the reports; else None."""
    from assize._doors.describe import card_of

    unread = {checked.file for checked in found.files if checked.format is None}
    several = source.source if isinstance(source.source, list | tuple) else [source.source]
    kept = [part for part in several if str(part) not in unread]
    if unread and not kept:
        return None
    try:
        return card_of(source.part(kept) if unread else source, provenance, out)
    except DataError:
        if found.problems and provenance is None:
            return None
        raise


def _beside(source: Items) -> Any:
    """What is no file; None where there is nothing else."""
    if not source.paths:
        return source.source
    several = source.source if isinstance(source.source, list | tuple) else [source.source]
    return [part for part in several if not files_in(part)] or None


def _look_in(checker: Checker, path: str, options: ReadOptions, advance: Advance) -> set[str]:
    """Reads a file, or each of a folder or a pattern; returns those that are misread."""
    try:
        files = files_of(path)
    except DataError as error:
        checker.begin(path).problems.append(error.problem)
        return set()
    return {file for file in files if _look(checker, file, options, advance)}


def _look(checker: Checker, file: str, options: ReadOptions, advance: Advance) -> bool:
    """Reads a file as far as it goes; what is wrong with it stands in its report.

    Returns whether its format does not fit most of its records.
    """
    report = checker.begin(file)
    reasons: Counter[str] = Counter()

    def reject(bad: Reject) -> None:
        reasons[bad.reason] += 1
        checker.reject(bad)

    try:
        with open_records(file, options, reject) as opened:
            report.format = opened.format.name
            checker.know((*opened.format.questions, *questions_beside(file)))
            for line, record in opened.records:
                checker.add(record, line)
                advance()
    except DataError as error:
        where = "" if error.line is None else f"line {error.line}: "
        report.problems.append(where + (f"{error.field}: " if error.field else "") + error.problem)
    records = report.kinds.total() + reasons.total()
    misfit = describe_misfit(str(report.format), reasons, records)
    if misfit is not None:
        report.problems.insert(0, misfit)
    return misfit is not None


def _look_at(checker: Checker, given: Any, source: Items, advance: Advance) -> None:
    """Looks at what is in memory: items first, then judgments."""
    checker.begin("items").format = "in memory"
    several = given if isinstance(given, list | tuple) else [given]
    judged = [one for one in several if is_judgment(one)]
    others = [one for one in several if not is_judgment(one)] if judged else given
    if not judged or others:
        items = source.part(others).lenient()
        for place, record in enumerate(items, start=1):
            checker.add(record, place)
            advance()
        for reject in items.rejects:
            checker.reject(reject)
    for one in judged:
        if isinstance(one, JudgmentTable):
            checker.know(one.questions.values())
        rows = one if isinstance(one, JudgmentTable) else [one]
        for place, row in enumerate(rows, start=1):
            checker.add(row if isinstance(row, Judgment) else judgment(row), place)
            advance()
