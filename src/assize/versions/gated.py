"""What a gate comes to: checks that pass or fail, as tables, JUnit XML and Markdown."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.results import Column, Result, ResultTable, columns
from assize.results.escape import disarmed, visible
from assize.results.markup import markdown_line
from assize.results.numbers import digits_for, interval, number
from assize.results.types import Estimate
from assize.stats.estimate import nullable
from assize.versions.compared import VersionsCompared
from assize.versions.tables import gist_of

_READ = 5  # conversations that a summary names


@dataclass(frozen=True, slots=True)
class Check:
    """One limit, and whether it is kept.

    Args:
        name: what is asked.
        judge: by whom; "" where it is about all.
        found: the statistic.
        bound: the end of its interval that counts; NaN where there is none.
        reason: why it failed where it could not be measured.
    """

    name: str
    judge: str
    found: Estimate
    bound: float
    limit: float
    passed: bool
    reason: str = ""

    @property
    def told(self) -> str:
        """The figure and its interval in words."""
        digits = digits_for([self.found.estimate, self.limit])
        said = f"{number(self.found.estimate, digits)} {interval(self.found, digits)}".strip()
        return f"{said}, n {self.found.n:,}" + (f"; {self.reason}" if self.reason else "")

    def to_json(self) -> dict[str, Any]:
        """The check with its figure."""
        return {
            "check": self.name,
            "judge": self.judge or None,
            **self.found.to_json(),
            "bound": nullable(self.bound),
            "limit": self.limit,
            "passed": self.passed,
            "reason": self.reason or None,
        }


@dataclass(frozen=True, slots=True)
class GateResult(Result):
    """Whether a version may pass.

    Args:
        subject: what was measured.
        checks: in the order asked.
        compared: with the baseline; None without one.
        lowest: of the conversations: (question, item, value, how it begins).
        unscored: judgments that could not be made, and all.
        told: what a reader should know.
        signature: of what could change the numbers.
    """

    subject: str
    checks: Sequence[Check]
    compared: VersionsCompared | None
    lowest: Sequence[tuple[str, str, float, str]]
    unscored: tuple[int, int]
    told: Sequence[str]
    signature: str

    @property
    def passed(self) -> bool:
        """Whether all checks did."""
        return all(one.passed for one in self.checks)

    @property
    def failed(self) -> Sequence[Check]:
        """The checks that did not pass."""
        return [one for one in self.checks if not one.passed]

    @property
    def alarm(self) -> str | None:
        """What ends the command with 1."""
        if self.passed:
            return None
        names = "; ".join(f"{one.name} ({one.told})" for one in self.failed)
        return f"the gate failed {len(self.failed):,} of {len(self.checks):,} checks: {names}"

    @property
    def own_tables(self) -> Mapping[str, ResultTable]:
        """The checks alone."""
        judges = len({one.judge for one in self.checks if one.judge}) > 1
        named = [Column("check"), Column("judge"), Column("found", "number", 3, ends="below")]
        named += [Column("bound", "number", 3), *columns("count", "n"), Column("gate")]
        rows = [
            [
                one.name,
                (one.judge or "all") if judges else None,
                one.found,
                one.bound,
                one.found.n,
                "passed" if one.passed else "FAILED",
            ]
            for one in self.checks
        ]
        notes = [f"{one.name}: {one.reason}." for one in self.checks if one.reason]
        title = f"{self.subject}: {'passed' if self.passed else 'FAILED'}"
        return {"checks": ResultTable(title, named, rows, notes)}

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """The checks, and how the version differs from the baseline."""
        found = dict(self.own_tables)
        if self.compared is not None:
            found["differences"] = self.compared.tables["differences"]
        return found

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know."""
        return self.told

    @property
    def lines(self) -> Sequence[str]:
        """How conversations were paired, and the signature."""
        paired = [] if self.compared is None else list(self.compared.lines[:-1])
        return [*paired, f"signature {self.signature}"]

    @property
    def missing(self) -> tuple[int, int]:
        """How many judgments are unscored, and of how many."""
        return self.unscored

    def to_json(self) -> dict[str, Any]:
        """Whether it passed, each check, and the comparison."""
        return {
            "passed": self.passed,
            "subject": self.subject,
            "checks": [one.to_json() for one in self.checks],
            "compared": None if self.compared is None else self.compared.to_json(),
            "unscored": self.unscored[0],
            "n": self.unscored[1],
            "notes": list(self.told),
            "signature": self.signature,
        }

    def to_junit(self) -> str:
        """JUnit XML: a test case a check, for the page of tests that a CI server shows."""
        failed = str(len(self.failed))
        about = {"name": "assize gate", "tests": str(len(self.checks)), "failures": failed}
        root = ET.Element("testsuites", about)
        suite = ET.SubElement(root, "testsuite", {**about, "errors": "0", "skipped": "0"})
        for one in self.checks:
            name = f"{one.name} [{one.judge}]" if one.judge else one.name
            named = {"classname": "assize.gate", "name": _plain(name), "time": "0"}
            case = ET.SubElement(suite, "testcase", named)
            if not one.passed:
                told = {"message": _plain(f"{one.name}: {one.told}"), "type": "threshold"}
                ET.SubElement(case, "failure", told).text = _plain(one.told)
            else:
                ET.SubElement(case, "system-out").text = _plain(one.told)
        ET.indent(root)
        return ET.tostring(root, encoding="unicode", xml_declaration=True) + "\n"

    def to_markdown(self) -> str:
        """A summary for a pull request; text of conversations is escaped, and pings nobody."""
        mark = "passed" if self.passed else "failed"
        parts = [f"### assize gate: {mark}\n", f"{markdown_line(self.subject)}\n"]
        parts += [one.to_markdown() for one in self.tables.values()]
        if self.compared is not None:
            parts += [f"{markdown_line(one)}\n" for one in self.compared.lines[:-1]]
        parts += [self._to_read()]
        parts += [f"{markdown_line(one)}\n" for one in self.told]
        parts.append(f"<sub>signature {markdown_line(self.signature)}</sub>\n")
        return "\n".join(part for part in parts if part)

    def _to_read(self) -> str:
        """The first conversations to read, folded."""
        compared = self.compared
        if compared is not None and compared.regressions:
            paired = bool(compared.regressions[0].before_item)
            what, question = "What fell furthest" if paired else "The lowest", compared.main[1]
            read = [
                (one.item, one.after, one.before if paired else math.nan, gist_of(compared, one))
                for one in compared.regressions[:_READ]
            ]
        else:
            what, question = "The lowest", self.lowest[0][0] if self.lowest else ""
            read = [(item, value, math.nan, said) for _, item, value, said in self.lowest[:_READ]]
        if not read:
            return ""
        digits = digits_for([end for one in read for end in one[1:3]])
        head = f"<details><summary>{what}, by {markdown_line(question)}</summary>\n"
        return "\n".join([head, *(_line(*one, digits) for one in read), "\n</details>\n"])


def _line(item: str, value: float, before: float, said: str, digits: int) -> str:
    was = "" if math.isnan(before) else f" (was {number(before, digits)})"
    return f"- {_code(item)} {number(value, digits)}{was}" + (f": {_code(said)}" if said else "")


def _code(text: str) -> str:
    """Untrusted text in Markdown: in `<code>` neither a name nor a number becomes a link."""
    return f"<code>{markdown_line(text)}</code>" if text.strip() else ""


def _plain(text: str) -> str:
    """Text on one line that XML 1.0 can hold and a CI server carries out nothing of."""
    return disarmed(visible(" ".join(text.split())))


def end_of(found: Estimate, at: int) -> tuple[float, str]:
    """The lower (0) or upper (1) end, and why there is none; the value where nothing varies."""
    end = found.interval[at]
    if not math.isnan(end):
        return end, ""
    if found.n > 1 and found.reason is not None and found.reason.startswith("no variation"):
        return found.estimate, ""
    return math.nan, found.reason or "there is no interval"
