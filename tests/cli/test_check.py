"""`assize check` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import assize

EXAMPLES = Path(__file__).parents[2] / "examples"
LOG = """{"id": "a", "turns": [{"role": "user", "text": "a"}, {"role": "assistant", "text": "[1]"}]}
{"id": "a", "turns": [{"role": "user", "text": "hi"}, {"role": "user", "text": ""}]}
"""


def test_findings_are_warnings_in_a_table(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text(LOG)
    done = assize("check", tmp_path / "log.jsonl")
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


def test_what_cannot_be_read_exits_with_two_and_the_rest_is_checked(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(LOG + '{"id": "b"')
    (tmp_path / "x.jsonl").write_text('{"foo": 1}')
    done = assize("check", log, tmp_path / "x.jsonl", "--json")
    assert (done.returncode, done.stderr) == (2, "")
    report = json.loads(done.stdout)
    assert (report["unreadable"], len(report["files"])) == (2, 2)
    shown = assize("check", log, tmp_path / "x.jsonl")
    assert shown.returncode == 2
    assert f"assize: error: {log}: line 3: not a whole JSON value" in shown.stderr
    assert "or choose a format with --format" in shown.stderr


def test_sound_standard_input_says_so() -> None:
    done = assize("check", "-", stdin=LOG.splitlines()[0].replace("[1]", "ho"))
    assert (done.returncode, done.stderr) == (0, "no findings\n")


def test_a_set_is_described_with_what_is_declared(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("name: Chats\nlicence: CC0\n")
    files = [EXAMPLES / "conversations.jsonl", EXAMPLES / "ratings.jsonl"]
    options = ("--provenance", tmp_path / "p.yaml", "--card", tmp_path / "card.md")
    done = assize("check", *files, *options)
    assert done.returncode == 0, done.stderr
    for text in ("the turns before it, in characters", "CC0", "not declared", "raters with a name"):
        assert text in done.stdout
    assert (tmp_path / "card.md").read_text().startswith("# Chats")
