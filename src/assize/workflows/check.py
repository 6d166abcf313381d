"""What is ill-formed in conversations, pairs and judgments."""

from __future__ import annotations

from typing import Any

from assize.arguments import checked
from assize.errors import DataError
from assize.formats import Items, Judgments, items_from
from assize.formats.check_result import CheckResult
from assize.formats.checks import Checker
from assize.formats.questions import questions_beside
from assize.formats.reading import open_records
from assize.formats.records import judgment
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.running.progress import Advance, progress
from assize.workflows.reading import files_in, is_judgment


@checked
def check(
    items: Items | Judgments, *, format: str | None = None, quiet: bool = False
) -> CheckResult:
    """Checks files: turns out of order or empty, duplicate ids, missing references, scales.

    As a command it exits with 2 when a record could not be read; all else is a warning.

    Args:
        items: paths, URLs, or - for standard input. In Python also conversations, pairs,
            continuations, judgments, dicts and tables, which count as one file.
        format: format of the input, recognised from the content by default.
        quiet: no progress.

    Raises:
        DataError: what is in memory holds no record.
        ConfigError: there is no such format.
    """
    checker, files = Checker(), files_in(items)
    with progress("checking", None, quiet=quiet) as advance:
        for source in files:
            _look(checker, source, format, advance)
        rest = _beside(items, len(files))
        if rest is not None or not files:
            _look_at(checker, rest, format, advance)
    return CheckResult(checker.finish())


def _beside(given: Any, files: int) -> Any:
    """What is no file; None where there is nothing else."""
    if not files:
        return given
    several = given if isinstance(given, list | tuple) else [given]
    kept = [one for one in several if not files_in(one)]
    return kept or None


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
