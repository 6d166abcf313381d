"""`assize check`: what is ill-formed in conversations, pairs and judgments, as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from assize.cli.options import Files, FormatName, Json, Quiet
from assize.cli.terminal import note, print_json, problem
from assize.running.progress import progress
from assize.signature import content_hash
from assize.tables import ResultTable, columns
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    from assize.formats.checks import Checker, FileReport
    from assize.running.progress import Advance


def check(
    files: Files, format: FormatName = None, json: Json = False, quiet: Quiet = False
) -> None:
    """Checks files: turns out of order or empty, duplicate ids, missing references, scales.

    Exits with 2 when a record could not be read; everything else is a warning.

    Example: [bold]assize check chats.jsonl judgments.jsonl[/bold]
    """
    from assize.formats.checks import Checker

    checker = Checker()
    with progress("checking", None, quiet=quiet) as advance:
        for source in files:
            _look(checker, source, format, advance)
    reports = checker.finish()
    if json:
        print_json(_as_json(reports))
    else:
        _print(reports)
    if any(report.problems for report in reports):
        raise typer.Exit(2)


def _look(checker: Checker, source: str, format: str | None, advance: Advance) -> None:
    from assize.errors import DataError
    from assize.formats.questions import questions_beside
    from assize.formats.reading import open_records

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


def _print(reports: list[FileReport]) -> None:
    from assize.formats.checks import FINDINGS

    named = columns("words", "file", "format", "records")
    print_table(ResultTable("Files", named, list(map(_file_row, reports))))
    found = [
        (report.source, finding, count, ", ".join(report.places[finding]))
        for report in reports
        for finding, count in report.findings.items()
    ]
    if found:
        words, lines = columns("words", "file", "finding"), columns("words", "first lines")
        named = words + columns("count", "count") + lines
        print_table(ResultTable("Findings", named, found, grouped=True))
    for report in reports:
        for one in report.problems:
            problem(f"{report.source}: {one}")
    for finding in dict.fromkeys(row[1] for row in found):
        note(f"{finding}: {FINDINGS[finding]}")
    if not found and not any(report.problems for report in reports):
        note("nothing to report")


def _file_row(report: FileReport) -> tuple[str, str, str]:
    from assize.formats.kinds import counted

    kinds = ", ".join(counted(count, kind) for kind, count in report.kinds.items())
    return report.source, report.format or "not read", kinds or "none"


def _as_json(reports: list[FileReport]) -> dict[str, object]:
    described = repr(("check", 1, [report.source for report in reports]))
    return {
        "files": [
            {
                "source": report.source,
                "format": report.format,
                "records": dict(report.kinds),
                "findings": [
                    {"finding": finding, "count": count, "lines": report.places[finding]}
                    for finding, count in report.findings.items()
                ],
                "problems": report.problems,
            }
            for report in reports
        ],
        "findings": sum(report.findings.total() for report in reports),
        "unreadable": sum(report.findings["unreadable record"] for report in reports)
        + sum(report.format is None for report in reports),
        "signature": content_hash(described, digits=12),
    }
