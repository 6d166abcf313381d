"""`hub:OWNER/NAME[@REVISION]`: evaluators on the Hugging Face hub, fetched once and kept.

Only the manifest, safetensors files and the card are fetched: nothing is unpickled, and no code
comes along. What an evaluator may open by itself is as for any folder: the embedded encoder.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from assize.base.artefacts import write_whole
from assize.base.disk_cache import cache_folder
from assize.base.errors import ConfigError, DataError
from assize.base.privacy import no_telemetry

BEGINS = "hub:"
DEFAULT = "default"  # the shipped evaluator; a path of this name is a folder
MANIFEST = "evaluator.json"
FETCHED = ["*.safetensors", "*.json", "*.md"]

_NAME = re.compile(r"hub:(?P<repository>[\w-][\w.-]*/[\w-][\w.-]*)(@(?P<revision>[\w-][\w./-]*))?")


def local_folder(place: str | Path) -> Path:
    """The folder of an evaluator, fetched from the hub where it stands there.

    What was fetched is kept in the cache folder by its commit, so without a network the latest that
    was fetched is found again. `HF_ENDPOINT` and `HF_TOKEN` are the hub's own settings.

    Raises:
        ConfigError: it is no name of the hub's, or cannot be fetched.
        DataError: what stands there is no evaluator.

    >>> local_folder("mine").name
    'mine'
    """
    named = str(place)
    if not named.startswith(BEGINS):
        return Path(place)
    found = _NAME.fullmatch(named)
    if found is None:
        raise ConfigError(f"{named!r:.200} is no evaluator on the hub; write hub:OWNER/NAME")
    try:
        no_telemetry()
        from huggingface_hub import snapshot_download

        fetched = Path(
            snapshot_download(
                found["repository"],
                revision=found["revision"],
                allow_patterns=FETCHED,
                cache_dir=cache_folder() / "hub",
                endpoint=os.environ.get("HF_ENDPOINT"),
            )
        )
    except Exception as error:  # the client raises its own, the network's and the disk's errors
        raise ConfigError(
            f"{named} cannot be fetched from the hub ({type(error).__name__}: {error!s:.200}); its"
            " folder works without a network"
        ) from error
    if not (fetched / MANIFEST).is_file():
        raise DataError(f"this repository holds no {MANIFEST}, and so no evaluator", source=named)
    return _settled(fetched, cache_folder() / "hub" / "evaluators")


def _settled(fetched: Path, among: Path) -> Path:
    """A copy of plain files: the hub's cache holds links, and none is followed out of a folder."""
    place = among / fetched.parent.parent.name / fetched.name
    place.mkdir(parents=True, exist_ok=True)
    for path in sorted(fetched.iterdir()):
        if path.is_file() and not (place / path.name).is_file():
            write_whole(place / path.name, path.read_bytes())
    return place
