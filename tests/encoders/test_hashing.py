from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest

from assize.disk_cache import cache_folder
from assize.encoders.hashing import noted_hash
from assize.errors import DataError


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(tmp_path / "cache"))
    file = tmp_path / "weights"
    file.write_bytes(b"abc")
    return file


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_the_hash_is_the_sha256_and_is_noted(file: Path) -> None:
    assert noted_hash(file) == sha(b"abc")
    noted = json.loads((cache_folder() / "encoders" / "hashes.json").read_text())
    assert noted[str(file)][-1] == sha(b"abc")
    assert [path.name for path in (cache_folder() / "encoders").iterdir()] == ["hashes.json"]


def test_an_unchanged_file_is_not_read_again(file: Path) -> None:
    noted_hash(file)
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    file.write_bytes(b"xyz")  # same size; the time of change is put back below
    os.utime(file, ns=times)
    assert noted_hash(file) == sha(b"abc")


@pytest.mark.parametrize("content", [b"abd", b"abcd"])
def test_a_changed_file_is_read_again(file: Path, content: bytes) -> None:
    noted_hash(file)
    file.write_bytes(content)
    os.utime(file, ns=(1, 1))
    assert noted_hash(file) == sha(content)


@pytest.mark.parametrize("notes", [b"", b"[1]", b"\xff", b'{"x": 3}', b"null"])
def test_broken_notes_count_as_none(file: Path, notes: bytes) -> None:
    target = cache_folder() / "encoders" / "hashes.json"
    target.parent.mkdir(parents=True)
    target.write_bytes(notes)
    assert noted_hash(file) == sha(b"abc")


def test_a_cache_that_cannot_be_written_is_no_error(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(file / "below-a-file"))
    assert noted_hash(file) == sha(b"abc")
    monkeypatch.setenv("ASSIZE_CACHE_DIR", "/proc/assize")
    assert noted_hash(file) == sha(b"abc")


def test_a_missing_file_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        noted_hash(tmp_path / "nothing")
