"""`assize check` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import assize

EXAMPLES = Path(__file__).parents[2] / "examples"
LOG = """{"id": "a", "turns": [{"role": "user", "text": "a"}, {"role": "assistant", "text": "[1]"}]}
{"id": "a", "turns": [{"role": "user", "text": "hi"}, {"role": "user", "text": ""}]}
"""


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
    assert "conversations" in done.stdout


def test_what_cannot_be_read_exits_with_two_and_the_rest_is_checked(log: Path) -> None:
    log.write_text(LOG + '{"id": "b"')
    done = assize("check", log, log.parent / "missing", "--json")
    assert (done.returncode, done.stderr) == (2, "")
    report = json.loads(done.stdout)
    assert (report["unreadable"], len(report["files"])) == (2, 2)
    shown = assize("check", log)
    assert shown.returncode == 2
    assert f"assize: error: {log}: line 3: not a whole JSON value" in shown.stderr


def test_an_unknown_format_suggests_the_option(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text('{"foo": 1}')
    done = assize("check", tmp_path / "x.jsonl")
    assert done.returncode == 2
    assert "or choose a format with --format" in done.stderr


def test_sound_standard_input_says_so() -> None:
    done = assize("check", "-", stdin=LOG.splitlines()[0].replace("[1]", "ho"))
    assert (done.returncode, done.stderr) == (0, "no findings\n")


def test_help_shows_an_example() -> None:
    assert "assize check chats.jsonl judgments.jsonl" in assize("check", "--help").stdout


def test_a_set_is_described_with_what_is_declared(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("name: Chats\nlicence: CC0\n")
    files = [EXAMPLES / "conversations.jsonl", EXAMPLES / "ratings.jsonl"]
    done = assize(
        "check", *files, "--provenance", tmp_path / "p.yaml", "--card", tmp_path / "card.md"
    )
    assert done.returncode == 0, done.stderr
    for text in ("the turns before it, in characters", "CC0", "not declared", "raters with a name"):
        assert text in done.stdout
    assert (tmp_path / "card.md").read_text().startswith("# Chats")
