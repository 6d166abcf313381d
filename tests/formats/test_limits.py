"""How far packed files may unfold, and how that limit is lifted."""

from __future__ import annotations

import bz2
import gzip
import struct
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.formats.conftest import PACK

import assize
from assize.base.errors import ConfigError, DataError
from assize.formats.files import open_input
from assize.formats.limits import FREE, MOST, RATIO, SizeLimit, parse_size
from assize.formats.reading import iter_records

LINE = b'{"id": "c", "turns": [{"role": "user", "text": "hello"}]}\n'


def zstandard_bomb(blocks: int) -> bytes:
    """A frame whose blocks are 128 kB of one character each, in four bytes."""
    block = struct.pack("<I", 131_072 << 3 | 1 << 1)[:3] + b"x"
    last = struct.pack("<I", 131_072 << 3 | 1 << 1 | 1)[:3] + b"x"
    return b"\x28\xb5\x2f\xfd\x00\x38" + block * blocks + last


BOMBS: dict[str, Callable[[], bytes]] = {
    "zstandard": partial(zstandard_bomb, 48_000),  # 192 kB that unfold to 6 GB
    "gzip": lambda: gzip.compress(b"x" * (FREE + 1_000_000), 9),
}


@pytest.mark.parametrize("kind", BOMBS)
def test_a_small_file_that_unfolds_without_end_is_refused_soon(kind: str, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(BOMBS[kind]())
    told = (
        r"x\.jsonl: .*B of it unfold to more than 64 MB"
        r".*--max-bytes 64GB \(max_bytes of assize\.read"
    )
    with pytest.raises(DataError, match=told):
        list(iter_records(tmp_path / "x.jsonl", on_reject=lambda _: None))


def test_a_file_in_an_archive_is_refused_as_well(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb", b"x" * (FREE + 1))
        archive.writestr("chats.jsonl", LINE)
    with pytest.raises(DataError, match="unfold to more than 64 MB"):
        list(iter_records(f"zip://bomb::{tmp_path}/x.zip"))
    assert [one.id for one in iter_records(f"zip://chats.jsonl::{tmp_path}/x.zip")] == ["c"]  # type: ignore[union-attr]


@pytest.mark.parametrize("kind", PACK)
def test_the_limit_can_be_lifted_and_lowered(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(PACK[kind](LINE * 5_000))
    with pytest.raises(DataError, match="unfold to more than 100 kB"):
        list(assize.read(path, max_bytes=100_000))
    assert len(list(assize.read(path, max_bytes="1MB"))) == 5_000
    path.write_bytes(PACK[kind](b" " * (FREE + 1_000_000) + LINE))
    with pytest.raises(DataError, match="unfold to more than"), open_input(path) as stream:
        stream.read()
    with open_input(path, 10**9) as stream:
        assert len(stream.read()) == FREE + 1_000_000 + len(LINE)


def test_what_is_not_packed_may_be_as_large_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_bytes(LINE * 100)
    assert len(list(assize.read(tmp_path / "x.jsonl", max_bytes=10))) == 100
    (tmp_path / "x.bz2").write_bytes(bz2.compress(LINE))
    with pytest.raises(DataError, match="binary file"):
        list(iter_records(tmp_path / "x.bz2"))


def test_the_ratio_counts_from_64_mb_on_and_the_size_always() -> None:
    one = SizeLimit("x")
    assert one.allowed(0) == FREE
    assert one.allowed(FREE) == RATIO * FREE
    assert one.allowed(MOST) == one.allowed(None) == MOST
    one.add(FREE, 1)
    with pytest.raises(DataError):
        one.add(1, 1)


@pytest.mark.parametrize("given", ["", "x", "GB", "-1", "1 PB", 0, -5, True, None, "1" * 40, "0"])
def test_a_size_that_is_none_is_refused(given: object) -> None:
    with pytest.raises(ConfigError, match=r"max_bytes: received .*; give a number of bytes"):
        parse_size(given)  # type: ignore[arg-type]
