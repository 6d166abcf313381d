"""Opening files: local paths, `-`, fsspec URLs; plain, gzip or zstandard; safe writes."""

from __future__ import annotations

import errno
import gzip
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from assize.errors import DataError, OutputError

Location = str | os.PathLike[str]

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"


def is_url(location: Location) -> bool:
    """Whether fsspec must open it, as for `s3://bucket/logs.jsonl`."""
    return "://" in str(location)


@contextmanager
def open_input(location: Location) -> Iterator[io.BufferedReader]:
    """The uncompressed bytes of a file; compression is recognised from the content.

    Args:
        location: a path, an fsspec URL, or `-` for standard input.

    Raises:
        DataError: the file is missing, a folder, unreadable, or breaks off inside
            its compressed data.
    """
    try:
        with _open_raw(location) as raw:
            yield _decompressed(raw)
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise DataError(_missing(error), source=str(location)) from error
    except (EOFError, gzip.BadGzipFile) as error:
        problem = f"the compressed data is damaged or cut off ({error})"
        raise DataError(problem, source=str(location)) from error


@contextmanager
def _open_raw(location: Location) -> Iterator[io.BufferedReader]:
    if str(location) == "-":
        yield cast(io.BufferedReader, sys.stdin.buffer)
    elif is_url(location):
        with _fsspec_open(location, "rb") as stream:
            yield io.BufferedReader(cast(io.RawIOBase, stream))
    else:
        with open(location, "rb") as stream:
            yield stream


def _decompressed(raw: io.BufferedReader) -> io.BufferedReader:
    head = raw.peek(4)[:4]
    if head.startswith(_GZIP):
        return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(fileobj=raw)))
    if head == _ZSTD:
        import zstandard

        reader = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
        return io.BufferedReader(cast(io.RawIOBase, reader))
    return raw


def _missing(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder; name the files in it"
    return "the file may not be read (permission denied)"


def _fsspec_open(location: Location, mode: str) -> Any:
    import fsspec

    try:
        return fsspec.open(str(location), mode).open()
    except (ImportError, ValueError) as error:
        raise DataError(f"this address cannot be opened: {error}", source=str(location)) from error


@contextmanager
def open_output(location: Location) -> Iterator[IO[bytes]]:
    """A stream whose bytes stand at `location` once the block has ended.

    A local file is written beside its place as `NAME.part` and moved there at the
    end, so an earlier file stays whole until the new one is complete. After a failure
    the `.part` file keeps what was written.

    Raises:
        OutputError: the disk is full, the folder is missing or may not be written.
    """
    if str(location) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if is_url(location):
        with _fsspec_open(location, "wb") as raw, _compressed(raw, location) as stream:
            yield stream
        return
    part = Path(f"{os.fspath(location)}.part")
    try:
        with open(part, "wb") as raw:
            with _compressed(raw, location) as stream:
                yield stream
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(part, location)
    except OSError as error:
        raise OutputError(_unwritten(error, location, part), source=str(location)) from error


@contextmanager
def _compressed(raw: IO[bytes], location: Location) -> Iterator[IO[bytes]]:
    name = str(location)
    if name.endswith(".gz"):
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as stream:
            yield cast(IO[bytes], stream)
    elif name.endswith(".zst"):
        import zstandard

        with zstandard.ZstdCompressor().stream_writer(raw, closefd=False) as stream:
            yield stream
    else:
        yield raw


def _unwritten(error: OSError, location: Location, part: Path) -> str:
    kept = f"; what was written is kept in {part}" if part.exists() else ""
    if error.errno == errno.ENOSPC:
        return f"the disk is full; {location} is unchanged{kept}; free some space and run again"
    return f"cannot write: {error.strerror or error}; {location} is unchanged{kept}"


def plain_suffix(location: Location) -> str:
    """The suffix without compression: `.jsonl` for `logs.jsonl.gz`.

    >>> plain_suffix("logs.jsonl.gz")
    '.jsonl'
    """
    path = Path(str(location))
    return path.with_suffix("").suffix if path.suffix in {".gz", ".zst"} else path.suffix
