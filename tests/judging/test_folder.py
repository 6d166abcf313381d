"""A run's folder: appended durably, cut where it is torn, refused for another command."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from assize.errors import ConfigError, DataError, OutputError
from assize.formats import read_judgments
from assize.judging.folder import RunFolder, differences, line_of, task_key
from assize.judgment import PREFERENCE, Judgment, Unscored, Usage


def opened(path: Path, *, retry: bool = False, questions: int = 1, **command: Any) -> RunFolder:
    return RunFolder(
        path,
        command={"judges": {"j": "s"}, **command},
        about={"versions": {}},
        questions=[PREFERENCE],
        complete=lambda rows: len(rows) >= questions,
        retry=retry,
    )


def fill(path: Path, answers: Sequence[Sequence[Judgment]], **how: Any) -> list[int]:
    """Appends answers; the order in which they were told, by number."""
    told: list[int] = []

    async def run() -> None:
        with opened(path, **how) as folder:
            for number, rows in enumerate(answers):
                await folder.append(rows, lambda number=number: told.append(number))  # type: ignore[misc]
            await folder.flush()

    asyncio.run(run())
    return told


def row(item: str, **more: Any) -> Judgment:
    return Judgment(item, "j", "preference", **({"answer": "A"} | more))


def unscored(item: str, reason: str) -> Judgment:
    return row(item, answer=None, unscored=Unscored(reason), usage=Usage(1, 1, 0.5))


def items(path: Path) -> list[str]:
    return [
        json.loads(line)["item"] for line in (path / "judgments.jsonl").read_text().splitlines()
    ]


def broken_off(path: Path, answers: Sequence[Sequence[Judgment]], **how: Any) -> None:
    """A run that appends answers and then fails."""

    async def run() -> None:
        with opened(path, **how) as folder:
            for rows in answers:
                await folder.append(rows, lambda: None)
            await folder.flush()
            raise DataError("no such file")

    with pytest.raises(DataError, match="no such file"):
        asyncio.run(run())


def test_an_error_before_the_first_answer_leaves_no_run_that_refuses_the_next(
    tmp_path: Path,
) -> None:
    broken_off(tmp_path / "run", [], votes=1)
    assert not (tmp_path / "run").exists()
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "notes.txt").write_text("kept")
    broken_off(mine, [], votes=1)
    assert [path.name for path in mine.iterdir()] == ["notes.txt"]
    fill(mine, [[row("a")]], votes=2)
    assert items(mine) == ["a"]


def test_an_error_after_an_answer_or_in_a_run_that_goes_on_leaves_the_run(tmp_path: Path) -> None:
    broken_off(tmp_path / "begun", [[row("a")]])
    assert items(tmp_path / "begun") == ["a"]
    fill(tmp_path / "waiting", [])  # as for a batch: nothing answered, and no error
    broken_off(tmp_path / "waiting", [])
    with pytest.raises(ConfigError, match="the run of another command"):
        opened(tmp_path / "waiting", votes=1)


def test_answers_are_told_once_they_are_on_disk_and_read_as_judgments(tmp_path: Path) -> None:
    told = fill(tmp_path, [[row("a")], [row("b"), row("b", turn=1)]])
    assert told == [0, 1]
    table = read_judgments([tmp_path])
    assert len(table) == 3
    assert table.questions["preference"] == PREFERENCE
    assert not table.inferred


def test_the_same_command_goes_on_and_another_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, [[row("a")]], votes=2)
    with opened(tmp_path, votes=2) as folder:
        assert folder.stored.done == {task_key("a", "j", None, 0)}
    with pytest.raises(ConfigError, match="votes was 2 and is 1"):
        opened(tmp_path, votes=1)
    assert differences({"a": 1}, {"a": 1}) is None


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(ConfigError, match="in use by another process"):
        opened(tmp_path)


def test_judgments_of_unknown_origin_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / "judgments.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match=r"no run\.json"):
        opened(tmp_path)
    (tmp_path / "run.json").write_text("[1]")
    with pytest.raises(ConfigError, match="is not a run's"):
        opened(tmp_path)
    assert (tmp_path / "judgments.jsonl").read_text() == "{}\n"


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_torn_last_line_is_cut_off(tmp_path: Path, cut: int) -> None:
    fill(tmp_path, [[row("a")], [row("b")]])
    path = tmp_path / "judgments.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    with opened(tmp_path) as folder:
        assert folder.stored.done == {task_key("a", "j", None, 0)}
    assert items(tmp_path) == ["a"]


def test_a_last_answer_whose_rows_are_not_all_there_is_cut_off(tmp_path: Path) -> None:
    both = [[row("a"), row("a", turn=1)], [row("b"), row("b", turn=1)]]
    fill(tmp_path, both, questions=2)
    path = tmp_path / "judgments.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:3]))
    with opened(tmp_path, questions=2) as folder:
        assert folder.stored.done == {task_key("a", "j", None, 0)}
    assert items(tmp_path) == ["a", "a"]


@pytest.mark.parametrize("reason", ["budget", "timeout", "server", "rate_limit"])
def test_failures_that_time_or_money_can_mend_are_taken_out_to_be_asked_again(
    tmp_path: Path, reason: str
) -> None:
    fill(tmp_path, [[row("a")], [unscored("b", reason)], [row("c")]])
    with opened(tmp_path) as folder:
        assert folder.stored.again == 1
        assert folder.stored.done == {task_key(name, "j", None, 0) for name in "ac"}
    assert items(tmp_path) == ["a", "c"]


@pytest.mark.parametrize("reason", ["refused", "too_long", "parse"])
def test_answers_that_would_be_the_same_are_asked_again_only_on_request(
    tmp_path: Path, reason: str
) -> None:
    fill(tmp_path, [[unscored("a", reason)]])
    with opened(tmp_path) as folder:
        assert folder.stored.again == 0
    with opened(tmp_path, retry=True) as folder:
        assert folder.stored.again == 1
    assert items(tmp_path) == []


def test_what_lost_answers_cost_is_not_forgotten(tmp_path: Path) -> None:
    fill(tmp_path, [[row("a", usage=Usage(1, 1, 0.25))], [unscored("b", "server")]])
    for _ in range(3):
        with opened(tmp_path) as folder:
            assert folder.stored.spent == pytest.approx(0.75)


def test_a_line_that_is_no_judgment_is_named(tmp_path: Path) -> None:
    fill(tmp_path, [[row("a")]])
    path = tmp_path / "judgments.jsonl"
    path.write_text("nonsense\n" + path.read_text())
    with pytest.raises(DataError, match=r"judgments\.jsonl:1"):
        opened(tmp_path)


def test_a_full_disk_ends_the_run_and_loses_nothing_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno
    import os

    fill(tmp_path, [[row("a")]])
    write = os.write
    place = (tmp_path / "judgments.jsonl").stat().st_ino

    def full(file: int, data: Any) -> int:
        if os.fstat(file).st_ino != place:
            return write(file, data)
        if len(data) > 20:
            return write(file, data[:20])  # as much as still fits
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OutputError, match="the disk is full"):
        fill(tmp_path, [[row("b")]])
    monkeypatch.undo()
    assert items(tmp_path) == ["a"]
    fill(tmp_path, [[row("b")]])
    assert items(tmp_path) == ["a", "b"]


def test_a_line_is_what_the_formats_write() -> None:
    from assize.formats import to_json

    rows = [
        row("a", score=float("nan"), unscored=Unscored("nan", "x")),
        row("é\ud800", distribution={"A": 0.5}, outside=0.0, details={"k": (1, [2])}, repeat=2),
        row("c", usage=Usage(1, 2, None, True), extra={"more": 1}, explanation="x\n\u2028y"),
    ]
    for one in rows:
        assert json.loads(line_of(one)) == json.loads(json.dumps(to_json(one)))
        assert line_of(one).count(b"\n") == 1


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="cannot write"):
        opened(tmp_path / "file" / "run")
