from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import AssizeError
from assize.cli import app

CHATS = [
    Conversation("c1", (Turn("user", "I am Anna Berg."), Turn("assistant", "Hello Anna!"))),
    Conversation("c2", (Turn("user", "Falcon is late, mail a@b.org"),)),
]


def test_items_are_scrubbed_and_come_back_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "terms.txt").write_text("# ours\nfalcon\n")
    done = assize.simulate.scrub(CHATS, out=tmp_path / "clean", terms=tmp_path / "terms.txt")
    assert {row.kind: row.places for row in done.replaced} == {"NAME": 2, "MAIL": 1, "TERM": 1}
    text = (tmp_path / "clean" / "items.jsonl").read_text()
    assert not any(one in text for one in ("Anna", "Falcon", "a@b.org"))
    found = assize.simulate.unscrub(
        tmp_path / "clean" / "items.jsonl",
        tmp_path / "clean" / "scrubbed.json",
        tmp_path / "back.jsonl",
    )
    assert (found.records, found.unknown) == (2, 0)
    assert list(assize.read(tmp_path / "back.jsonl")) == CHATS


def test_a_second_scrub_into_the_folder_keeps_its_placeholders(tmp_path: Path) -> None:
    first = assize.simulate.scrub(CHATS, out=tmp_path)
    second = assize.simulate.scrub(CHATS[::-1], out=tmp_path)
    assert list(second) == list(first)[::-1]
    assert "Anna" not in repr(second)


def test_the_commands_show_counts_and_no_values(tmp_path: Path) -> None:
    assize.write(tmp_path / "c.jsonl", CHATS)
    said = CliRunner().invoke(
        app, ["simulate", "scrub", str(tmp_path / "c.jsonl"), "-o", str(tmp_path / "x"), "--json"]
    )
    assert said.exit_code == 0, said.output
    rows = json.loads(said.stdout)["replaced"]
    assert {row["kind"]: row["places"] for row in rows} == {"MAIL": 1, "NAME": 2}


def test_placeholders_that_nobody_knows_stay_and_are_counted(tmp_path: Path) -> None:
    known = {
        "placeholders": {"[NAME 1]": "Anna", "[NAME 2]": "Bo"},
        "conversations": {"c": ["[NAME 1]"], "d": ["[NAME 2]"]},
    }
    (tmp_path / "m.json").write_text(json.dumps(known))
    record = {"id": "c", "a": "[NAME 1] and [NAME 9], not [NAME 2]"}
    (tmp_path / "in.jsonl").write_text(json.dumps(record) + "\n\n")
    found = assize.simulate.unscrub(
        tmp_path / "in.jsonl", tmp_path / "m.json", tmp_path / "out.jsonl"
    )
    assert (found.records, found.unknown, found.foreign) == (1, 1, 1)
    restored = {"id": "c", "a": "Anna and [NAME 9], not [NAME 2]"}
    assert json.loads((tmp_path / "out.jsonl").read_text()) == restored


@pytest.mark.parametrize(
    ("out", "problem"), [("out", r"in\.jsonl:1: no JSON"), ("in", "out is the file itself")]
)
def test_a_bad_line_or_the_file_itself_is_refused(out: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "m.json").write_text('{"placeholders": {}, "conversations": {}}')
    (tmp_path / "in.jsonl").write_text("no\n")
    with pytest.raises(AssizeError, match=problem):
        assize.simulate.unscrub(
            tmp_path / "in.jsonl", tmp_path / "m.json", tmp_path / f"{out}.jsonl"
        )
