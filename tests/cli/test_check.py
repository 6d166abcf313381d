"""`assize check` as a user meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

LOG = """{"id": "a", "turns": [{"role": "user", "text": "a"}, {"role": "assistant", "text": "[1]"}]}
{"id": "a", "turns": [{"role": "user", "text": "hi"}, {"role": "user", "text": ""}]}
"""


def assize(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from assize.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_text(LOG)
    return tmp_path / "log.jsonl"


def test_findings_are_warnings_in_a_table(log: Path) -> None:
    done = assize("check", log)
    assert done.returncode == 0
    for finding in (
        "duplicate id",
        "same role twice in a row",
        "empty turn",
        "no assistant turn",
        "cites a missing source",
    ):
        assert finding in done.stdout
        assert f"{finding}: " in done.stderr
    assert "2 conversations" in done.stdout


def test_json_is_one_object_with_everything(log: Path) -> None:
    report = json.loads(assize("check", log, "--json").stdout)
    (file,) = report["files"]
    assert (file["format"], file["records"], file["problems"]) == (
        "assize",
        {"conversations": 2},
        [],
    )
    assert {"finding": "duplicate id", "count": 1, "lines": ["2"]} in file["findings"]
    assert (report["findings"], report["unreadable"]) == (5, 0)


def test_a_record_that_cannot_be_read_exits_with_two_and_the_rest_is_checked(log: Path) -> None:
    log.write_text(LOG + '{"id": "b"')
    (log.parent / "empty.jsonl").write_text("")
    done = assize("check", log, log.parent / "empty.jsonl", log.parent / "missing", "--json")
    assert done.returncode == 2
    report = json.loads(done.stdout)
    assert report["unreadable"] == 3
    first, second, third = report["files"]
    assert first["records"] == {"conversations": 2}
    assert "line 3: not a whole JSON value" in first["problems"][0]
    assert second["problems"] == ["the file is empty"]
    assert third["problems"] == ["there is no such file"]


def test_questions_beside_judgments_are_known(tmp_path: Path) -> None:
    (tmp_path / "judgments.jsonl").write_text(
        '{"item": "i", "judge": "j", "question": "q", "answer": "9"}\n'
    )
    assert "question not defined" in assize("check", tmp_path / "judgments.jsonl").stdout
    (tmp_path / "questions.json").write_text('[{"id": "q", "kind": "ordinal", "answers": ["1"]}]')
    done = assize("check", tmp_path / "judgments.jsonl")
    assert "answer outside the scale" in done.stdout
    assert "question not defined" not in done.stdout


def test_an_unknown_format_suggests_the_option(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"foo": 1}')
    done = assize("check", tmp_path / "x.jsonl")
    assert done.returncode == 2
    assert "choose one with --format" in done.stderr


def test_sound_files_say_so(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text(LOG.splitlines()[0].replace("[1]", "ho"))
    done = assize("check", tmp_path / "x.jsonl")
    assert (done.returncode, done.stderr) == (0, "nothing to report\n")


def test_help_shows_an_example() -> None:
    assert "assize check chats.jsonl judgments.jsonl" in assize("check", "--help").stdout
