"""Which questions are being asked at this moment, by any process of this machine.

A question is one byte of an empty file, and whoever asks it holds a lock on that byte. The kernel
lets go of a lock when its holder ends, however it ends: a kill frees its questions at once, nothing
is to be renewed, and no clock is read. Taking and releasing cost two microseconds each.
"""

from __future__ import annotations

import fcntl
import os
import struct
from pathlib import Path

_PLACES = 1 << 62  # a file's offsets have 63 bits
# Locks of an open file, where there are such: those of a process would not keep two sessions of
# one process apart. `struct flock`: kind, from where, start, length, process.
_OF_FILE = getattr(fcntl, "F_OFD_SETLK", None)
_FLOCK = struct.Struct("hhqqi0q")
_TAKEN = (BlockingIOError, PermissionError)


class Claims:
    """The claims of one session; whatever is claimed is free again once it ends or closes.

    Where the file cannot be made or its file system knows no locks, every question is free: it is
    asked twice rather than never.

    Args:
        path: the file, the same for all who share answers; it stays empty.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process = 0
        self._file: int | None = None
        self._held: set[int] = set()

    def take(self, key: bytes) -> bool:
        """Claims a question, unless someone else, or this session, has claimed it."""
        file, place = self._opened(), _place(key)
        if place in self._held:
            return False
        try:
            if file is not None:
                _lock(file, fcntl.F_WRLCK, place)
        except _TAKEN:
            return False
        except OSError:
            pass  # no locks here
        self._held.add(place)
        return True

    def release(self, key: bytes) -> None:
        """Gives a question back that was taken."""
        place = _place(key)
        if self._process != os.getpid() or place not in self._held:
            return
        self._held.discard(place)
        try:
            if self._file is not None:
                _lock(self._file, fcntl.F_UNLCK, place)
        except OSError:
            pass

    def close(self) -> None:
        """Gives back whatever is claimed."""
        if self._file is not None:
            os.close(self._file)
        self._file, self._process = None, 0
        self._held.clear()

    def _opened(self) -> int | None:
        """This process's file: after a fork a parent's locks would be the child's as well."""
        if self._process != os.getpid():
            self.close()
            self._process = os.getpid()
            try:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
            except OSError:
                self._file = None
        return self._file


def _place(key: bytes) -> int:
    return int.from_bytes(key[:8]) % _PLACES


def _lock(file: int, kind: int, place: int) -> None:
    if _OF_FILE is None:
        fcntl.lockf(
            file,
            fcntl.LOCK_UN if kind == fcntl.F_UNLCK else fcntl.LOCK_EX | fcntl.LOCK_NB,
            1,
            place,
        )
    else:
        fcntl.fcntl(file, _OF_FILE, _FLOCK.pack(kind, os.SEEK_SET, place, 1, 0))
