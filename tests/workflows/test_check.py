"""What is ill-formed, in files and in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize import Conversation, Judgment, JudgmentTable, Question, Turn, check
from assize.errors import ConfigError
from assize.formats import read

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
    assert (file["source"], file["format"]) == (str(log), "assize")
    assert (file["records"], file["problems"]) == ({"conversations": 2}, [])
    assert {"finding": "duplicate id", "count": 1, "lines": ["2"]} in file["findings"]
    assert (report["findings"], report["unreadable"]) == (5, 0)


def test_what_cannot_be_read_is_a_problem_and_the_rest_is_checked(log: Path) -> None:
    log.write_text(LOG + '{"id": "b"')
    (log.parent / "empty.jsonl").write_text("")
    found = check([log, log.parent / "empty.jsonl", str(log.parent / "missing")])
    first, second, third = found.files
    assert first.kinds == {"conversations": 2}
    assert "line 3: not a whole JSON value" in first.problems[0]
    assert (second.problems, third.problems) == (["the file is empty"], ["there is no such file"])
    assert len(found.problems) == found.to_json()["unreadable"] == 3


def test_questions_beside_judgments_are_known(tmp_path: Path) -> None:
    rows = tmp_path / "judgments.jsonl"
    rows.write_text('{"item": "i", "judge": "j", "question": "q", "answer": "9"}\n')
    assert "question not defined" in check(rows).files[0].findings
    (tmp_path / "questions.json").write_text('[{"id": "q", "kind": "ordinal", "answers": ["1"]}]')
    assert list(check(rows).files[0].findings) == ["answer outside the scale"]


def test_records_in_memory_are_one_file() -> None:
    twice = Conversation("c", (Turn("user", "hi"), Turn("assistant", "ho")))
    found = check([twice, twice])
    (report,) = found.files
    assert (report.source, report.kinds, report.problems) == ("items", {"conversations": 2}, [])
    assert report.findings == {"duplicate id": 1}
    assert found.notes == [
        "duplicate id: give each record its own id; judgments cannot tell these apart"
    ]


def test_judgments_in_memory_are_checked_against_their_items_and_questions() -> None:
    item = Conversation("c", (Turn("user", "hi"), Turn("assistant", "ho")))
    row = {"item": "elsewhere", "judge": "j", "question": "q", "answer": "1"}
    assert check([item, row]).files[0].findings == {
        "question not defined": 1,
        "judged item not here": 1,
    }
    scale = Question(id="q", text="", kind="ordinal", answers=("1", "2"))
    table = JudgmentTable.of([Judgment("c", "j", "q", answer="3")], [scale])
    assert check(table).files[0].findings == {"answer outside the scale": 1}


def test_files_and_records_can_stand_side_by_side(log: Path) -> None:
    item = Conversation("a", (Turn("user", "hi"), Turn("assistant", "ho")))
    first, second = check([log, item]).files
    assert (first.source, second.source) == (str(log), "items")
    assert second.findings == {"duplicate id across files": 1}


def test_an_unknown_format_is_said(log: Path) -> None:
    with pytest.raises(ConfigError, match="no format 'nope'"):
        check(read(log, format="nope"))
