"""What is ill-formed, in files and in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize import Conversation, Judgment, JudgmentTable, Question, Turn, check
from assize.base.errors import ConfigError
from assize.formats import read
from assize.formats.checks import CheckResult

LOG = """{"id": "a", "turns": [{"role": "user", "text": "a"}, {"role": "assistant", "text": "[1]"}]}
{"id": "a", "turns": [{"role": "user", "text": "hi"}, {"role": "user", "text": ""}]}
"""


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_text(LOG)
    return tmp_path / "log.jsonl"


def test_a_file_is_told_with_everything(log: Path) -> None:
    report = check(log).to_json()
    (file,) = report["files"]
    assert (file["file"], file["format"]) == (str(log), "assize")
    assert (file["records"], report["problems"]) == ({"conversations": 2}, [])
    duplicate = {"file": str(log), "finding": "duplicate id", "count": 1, "first_lines": ["2"]}
    assert duplicate in report["findings"]
    assert sum(row["count"] for row in report["findings"]) == 5
    assert report["unreadable"] == 0


def counts(result: CheckResult) -> dict[str, int]:
    """How often each finding occurs."""
    return {finding.finding: finding.count for finding in result.findings}


def test_what_cannot_be_read_is_a_problem_and_the_rest_is_checked(log: Path) -> None:
    log.write_text(LOG + '{"id": "b"')
    (log.parent / "empty.jsonl").write_text("")
    found = check([log, log.parent / "empty.jsonl", str(log.parent / "missing")])
    first, second, third = found.files
    assert first.records == {"conversations": 2}
    assert (second.format, third.format) == (None, None)
    assert "line 3: not a whole JSON value" in found.problems[0]
    assert found.problems[1].endswith("empty.jsonl: the file is empty")
    assert found.problems[2].endswith("missing: there is no such file")
    assert len(found.problems) == found.unreadable == 3


def test_a_format_that_does_not_fit_is_a_problem_and_skipping_is_no_advice(log: Path) -> None:
    log.write_text(LOG + '{"id": "b", "turns": [{"role": "wizard", "text": ""}]}\n' * 3)
    found = check(log)
    assert "does not fit 3 of 5 records; most often turns[...].role: received" in found.problems[0]
    assert found.unreadable == 3
    assert not any("--on-error skip" in note for note in found.notes)


def test_questions_beside_judgments_are_known(tmp_path: Path) -> None:
    rows = tmp_path / "judgments.jsonl"
    rows.write_text('{"item": "i", "judge": "j", "question": "q", "answer": "9"}\n')
    assert counts(check(rows)) == {"question not defined": 1}
    (tmp_path / "questions.json").write_text('[{"id": "q", "kind": "ordinal", "answers": ["1"]}]')
    assert counts(check(rows)) == {"answer outside the scale": 1}


def test_records_in_memory_are_one_file() -> None:
    twice = Conversation("c", (Turn("user", "hi"), Turn("assistant", "ho")))
    found = check([twice, twice])
    (report,) = found.files
    assert (report.file, report.records, found.problems) == ("items", {"conversations": 2}, [])
    assert counts(found) == {"duplicate id": 1}
    assert found.notes == [
        "duplicate id: give each record its own id; judgments cannot tell these apart"
    ]


def test_judgments_in_memory_are_checked_against_their_items_and_questions() -> None:
    item = Conversation("c", (Turn("user", "hi"), Turn("assistant", "ho")))
    row = {"item": "elsewhere", "judge": "j", "question": "q", "answer": "1"}
    assert counts(check([item, row])) == {"question not defined": 1, "judged item not here": 1}
    scale = Question(id="q", text="", kind="ordinal", answers=("1", "2"))
    table = JudgmentTable.of([Judgment("c", "j", "q", answer="3")], [scale])
    assert counts(check(table)) == {"answer outside the scale": 1}


def test_files_and_records_can_stand_side_by_side(log: Path) -> None:
    item = Conversation("a", (Turn("user", "hi"), Turn("assistant", "ho")))
    result = check([log, item])
    assert [checked.file for checked in result.files] == [str(log), "items"]
    last = result.findings[-1]
    assert (last.file, last.finding, last.count) == ("items", "duplicate id across files", 1)


def test_an_unknown_format_is_said(log: Path) -> None:
    with pytest.raises(ConfigError, match="no format 'nope'"):
        check(read(log, format="nope"))
