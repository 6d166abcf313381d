"""What a gate returns: checks that pass or fail, as tables, JUnit XML and Markdown."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from assize.results import Column, Hidden, Result, ResultTable, Table
from assize.results.escape import disarmed, visible
from assize.results.markup import markdown_line
from assize.results.numbers import digits_for, interval, number
from assize.results.types import Estimate
from assize.versions.compare_result import Regression, VersionsCompared

_READ = 5  # conversations that a summary names
EVERY_JUDGE = "all judges"


@dataclass(frozen=True, slots=True)
class Check:
    """One limit, and whether it is kept.

    Args:
        check: what is asked.
        judge: by whom; `EVERY_JUDGE` where it is about all judgments.
        segment: among which conversations; "" for all.
        figure: the statistic.
        bound: the end of its interval that counts; NaN where there is none.
        limit: what the bound is held against.
        gate: what it came to.
        reason: why it failed where it could not be measured.
    """

    check: str
    segment: str
    judge: str
    figure: Annotated[Estimate, Column(ends="below")]
    bound: float
    limit: Hidden[float]
    gate: Literal["passed", "FAILED"]
    reason: str | None = None

    @property
    def passed(self) -> bool:
        """Whether the limit is kept."""
        return self.gate == "passed"

    @property
    def name(self) -> str:
        """What is asked, and of which segment."""
        return f"{self.check} in {self.segment}" if self.segment else self.check

    @property
    def message(self) -> str:
        """The figure and its interval in words."""
        digits = digits_for([self.figure.estimate, self.limit])
        figure = f"{number(self.figure.estimate, digits)} {interval(self.figure, digits)}".strip()
        bound = "" if math.isnan(self.bound) else f"; what counts is {number(self.bound, digits)}"
        return f"{figure}, n {self.figure.n:,}{bound}" + (f"; {self.reason}" if self.reason else "")


@dataclass(frozen=True)
class GateResult(Result):
    """Whether a version may pass.

    Args:
        passed: whether all checks did.
        subject: what was measured.
        checks: by judge, in the order asked.
        compared: with the baseline; None without one.
        n, unscored: judgments, and those that could not be made.
        signature: of what could change the numbers.
        question: by which the lowest conversations are ordered.
        lowest: conversations with the lowest values.
    """

    heading = "Gate"

    passed: bool
    subject: str
    checks: Annotated[
        Sequence[Check],
        Table(
            "Checks",
            "Whether each limit is kept.",
            "judge",
            notes=[
                "Bound: the end of the interval that is compared with the limit: the lower end for"
                " >=, the upper end for <=; for percent unscored, the figure itself."
            ],
        ),
    ]
    compared: VersionsCompared | None
    n: Hidden[int]
    unscored: Hidden[int]
    signature: str
    question: str = field(repr=False)
    lowest: Sequence[Regression] = field(repr=False)
    notes: Sequence[str] = ()

    @property
    def failed(self) -> Sequence[Check]:
        """The checks that did not pass."""
        return [check for check in self.checks if not check.passed]

    @property
    def alarm(self) -> str | None:
        """What ends the command with 1."""
        if self.passed:
            return None
        names = "; ".join(f"{check.name} ({check.message})" for check in self.failed)
        return f"the gate failed {len(self.failed):,} of {len(self.checks):,} checks: {names}"

    @property
    def sentence(self) -> str:
        """Whether the version passed, and what failed."""
        if self.passed:
            return f"{self.subject}: all {len(self.checks):,} checks passed."
        return f"{self.subject}: {self.alarm}."

    @property
    def headline(self) -> Mapping[str, tuple[str, str]]:
        """Whether it passed."""
        passed = len(self.checks) - len(self.failed)
        return {
            "gate": ("passed" if self.passed else "FAILED", self.subject),
            "checks passed": (f"{passed:,} of {len(self.checks):,}", ""),
        }

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """How the version differs from the baseline and what to read, where there is one."""
        tables = {} if self.compared is None else self.compared.tables
        return {name: tables[name] for name in ("differences", "regressions") if name in tables}


def junit_xml(result: GateResult) -> str:
    """Return JUnit XML: a test case a check, for the page of tests that a CI server shows."""
    counts = {"tests": str(len(result.checks)), "failures": str(len(result.failed))}
    about = {"name": "assize gate", **counts}
    root = ET.Element("testsuites", about)
    suite = ET.SubElement(root, "testsuite", {**about, "errors": "0", "skipped": "0"})
    for check in result.checks:
        by = "" if check.judge == EVERY_JUDGE else f" [{check.judge}]"
        name = f"{check.name}{by}"
        attributes = {"classname": "assize.gate", "name": _plain(name), "time": "0"}
        case = ET.SubElement(suite, "testcase", attributes)
        if check.passed:
            ET.SubElement(case, "system-out").text = _plain(check.message)
        else:
            message = _plain(f"{check.name}: {check.message}")
            failure = ET.SubElement(case, "failure", {"message": message, "type": "threshold"})
            failure.text = _plain(check.message)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def markdown(result: GateResult) -> str:
    """Return a summary for a pull request; text of conversations is escaped, and pings nobody."""
    passed = "passed" if result.passed else "failed"
    parts = [f"### assize gate: {passed}\n", f"{markdown_line(result.subject)}\n"]
    tables = result.tables.items()
    parts += [table.to_markdown() for name, table in tables if name != "regressions"]
    parts.append(_to_read(result))
    parts += [f"{markdown_line(note)}\n" for note in result.notes]
    parts.append(f"<sub>signature {markdown_line(result.signature)}</sub>\n")
    return "\n".join(part for part in parts if part)


def _to_read(result: GateResult) -> str:
    """The first conversations to read, folded."""
    rows, question = result.lowest[:_READ], result.question
    if result.compared is not None and result.compared.regressions:
        rows, question = result.compared.regressions[:_READ], result.compared.main[1]
    if not rows:
        return ""
    order = "What fell furthest" if rows[0].before_item else "The lowest"
    digits = digits_for([value for row in rows for value in (row.before, row.after) if value])
    head = f"<details><summary>{order}, by {markdown_line(question)}</summary>\n"
    return "\n".join([head, *(_line(row, digits) for row in rows), "\n</details>\n"])


def _line(row: Regression, digits: int) -> str:
    before = "" if row.before is None else f" (was {number(row.before, digits)})"
    after = math.nan if row.after is None else row.after
    begins = f": {_code(row.begins)}" if row.begins else ""
    return f"- {_code(row.item)} {number(after, digits)}{before}{begins}"


def _code(text: str) -> str:
    """Untrusted text in Markdown: in `<code>` neither a name nor a number becomes a link."""
    return f"<code>{markdown_line(text)}</code>" if text.strip() else ""


def _plain(text: str) -> str:
    """Text on one line that XML 1.0 can hold and a CI server carries out nothing of."""
    return disarmed(visible(" ".join(text.split())))


def end_of(figure: Estimate, side: Literal[0, 1]) -> tuple[float, str | None]:
    """Return the lower (0) or upper (1) end, and why there is none.

    Where nothing varies it is the value itself.
    """
    end = figure.interval[side]
    if not math.isnan(end):
        return end, None
    if figure.n > 1 and figure.reason is not None and figure.reason.startswith("no variation"):
        return figure.estimate, None
    return math.nan, figure.reason or "there is no interval"
