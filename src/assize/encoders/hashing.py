"""The sha256 of large files, worked out once as long as a file does not change."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from assize.artefacts import write_whole
from assize.disk_cache import cache_folder
from assize.errors import DataError, OutputError
from assize.signature import file_hash

MOST = 1000  # files noted; the oldest go


def noted_hash(path: Path) -> str:
    """A file's sha256, noted in the cache folder for as long as its size and time of change
    stay."""
    try:
        status = path.stat()
        place, stamp = str(path.resolve()), [status.st_size, status.st_mtime_ns]
        notes = _read_notes()
        noted = notes.get(place)
        if isinstance(noted, list) and noted[:2] == stamp and isinstance(noted[-1], str):
            return noted[-1]
        found = file_hash(path)
    except OSError as error:
        raise DataError(f"cannot be read ({error.strerror})", source=str(path)) from error
    notes.pop(place, None)
    _write_notes({**notes, place: [*stamp, found]})
    return found


def _notes() -> Path:
    return cache_folder() / "encoders" / "hashes.json"


def _read_notes() -> dict[str, object]:
    """What was worked out before; anything unreadable counts as nothing."""
    try:
        noted = json.loads(_notes().read_bytes())
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _write_notes(notes: dict[str, object]) -> None:
    """Replace the notes in one step; a folder that cannot be written is no error."""
    target = _notes()
    with suppress(OSError, OutputError):
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, json.dumps(dict(list(notes.items())[-MOST:])).encode())
