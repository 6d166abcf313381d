"""Opening files: local paths, `-`, fsspec URLs; plain, gzip or zstandard; safe writes."""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, cast

from assize.base.errors import DataError, OutputError
from assize.base.secrets import keep_urls
from assize.formats.limits import SizeLimit

Location = str | os.PathLike[str]

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_PACKED = {".gz": "gzip", ".zst": "zstd"}  # suffixes, and what pyarrow calls them
_BLOCK = 1 << 16  # bytes that are unpacked at once
_ARCHIVED = re.compile(r"(?:^|::)(?:zip|tar|libarchive)://")


def is_url(location: Location) -> bool:
    """Whether fsspec must open it, as for `s3://bucket/logs.jsonl`."""
    return "://" in str(location)


def is_read_once(location: Location) -> bool:
    """Whether it is gone once it was read: standard input, or a pipe such as `<(...)` makes."""
    name = str(location)
    if name == "-":
        return True
    try:
        mode = os.stat(name).st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)


@contextmanager
def open_input(location: Location, max_bytes: int | None = None) -> Iterator[io.BufferedReader]:
    """The uncompressed bytes of a file; compression is recognised from the content.

    Args:
        max_bytes: to how many bytes it may unfold; see `SizeLimit`.
    """
    source = str(location)
    try:
        with _open_raw(location, max_bytes) as raw:
            yield _decompressed(raw, source, max_bytes)
    except MemoryError:
        raise DataError("the file does not fit into memory", source=source) from None
    except BrokenPipeError:  # whoever read what is made of it, as `head` does, has gone
        raise
    except OSError as error:
        raise DataError(_unread(error), source=source) from error
    except EOFError as error:
        raise DataError(damaged(error), source=source) from error


def damaged(error: Exception) -> str:
    """What to say of compressed data that cannot be read to its end."""
    return f"the compressed data is damaged or cut off ({error}); fetch or pack the file again"


@contextmanager
def _open_raw(location: Location, max_bytes: int | None) -> Iterator[io.BufferedReader]:
    if str(location) == "-":
        given: Any = sys.stdin.buffer
        yield given if hasattr(given, "peek") else io.BufferedReader(given)
    elif is_url(location):
        with _fsspec_open(location, max_bytes) as fetched:
            yield io.BufferedReader(fetched)
    elif "\0" in str(location):
        raise DataError("a file name cannot hold a NUL character", source=str(location))
    else:
        try:
            stream = open(location, "rb")  # noqa: SIM115
        except UnicodeEncodeError as error:
            raise DataError(
                f"no file can have this name ({error})", source=ascii(str(location))
            ) from error
        with stream:
            yield stream


def _decompressed(raw: io.BufferedReader, source: str, max_bytes: int | None) -> io.BufferedReader:
    head = raw.peek(4)[:4]
    if head.startswith(_GZIP):
        return io.BufferedReader(_Unpacked(raw, "gzip", SizeLimit(source, max_bytes)), _BLOCK)
    if head == _ZSTD:
        return io.BufferedReader(_Unpacked(raw, "zstd", SizeLimit(source, max_bytes)), _BLOCK)
    return raw


class _Unpacked(io.RawIOBase):
    """What a packed stream holds, which ends with an error where it becomes too much.

    Damaged data, and a stream that breaks off, are an EOFError.
    """

    def __init__(self, raw: IO[bytes], compression: str, unfolding: SizeLimit) -> None:
        import pyarrow as pa

        self._packed, self._unfolding = _Lent(raw), unfolding
        file = pa.PythonFile(self._packed, mode="r")
        self._stream = pa.CompressedInputStream(file, compression)

    def readable(self) -> bool:
        return True

    def readinto(self, target: Any) -> int:
        try:
            data = self._stream.read(len(target))
        except OSError as error:
            if error.errno is not None:  # of the file below, not of what it holds
                raise
            raise EOFError(str(error)) from error
        self._unfolding.add(len(data), self._packed.taken)
        target[: len(data)] = data
        return len(data)


class _Lent:
    """A stream that pyarrow reads or writes, and does not close; `taken` bytes were read so far."""

    closed = False

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw, self.taken = raw, 0

    def read(self, size: int = -1) -> bytes:
        data = self._raw.read(size)
        self.taken += len(data)
        return data

    def write(self, data: bytes) -> int:
        return self._raw.write(data)

    def flush(self) -> None:
        self._raw.flush()

    def close(self) -> None:
        """Leaves the stream open."""


def _unread(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    if isinstance(error, IsADirectoryError):
        return "this is a folder; name the files in it"
    if isinstance(error, PermissionError):
        return "the file may not be read (permission denied)"
    return f"the file cannot be read ({error.strerror or error})"


@contextmanager
def _fsspec_open(location: Location, max_bytes: int | None) -> Iterator[_Fetched]:
    import fsspec

    keep_urls(str(location))
    with ExitStack() as stack:
        try:
            # The file itself is kept, for with it goes the archive that it stands in.
            file = fsspec.open(str(location), "rb")
            stream = stack.enter_context(file)
            inside = _ARCHIVED.search(str(location)) is not None
            packed = file.fs.info(file.path).get("compress_size") if inside else None
        except (OSError, MemoryError):
            raise
        except Exception as error:  # every storage service has its own tree of errors
            raise _unopened(location, error) from error
        unfolding = SizeLimit(str(location), max_bytes) if inside else None
        yield _Fetched(stream, location, unfolding, packed)


class _Fetched(io.RawIOBase):
    """A stream of fsspec, whose errors are ours.

    Args:
        unfolding: what it may unfold to, where it stands in an archive.
        packed: its bytes there, where that is known.
    """

    def __init__(
        self,
        stream: IO[bytes],
        location: Location,
        unfolding: SizeLimit | None,
        packed: int | None,
    ) -> None:
        self._stream, self._location = stream, location
        self._unfolding = unfolding
        self._packed = packed

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._stream.seekable()

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        with self._explained():
            self._stream.seek(place, whence)
            return self._stream.tell()  # of some services `seek` returns nothing

    def tell(self) -> int:
        return self._stream.tell()

    def readinto(self, target: Any) -> int:
        with self._explained():
            data = self._stream.read(len(target))
        if self._unfolding is not None:
            self._unfolding.add(len(data), self._packed)
        target[: len(data)] = data
        return len(data)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except (OSError, MemoryError):
            raise
        except Exception as error:  # as in `_fsspec_open`
            raise DataError(
                f"the file cannot be read ({error})", source=str(self._location)
            ) from error


def _unopened(location: Location, error: Exception) -> DataError:
    return DataError(f"this address cannot be opened: {error}", source=str(location))


@contextmanager
def open_output(location: Location) -> Iterator[IO[bytes]]:
    """A stream whose bytes stand at `location` once the block has ended.

    A local file is written as `NAME.part`, which keeps what was written after a failure, and moved
    to its place at the end. A file at a URL is committed at the end, where its service can do that.
    """
    if str(location) == "-" or _is_device(location):  # replaced by a file, /dev/null would be gone
        with _stream_output(location) as stream:
            yield stream
    else:
        output = _remote_output if is_url(location) else _local_output
        with output(location) as raw, _compressed(raw, location) as stream:
            yield stream


def _is_device(location: Location) -> bool:
    """Whether a device or a pipe stands there, which is written into."""
    try:
        mode = os.stat(location).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


class _Output(io.RawIOBase):
    """A stream whose failed writes say what became of the output; mapped here, for an OSError of
    the caller's block (a lost connection) must not be blamed on this file."""

    def __init__(self, raw: IO[bytes], location: Location, part: Path | None = None) -> None:
        self._raw, self._file = raw, (location, part)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        with _explained(*self._file):
            count = self._raw.write(data)
            self._raw.flush()
        return count


@contextmanager
def _stream_output(location: Location) -> Iterator[IO[bytes]]:
    """A stream into what is no file; what it has taken cannot be taken back."""
    name = "stdout" if str(location) == "-" else str(location)
    with ExitStack() as stack:
        raw: Any = sys.stdout.buffer
        if name != "stdout":
            with _explained(location, None):
                raw = stack.enter_context(open(location, "wb", buffering=0))
        stream = io.BufferedWriter(_Output(raw, name), 1 << 16)
        yield cast(IO[bytes], stream)
        stream.flush()


@contextmanager
def _local_output(location: Location) -> Iterator[IO[bytes]]:
    part = Path(f"{os.fspath(location)}.part")
    with _explained(location, part):
        if not part.is_char_device():
            part.unlink(missing_ok=True)  # a link there would lead to a file of somebody's
        raw: Any = open(part, "wb", buffering=0)  # noqa: SIM115
    with raw, io.BufferedWriter(_Output(raw, location, part), 1 << 16) as stream:
        yield cast(IO[bytes], stream)
        stream.flush()
        with _explained(location, part):
            os.fsync(raw.fileno())
    with _explained(location, part):
        os.replace(part, location)


@contextmanager
def _explained(location: Location, part: Path | None) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(_unwritten(error, location, part), source=str(location)) from error


def make_folder(folder: Path) -> None:
    """Makes a folder that results go into, and those above it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            f"this folder cannot be made ({error.strerror})", source=str(folder)
        ) from error
    if not os.access(folder, os.W_OK):
        raise OutputError("cannot write: the folder is read-only", source=str(folder))


@contextmanager
def _remote_output(location: Location) -> Iterator[IO[bytes]]:
    import fsspec

    keep_urls(str(location))
    try:
        system, path = fsspec.core.url_to_fs(str(location))
        raw = system.open(path, "wb", autocommit=False)
    except Exception as error:  # every storage service has its own tree of errors
        raise _unopened(location, error) from error
    try:
        yield raw
    except BaseException:
        raw.discard()
        raise
    raw.close()
    raw.commit()


@contextmanager
def _compressed(raw: IO[bytes], location: Location) -> Iterator[IO[bytes]]:
    compression = next((_PACKED[end] for end in _PACKED if str(location).endswith(end)), None)
    if compression is None:
        yield raw
        return
    import pyarrow as pa

    file = pa.PythonFile(_Lent(raw), mode="w")
    with pa.CompressedOutputStream(file, compression) as stream:
        yield cast(IO[bytes], stream)


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def _unwritten(error: OSError, location: Location, part: Path | None) -> str:
    if part is None:
        return f"cannot write: {error.strerror}; name a file where there is room"
    parent = Path(os.fspath(location)).parent
    if isinstance(error, FileNotFoundError) and not parent.exists():
        return f"cannot write: there is no folder {parent}; make it first"
    if not part.exists():
        return f"cannot write: {error.strerror or error}"
    kept = f"; what was written is kept in {part}"
    state = "is unchanged" if Path(os.fspath(location)).exists() else "was not made"
    if error.errno in _FULL:
        why = "the disk is full" if error.errno != errno.EFBIG else "the file may grow no larger"
        return f"{why}; {location} {state}{kept}; make room and run again"
    return f"cannot write: {error.strerror or error}; {location} {state}{kept}"


def plain_suffix(location: Location) -> str:
    """The suffix without compression: `.jsonl` for `logs.jsonl.gz`.

    >>> plain_suffix("logs.jsonl.gz")
    '.jsonl'
    """
    path = Path(str(location))
    return path.with_suffix("").suffix if path.suffix in {".gz", ".zst"} else path.suffix
