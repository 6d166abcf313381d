"""What `assize check` comes to: what was found in each file, and what could not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.formats.checks import FINDINGS, FileReport
from assize.formats.kinds import counted
from assize.results import Result, ResultTable, columns
from assize.signature import content_hash


@dataclass(frozen=True, slots=True)
class CheckResult(Result):
    """Findings by file.

    Args:
        files: a report a file; what was in memory is one of them.
        card: what is in the files, where that was asked for.
    """

    files: Sequence[FileReport]
    card: Result | None = None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`files`, and `findings` where there are any; then those of the card."""
        named = columns("words", "file", "format", "records")
        found = {"files": ResultTable("Files", named, list(map(_file_row, self.files)))}
        rows = self._findings()
        if rows:
            named = columns("words", "file", "finding") + columns("count", "count")
            named += columns("words", "first lines")
            found["findings"] = ResultTable("Findings", named, rows, grouped=True)
        return found if self.card is None else {**found, **self.card.tables}

    @property
    def problems(self) -> Sequence[str]:
        """What could not be read, by file; the command then ends with 2."""
        return [f"{one.source}: {problem}" for one in self.files for problem in one.problems]

    @property
    def notes(self) -> Sequence[str]:
        """What to do about each finding."""
        found = dict.fromkeys(str(row[1]) for row in self._findings())
        more = [] if self.card is None else self.card.notes
        if not found and not self.problems:
            return ["nothing to report", *more]
        return [*(f"{finding}: {FINDINGS[finding]}" for finding in found), *more]

    def _findings(self) -> list[tuple[str, str, int, str]]:
        return [
            (report.source, finding, count, ", ".join(report.places[finding]))
            for report in self.files
            for finding, count in report.findings.items()
        ]

    @property
    def lines(self) -> Sequence[str]:
        """What makes the card reproducible."""
        return () if self.card is None else self.card.lines

    @property
    def signature(self) -> str:
        """Of the files' names."""
        described = repr(("check", 1, [report.source for report in self.files]))
        return content_hash(described, digits=12)

    def to_json(self) -> dict[str, Any]:
        """Every finding, with its first lines."""
        return {
            "files": [_file_json(report) for report in self.files],
            "findings": sum(report.findings.total() for report in self.files),
            "unreadable": sum(report.findings["unreadable record"] for report in self.files)
            + sum(report.format is None for report in self.files),
            "signature": self.signature,
            **({} if self.card is None else {"card": self.card.to_json()}),
        }


def _file_row(report: FileReport) -> tuple[str, str, str]:
    kinds = ", ".join(counted(count, kind) for kind, count in report.kinds.items())
    return report.source, report.format or "not read", kinds or "none"


def _file_json(report: FileReport) -> dict[str, Any]:
    return {
        "source": report.source,
        "format": report.format,
        "records": dict(report.kinds),
        "findings": [
            {"finding": finding, "count": count, "lines": report.places[finding]}
            for finding, count in report.findings.items()
        ],
        "problems": report.problems,
    }
