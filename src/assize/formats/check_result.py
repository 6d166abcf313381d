"""What `assize check` comes to: what is in each file, what to look at, what could not be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from assize.base.signature import content_hash
from assize.formats.checks import FINDINGS, FileReport
from assize.results import Hidden, Result, Table


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file, or what was in memory.

    Args:
        format: what it was read as; None when it could not be opened.
        records: how many, by kind.
    """

    file: str
    format: str | None
    records: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Finding:
    """What somebody should look at in a file.

    Args:
        count: how often it occurs.
        first_lines: where it occurs first.
    """

    file: str
    finding: str
    count: int
    first_lines: Sequence[str]


@dataclass(frozen=True)
class CheckResult(Result):
    """What is in each file, and what is wrong there.

    Args:
        unreadable: records and files that could not be read.
        problems: what they suffer from, by file; the command then ends with 2.
        card: what is in the files, where that was asked for.
    """

    files: Annotated[Sequence[CheckedFile], Table("Files", "What each file was read as.")]
    findings: Annotated[
        Sequence[Finding],
        Table("Findings", "Records that are whole, and should be looked at.", "file"),
    ]
    unreadable: Hidden[int] = 0
    problems: Sequence[str] = ()
    card: Result | None = None

    @property
    def inner(self) -> Sequence[Result]:
        """The card, where there is one."""
        return () if self.card is None else (self.card,)

    @property
    def notes(self) -> Sequence[str]:
        """What to do about each finding."""
        advice = dict.fromkeys(finding.finding for finding in self.findings)
        notes = [f"{finding}: {FINDINGS[finding]}" for finding in advice]
        if not notes and not self.problems:
            notes.append("no findings")
        return notes if self.card is None else [*notes, *self.card.notes]

    @property
    def lines(self) -> Sequence[str]:
        """What makes the card reproducible."""
        return () if self.card is None else self.card.lines

    @property
    def signature(self) -> str:
        """Of the files' names."""
        described = repr(("check", 1, [file.file for file in self.files]))
        return content_hash(described, digits=12)


def summarise_check(reports: Sequence[FileReport]) -> CheckResult:
    """Return what the reports of some files come to."""
    findings = [
        Finding(report.source, finding, count, report.places[finding])
        for report in reports
        for finding, count in report.findings.items()
    ]
    unreadable = sum(report.findings["unreadable record"] for report in reports)
    return CheckResult(
        [CheckedFile(report.source, report.format, dict(report.kinds)) for report in reports],
        findings,
        unreadable + sum(report.format is None for report in reports),
        [f"{report.source}: {problem}" for report in reports for problem in report.problems],
    )
