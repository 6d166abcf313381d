"""Bytes that are on disk whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

from assize.base.errors import ConfigError, OutputError
from assize.running.durable import AppendFile, replace, unwritten


def test_a_file_grows_is_cut_and_rewritten(tmp_path: Path) -> None:
    file = AppendFile(tmp_path / "f")
    file.append(b"one\n")
    file.append(b"two\n", synced=True)
    file.cut(4)
    file.append(b"three\n")
    assert (tmp_path / "f").read_bytes() == b"one\nthree\n"
    file.rewrite([b"new", b"\n"])
    file.append(b"last\n")
    file.sync()
    assert (tmp_path / "f").read_bytes() == b"new\nlast\n"
    assert file.size == 9
    file.close()


def test_a_file_that_another_holds_is_refused_before_and_after_a_rewrite(tmp_path: Path) -> None:
    file = AppendFile(tmp_path / "f")
    for _ in range(2):
        with pytest.raises(ConfigError, match="in use"):
            AppendFile(tmp_path / "f")
        file.rewrite([b"x"])
    file.close()
    AppendFile(tmp_path / "f").close()


@pytest.mark.parametrize("change", ["replaced", "removed"])
def test_the_file_that_is_held_is_the_one_that_the_path_names(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, lock, locked = tmp_path / "f", fcntl.flock, 0
    path.write_bytes(b"old")

    def late(file: int, how: int) -> None:
        nonlocal locked
        locked += 1
        if locked == 1:  # between its opening and its locking
            path.unlink()
            if change == "replaced":
                path.write_bytes(b"new")
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    file = AppendFile(path)
    file.append(b"er")
    file.close()
    assert locked == 2
    assert path.read_bytes() == (b"newer" if change == "replaced" else b"er")


def test_a_file_that_never_stays_in_its_place_is_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = fcntl.flock

    def late(file: int, how: int) -> None:
        (tmp_path / "f").unlink()
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with pytest.raises(ConfigError, match="in use"):
        AppendFile(tmp_path / "f")


def test_what_cannot_be_synced_is_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> None:
        raise OSError(errno.EIO, "Input/output error")

    file = AppendFile(tmp_path / "f")
    file.append(b"one\n", synced=True)
    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="Input/output"):
        file.append(b"two\n", synced=True)
    assert (tmp_path / "f").read_bytes() == b"one\n"
    file.close()


def test_a_replacement_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    def pieces() -> Any:
        yield b"half"
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "f").write_bytes(b"old")
    with pytest.raises(OSError, match="No space"):
        replace(tmp_path / "f", pieces())
    assert (tmp_path / "f").read_bytes() == b"old"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_bytes(b"half a line")
    (tmp_path / "f.part").symlink_to(tmp_path / "theirs")
    replace(tmp_path / "f", [b"new"])
    assert (tmp_path / "f").read_bytes() == b"new"
    (tmp_path / "link").symlink_to(tmp_path / "theirs")
    with pytest.raises(OutputError, match="link: cannot write"):
        AppendFile(tmp_path / "link")
    assert (tmp_path / "theirs").read_bytes() == b"half a line"


def test_a_full_disk_is_called_so() -> None:
    full = unwritten(Path("f"), OSError(errno.ENOSPC, "No space left on device"))
    assert "the disk is full" in str(full)
    assert "f: cannot write: [Errno 5] broken" in str(unwritten(Path("f"), OSError(5, "broken")))
