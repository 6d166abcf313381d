"""Findings as tables, notes and JSON."""

from __future__ import annotations

from assize.formats.check_result import summarise_check
from assize.formats.checks import FileReport


def test_sound_files_have_no_table_of_findings() -> None:
    sound = FileReport("a.jsonl", "assize")
    sound.kinds["pairs"] = 1
    result = summarise_check([sound])
    assert list(result.tables) == ["files"]
    assert result.tables["files"].rows == [["a.jsonl", "assize", 1]]
    assert [column.name for column in result.tables["files"].columns][-1] == "pairs"
    assert result.notes == ["no findings"]


def test_findings_name_their_first_lines_and_what_to_do() -> None:
    bad = FileReport("b.jsonl", "assize")
    for line in range(5):
        bad.add("empty turn", str(line))
    result = summarise_check([bad])
    assert result.tables["findings"].title == "b.jsonl: Findings"
    assert result.tables["findings"].rows == [["empty turn", 5, "0, 1, 2"]]
    assert result.notes == ["empty turn: fill it or remove it"]
    assert [finding.count for finding in result.findings] == [5]


def test_a_file_that_was_not_opened_is_unreadable_and_a_problem() -> None:
    missing = FileReport("c.jsonl", problems=["there is no such file"])
    result = summarise_check([missing])
    assert result.problems == ["c.jsonl: there is no such file"]
    assert result.notes == []
    assert result.to_json()["unreadable"] == 1
    assert result.tables["files"].rows == [["c.jsonl", None]]
