"""The options of reading, and where the command line keeps bad records."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from command_line import read_refusal, run

from assize.base.errors import ConfigError
from assize.cli.inputs import READING, open_inputs, save_rejects
from assize.formats import read

USUAL: dict[str, Any] = {name: usual for name, (_, usual) in READING.items()}
GOOD = '{"id": "a", "turns": [{"role": "user", "text": "hi"}]}\n'


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.jsonl").write_text(GOOD + GOOD.replace("user", "wizard"))
    return tmp_path / "log.jsonl"


def test_what_was_typed_becomes_items_with_the_options(log: Path) -> None:
    typed = {"items": [str(log)], "against": None, "versions": {"new": [str(log)]}, "n": 3}
    reading = USUAL | {"on_error": "skip"}
    found = open_inputs(typed, ["items", "against", "versions", "absent"], reading)
    assert found.keys() == {"items", "against", "versions"}
    assert found["against"] is None
    for one in (found["items"], found["versions"]["new"]):
        assert one.paths == [str(log)]
        assert one.options.on_error == "skip"
        assert [item.id for item in one] == ["a"]
    with pytest.raises(ConfigError, match="no format 'nope'"):
        open_inputs(typed, ["items"], USUAL | {"format": "nope"})


def test_bad_records_stand_in_a_file_by_input(log: Path) -> None:
    typed = {"items": [str(log)], "against": [str(log)]}
    inputs = open_inputs(typed, typed, USUAL | {"on_error": "skip"})
    with save_rejects(inputs | {"none": None}):
        for items in inputs.values():
            list(items)
    for name in ("rejects.jsonl", "against.rejects.jsonl"):
        assert json.loads(Path(name).read_text())["line"] == 2


def test_they_are_kept_once_and_also_where_the_function_fails(log: Path) -> None:
    inputs = open_inputs({"items": [str(log)]}, ["items"], USUAL | {"on_error": "skip"})
    rejects = Path("rejects.jsonl")
    with suppress(RuntimeError), save_rejects(inputs):
        list(inputs["items"])
        raise RuntimeError("later")
    assert len(rejects.read_text().splitlines()) == 1
    rejects.unlink()
    with save_rejects(inputs):
        pass
    assert not rejects.exists()


def test_they_stand_beside_what_is_written_and_no_folder_is_read_with_them(log: Path) -> None:
    inputs = open_inputs({"items": [str(log)]}, ["items"], USUAL | {"on_error": "skip"})
    (log.parent / "new").mkdir()
    with save_rejects(inputs, log.parent / "new" / "scores.jsonl"):
        list(inputs["items"])
    assert (log.parent / "new" / "rejects.jsonl").exists()
    (log.parent / "new" / "good.jsonl").write_text(GOOD)
    assert [item.id for item in read(log.parent / "new")] == ["a"]


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["--map", "prompt=x"], "--map: there is no 'prompt'"),
        (["--max-bytes", "lots"], "--max-bytes: received 'lots'"),
        (["--roles", "b"], "--roles: received 'b'"),
    ],
)
def test_errors_name_the_options_of_reading_as_they_are_typed(
    log: Path, typed: list[str], message: str
) -> None:
    assert message in read_refusal("score", log, *typed)


def test_versions_come_from_standard_input() -> None:
    reply = {"role": "assistant", "text": "Three miles by the river."}
    talks = [
        {"id": f"c{number}", "turns": [{"role": "user", "text": f"To town {number}?"}, reply]}
        for number in range(4)
    ]
    typed = ("gate", "-", "--fail-under", "overall=0.0001", "--json")
    done = run(*typed, input="".join(json.dumps(talk) + "\n" for talk in talks))
    assert json.loads(done.stdout)["passed"]
