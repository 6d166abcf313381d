"""A journal: appended durably, cut where it is torn, refused for another command."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from notes import NOTES, ids, keep, open_notes
from tests.base.loops import in_loop

from assize.base.errors import ConfigError, DataError, OutputError
from assize.running import Codec, Journal, key_of, keys_in
from assize.running.journal import FORMAT, differences, read_run, write_run


@pytest.mark.parametrize(
    ("cut", "damage", "left"),
    [
        *((cut, b"", ["a"]) for cut in (1, 5, 11)),
        *((0, damage, ["a", "b"]) for damage in (b"\0\0\0\0\n", b'{"id"\n', b"[1]\n", b"\0" * 30)),
    ],
)
def test_a_torn_or_damaged_last_line_is_cut_off(
    tmp_path: Path, cut: int, damage: bytes, left: list[str]
) -> None:
    keep(tmp_path, [note("a"), note("b")])
    path = tmp_path / "notes.jsonl"
    path.write_bytes(path.read_bytes()[: path.stat().st_size - cut] + damage)
    assert keep(tmp_path, [note("c")]) == [0]
    assert ids(tmp_path) == [*left, "c"]


def note(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, **more}


def broken_off(path: Path, *notes: dict[str, Any], **command: Any) -> None:
    """A run that appends notes and then fails."""

    @in_loop
    async def run() -> None:
        with open_notes(path, **command) as journal:
            await journal.append(notes, lambda: None)
            await journal.flush()
            raise DataError("no such file")

    with pytest.raises(DataError, match="no such file"):
        run()


def test_records_are_told_once_they_are_on_disk_in_their_order(tmp_path: Path) -> None:
    assert keep(tmp_path, [note("a"), note("b"), note("c")]) == [0, 1, 2]
    assert ids(tmp_path) == ["a", "b", "c"]


def test_an_error_before_the_first_record_leaves_nothing_that_refuses_the_next(
    tmp_path: Path,
) -> None:
    broken_off(tmp_path / "run", votes=1)
    assert not (tmp_path / "run").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "own.txt").write_text("kept")
    broken_off(mine, votes=1)
    assert [path.name for path in mine.iterdir()] == ["own.txt"]
    keep(mine, [note("a")], votes=2)
    assert ids(mine) == ["a"]


def test_an_error_after_a_record_or_in_a_run_that_goes_on_leaves_the_run(tmp_path: Path) -> None:
    broken_off(tmp_path / "begun", note("a"))
    assert ids(tmp_path / "begun") == ["a"]
    keep(tmp_path / "waiting", [])  # as for a batch: nothing answered, and no error
    broken_off(tmp_path / "waiting")
    with pytest.raises(ConfigError, match="the run of another command"):
        open_notes(tmp_path / "waiting", votes=1)


def test_an_error_before_the_first_record_keeps_a_folder_that_has_cost_something(
    tmp_path: Path,
) -> None:
    journal = open_notes(tmp_path / "run")
    journal.ledger.write({"call": "1", "most": 0.5})
    journal.__exit__(DataError)
    with open_notes(tmp_path / "run") as journal:
        assert journal.ledger.balance.spent == 0.5


def test_the_same_command_goes_on_and_another_is_refused(tmp_path: Path) -> None:
    keep(tmp_path, [note("a")], votes=2)
    with open_notes(tmp_path, votes=2) as journal:
        assert set(journal.stored.done) == {key_of("a")}
    with pytest.raises(ConfigError, match="votes was 2 and is 1"):
        open_notes(tmp_path, votes=1)


def test_a_folder_in_use_by_another_process_is_refused_until_that_ends(tmp_path: Path) -> None:
    keep(tmp_path, [note("a")])
    holder = (
        "import sys, fcntl\nfile = open(sys.argv[1])\nfcntl.flock(file, fcntl.LOCK_EX)\n"
        "print(flush=True)\nsys.stdin.read()"
    )
    command = [sys.executable, "-c", holder, str(tmp_path / "notes.jsonl")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        with pytest.raises(ConfigError, match="in use by another process"):
            open_notes(tmp_path)
        process.communicate()
    with open_notes(tmp_path), pytest.raises(ConfigError, match="in use by another process"):
        open_notes(tmp_path)


@pytest.mark.parametrize("line", ["nonsense", "3", '{"id": ' + "[" * 100_000], ids=range(3))
def test_a_damaged_line_among_others_is_named_and_nothing_is_cut(line: str, tmp_path: Path) -> None:
    keep(tmp_path, [note("a")])
    path = tmp_path / "notes.jsonl"
    path.write_text(line + "\n" + path.read_text())
    with pytest.raises(DataError, match=r"notes\.jsonl:1: no record"):
        open_notes(tmp_path)
    assert len(path.read_text().splitlines()) == 2


def test_a_last_record_whose_lines_are_not_all_there_is_cut_off(tmp_path: Path) -> None:
    two: Codec[str] = Codec(
        "notes.jsonl",
        encode=lambda name: b"".join(json.dumps(note(name, part=n)).encode() + b"\n" for n in "12"),
        key=lambda line: key_of(line["id"]),
        whole=lambda lines: len(lines) == 2,
    )

    @in_loop
    async def run(*names: str) -> set[int]:
        with Journal(tmp_path, two, command={}, about={}) as journal:
            done = set(journal.stored.done)
            await journal.append(names, lambda: None)
            await journal.flush()
        return done

    run("a", "b")
    path = tmp_path / "notes.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:3]))
    assert set(keys_in(tmp_path, two)) == {key_of("a")}
    assert run("b") == {key_of("a")}
    assert ids(tmp_path) == ["a", "a", "b", "b"]


def test_records_to_be_made_again_are_taken_out(tmp_path: Path) -> None:
    keep(tmp_path, [note("a"), note("b", failed=True), note("c")])
    assert set(keys_in(tmp_path, NOTES)) == {key_of("a"), key_of("c")}
    keep(tmp_path, [note("b")])
    assert ids(tmp_path) == ["a", "c", "b"]


def test_what_is_kept_is_told_and_files_beside_are_written(tmp_path: Path) -> None:
    keep(tmp_path, [note("a"), note("b", failed=True)])
    seen: list[str] = []
    with Journal(
        tmp_path,
        NOTES,
        command={},
        about={},
        beside={"legend.json": b"{}\n"},
        on_stored=lambda lines: seen.extend(line["id"] for line in lines),
    ):
        assert seen == ["a"]
        assert (tmp_path / "legend.json").read_bytes() == b"{}\n"


@pytest.mark.parametrize("name", ["notes.jsonl", "legend.json"])
def test_a_file_of_somebody_is_neither_continued_nor_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}\n")
    with pytest.raises(ConfigError, match=rf"holds {re.escape(name)} but no run\.json"):
        Journal(tmp_path, NOTES, command={}, about={}, beside={"legend.json": b"[]\n"})
    assert (tmp_path / name).read_text() == "{}\n"


def test_a_ledger_that_has_lost_lines_never_says_less_than_it_once_did(tmp_path: Path) -> None:
    keep(tmp_path, [])
    with open_notes(tmp_path) as journal:
        journal.ledger.write({"call": "1", "most": 0.5})
    for _ in range(2):
        with open_notes(tmp_path) as journal:
            assert journal.ledger.balance.spent == 0.5
        (tmp_path / "money.jsonl").write_text("")


def test_a_full_disk_ends_the_run_and_loses_nothing_that_was_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, [note("a")])
    write = os.write
    place = (tmp_path / "notes.jsonl").stat().st_ino

    def full(file: int, data: Any) -> int:
        if os.fstat(file).st_ino != place:
            return write(file, data)
        if len(data) > 8:
            return write(file, data[:8])  # as much as still fits
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OutputError, match="the disk is full"):
        keep(tmp_path, [note("b")])
    monkeypatch.undo()
    assert ids(tmp_path) == ["a"]
    keep(tmp_path, [note("b")])
    assert ids(tmp_path) == ["a", "b"]


@pytest.mark.parametrize("failed", [True, False])
def test_a_disk_that_is_full_when_a_run_is_opened_is_said_and_the_folder_let_go(
    failed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(tmp_path, [note("a", failed=failed, cost=1.0), note("b")])
    before = (tmp_path / "notes.jsonl").read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="the disk is full"):
        open_notes(tmp_path)
    monkeypatch.undo()
    assert (tmp_path / "notes.jsonl").read_bytes() == before
    with open_notes(tmp_path) as journal:
        assert journal.stored.again == failed


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        open_notes(tmp_path / "file" / "run")


def test_keys_stay_what_they_were_for_stored_calls_name_them() -> None:
    assert key_of("p1", "io@scripted:any", "AB", 0) == 3016956247527587092
    assert key_of("p1", "io@scripted:any", None, 0) != 3016956247527587092


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    assert read_run(tmp_path / "run.json") is None
    write_run(tmp_path / "run.json", {"votes": 2}, {"versions": {"assize": "1"}})
    assert read_run(tmp_path / "run.json") == {
        "command": {"votes": 2},
        "format": FORMAT,
        "versions": {"assize": "1"},
    }


@pytest.mark.parametrize("found", [FORMAT + 1, FORMAT - 1, 0, "2", None, 1.5])
def test_an_unknown_format_is_refused_and_says_what_to_do(tmp_path: Path, found: Any) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"command": {}, "format": found}))
    with pytest.raises(ConfigError, match=r"knows format 2: go on with the version that"):
        read_run(tmp_path / "run.json")


@pytest.mark.parametrize(
    "text",
    [
        "[1]",
        "{}",
        "no JSON",
        '{"command": []}',
        '{"command": ' + "[" * 100_000,
        '{"command": {}, "spent_before": "1"}',
        '{"command": {}, "spent_before": NaN}',
    ],
    ids=range(7),
)
def test_what_is_no_runs_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(ConfigError, match="is not a run's"):
        read_run(tmp_path / "run.json")


def test_differences_name_the_first_thing_that_differs_and_cut_long_ones() -> None:
    assert differences({"a": 1}, {"a": 1}) is None
    assert differences({"a": 1}, {"a": 1, "b": 2}) == "b was null and is 2"
    long = differences({"a": "x" * 500}, {"a": ""})
    assert long is not None
    assert len(long) < 250
