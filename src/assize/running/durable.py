"""Bytes that are on disk whole or not at all."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Iterable
from pathlib import Path

from assize.base.errors import ConfigError, OutputError

_TRIES = 10  # to lock a file that others replace between its opening and its locking


class AppendFile:
    """A file that only grows, held by one process at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        for _ in range(_TRIES):
            self._file = _held(path)
            if _names(path, self._file):
                break
            os.close(self._file)  # its holder has replaced or removed it: open what is there now
        else:
            raise ConfigError(f"{path.parent} is in use by another process")
        self.size = os.fstat(self._file).st_size

    def append(self, data: bytes, *, synced: bool = False) -> None:
        """Writes all or nothing; survives a kill once it returns, a power cut if `synced`."""
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
            if synced:
                os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self.size)
            raise
        self.size += len(data)

    def sync(self) -> None:
        """Returns once everything appended so far would survive a power cut."""
        os.fsync(self._file)

    def cut(self, size: int) -> None:
        """Leaves out what stands behind `size` bytes."""
        if size < self.size:
            os.ftruncate(self._file, size)
            self.size = size

    def rewrite(self, pieces: Iterable[bytes]) -> None:
        """Puts other bytes in the place of all there are, at once; the file stays held."""
        part = _written(self.path, pieces)
        file = os.open(part, os.O_RDWR | os.O_APPEND)
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # before anyone else can see it
        os.replace(part, self.path)
        os.close(self._file)
        self._file, self.size = file, os.fstat(file).st_size

    def close(self) -> None:
        """Lets go of the file."""
        os.close(self._file)


def _held(path: Path) -> int:
    """The file at a path, made where there is none, and locked; a link leads to no file."""
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o644)
    except OSError as error:
        raise OutputError(f"cannot write: {error.strerror}", source=str(path)) from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(file)
        raise ConfigError(f"{path.parent} is in use by another process") from error
    return file


def _names(path: Path, file: int) -> bool:
    """Whether the path still leads to the file that is open."""
    try:
        return os.path.samestat(os.fstat(file), os.stat(path))
    except FileNotFoundError:
        return False


def replace(path: Path, pieces: Iterable[bytes], *, mode: int = 0o666) -> None:
    """Writes a file anew: after a kill or a power cut it is the old one or the new one.

    Args:
        mode: who may read and write the file, less what the process withholds (its umask).
    """
    os.replace(_written(path, pieces, mode), path)


def _written(path: Path, pieces: Iterable[bytes], mode: int = 0o666) -> Path:
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)  # a link there would lead to a file of somebody's
    with open(part, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
        for piece in pieces:
            stream.write(piece)
        stream.flush()
        os.fsync(stream.fileno())
    return part


def unwritten(path: Path, error: BaseException) -> OutputError:
    """What to tell the user when something could not be written."""
    full = isinstance(error, OSError) and error.errno == errno.ENOSPC
    what = "the disk is full" if full else f"cannot write: {error}"
    return OutputError(
        f"{what}; what was reported is kept; make room and run the same command again",
        source=str(path),
    )
