"""Opening and writing files: compression, URLs, what a failure leaves behind."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from tests.formats.conftest import OWN, PACK, Pack, only_record

from assize.base.errors import DataError, OutputError
from assize.base.judgment import Judgment, Question
from assize.formats import Reject, read_judgments, write
from assize.formats.files import is_read_once, open_input, open_output
from assize.formats.reading import iter_records


def break_off(location: str | Path) -> None:
    with open_output(location) as stream:
        stream.write(b"half")
        raise ConnectionError("a server went away, which is not this file's fault")


def lines(count: int) -> bytes:
    return b"".join(
        b'{"id": "c%d", "turns": [{"role": "user", "text": "question %d"}]}\n' % (i, i * 7919)
        for i in range(count)
    )


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_compression_is_recognised_from_the_content(pack: Pack, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_bytes(pack(lines(3)) + pack(lines(2)))
    assert len(list(iter_records(tmp_path / "log.txt"))) == 5


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_a_stream_that_breaks_off_never_passes_for_a_whole_one(pack: Pack, tmp_path: Path) -> None:
    data = pack(lines(20_000))
    (tmp_path / "x").write_bytes(data[: len(data) // 2])
    with pytest.raises(DataError, match=r"x:\d+: the compressed data is damaged or cut off"):
        list(iter_records(tmp_path / "x"))
    rejects: list[Reject] = []
    kept = list(iter_records(tmp_path / "x", on_reject=rejects.append))
    assert 0 < len(kept) < 20_000
    assert [reject.line for reject in rejects] == [len(kept) + 1]


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        ("missing.jsonl", "there is no such file"),
        (".", "this is a folder"),
        ("x" * 300, "cannot be read"),
        ("a\0b", "NUL"),
        ("\ud800", "no file can have this name"),
        ("nosuch://bucket/x", "this address cannot be opened: Protocol not known"),
    ],
    ids=ascii,
)
def test_what_cannot_be_opened_says_why(place: str, problem: str, tmp_path: Path) -> None:
    location = place if "://" in place else str(tmp_path / place)
    with pytest.raises(DataError, match=problem), open_input(location):
        pass


@pytest.mark.parametrize("start", ["", "file://"], ids=["a path", "a URL"])
def test_an_earlier_file_is_whole_until_the_new_one_is(start: str, tmp_path: Path) -> None:
    place = f"{start}{tmp_path}/x.jsonl"
    write(place, [OWN])
    with pytest.raises(ConnectionError):
        break_off(place)
    assert only_record(tmp_path / "x.jsonl") == OWN
    assert start or (tmp_path / "x.jsonl.part").read_bytes() == b"half"


def test_records_and_questions_travel_through_a_url() -> None:
    question = Question("q", "How?", "ordinal", ("1", "2"))
    rows = [Judgment("i", "j", "q", answer="2")]
    write("memory://runs/scores.jsonl.gz", rows, questions=[question])
    table = read_judgments(["memory://runs/scores.jsonl.gz"])
    assert table.rows() == rows
    assert table.questions == {"q": question}


def test_nothing_is_written_through_a_link_at_the_unfinished_file(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("theirs")
    (tmp_path / "x.jsonl.part").symlink_to(tmp_path / "theirs")
    (tmp_path / "y.jsonl.part").symlink_to(tmp_path / "none")
    for name in ("x.jsonl", "y.jsonl"):
        write(tmp_path / name, [OWN])
        assert only_record(tmp_path / name) == OWN
    assert (tmp_path / "theirs").read_text() == "theirs"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("folder", "problem"),
    [
        ("nowhere", r"there is no folder .*nowhere; make it first"),
        ("file", "cannot write: Not a directory"),
    ],
)
def test_a_place_that_may_not_be_written_says_so(folder: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=problem):
        write(tmp_path / folder / "x.jsonl", [OWN])


@pytest.mark.parametrize(
    ("error", "expected"),
    [(BrokenPipeError, BrokenPipeError), (MemoryError, DataError)],
)
def test_only_an_error_of_the_file_is_said_to_be_one(
    error: type[Exception], expected: type[Exception], tmp_path: Path
) -> None:
    (tmp_path / "x").write_bytes(lines(1))
    words = "does not fit into memory" if expected is DataError else None
    with pytest.raises(expected, match=words), open_input(tmp_path / "x"):
        raise error


@pytest.mark.parametrize("suffix", ["jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full, as on Linux")
def test_a_full_disk_is_named_and_what_was_there_is_kept(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{suffix}"
    rows = [Judgment(f"i{number}", "j", "q", answer="1" * 999) for number in range(9)]
    write(path, rows[:1])
    # The unfinished file is a device on which every write fails for want of space.
    (tmp_path / f"x.{suffix}.part").symlink_to("/dev/full")
    with pytest.raises(OutputError, match=r"the disk is full; .* is unchanged; what was written"):
        write(path, rows)
    assert list(iter_records(path)) == rows[:1]


def test_a_file_that_may_not_grow_keeps_what_was_written(tmp_path: Path) -> None:
    script = f"""
import resource, sys
from assize import Conversation, Turn, write
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
try:
    turns = (Turn("user", "hi"),)
    write({str(tmp_path / "x.jsonl")!r}, (Conversation(str(i), turns) for i in range(9999)))
except Exception as error:
    print(type(error).__name__, error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "OutputError" in done.stdout
    assert "may grow no larger" in done.stdout
    assert "was not made; what was written is kept in" in done.stdout
    kept: list[Reject] = []
    list(iter_records(tmp_path / "x.jsonl.part", on_reject=kept.append))
    assert (tmp_path / "x.jsonl.part").stat().st_size == 100_000
    assert len(kept) <= 1


def test_a_pipe_loses_nothing_and_is_read_once(tmp_path: Path) -> None:
    rows = [Judgment(f"i{n}", "j", "q", answer=str(n % 3)) for n in range(500)]
    write(tmp_path / "x.jsonl", rows)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", tmp_path / "x.jsonl", pipe]):
        assert len(read_judgments(pipe)) == 500
    with subprocess.Popen(["cp", "/dev/null", pipe]), pytest.raises(DataError, match="only once"):
        read_judgments(pipe)


@pytest.mark.parametrize("name", ["-", "/dev/null"])
def test_what_is_read_once_is_told(name: str, tmp_path: Path) -> None:
    assert is_read_once(name)
    (tmp_path / "x").touch()
    assert not is_read_once(tmp_path / "x")
    assert not is_read_once(tmp_path / "none")
    assert not is_read_once("memory://x")


def test_an_archive_that_is_damaged_says_so(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("x", lines(3))
    data = bytearray((tmp_path / "x.zip").read_bytes())
    data[60] ^= 1
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(DataError, match=r"the file cannot be read \(Bad CRC-32"):
        list(iter_records(f"zip://x::{tmp_path}/x.zip"))
