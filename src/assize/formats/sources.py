"""Folders and patterns of files: one log in pieces, as services and data sets write them."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assize.base.errors import DataError, MissingExtra
from assize.formats.files import Location, is_url, plain_suffix
from assize.formats.memory import object_rows
from assize.formats.rows import Row

_PATTERN = frozenset("*?[")
_DATA = frozenset({".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".parquet", ".pq", ".xlsx"})
_BESIDE = ("questions.json", "run.json")  # what stands beside records and is none


def files_of(location: Location) -> list[str]:
    """The files of a folder or a pattern, sorted by name; anything else is one file.

    A folder's own files are read, not those of folders in it: `logs/**/*.jsonl` reads these too.
    Hidden files (`.name`, `_name`), unfinished ones (`.part`) and whatever has no suffix of
    records is passed over.

    Raises:
        DataError: there is no such file in the folder, or none that fits the pattern.
    """
    name = str(location)
    if name == "-" or is_dataset(name):
        return [name]
    if is_url(name):
        return _at_url(name) if "*" in name else [name]
    try:
        if os.path.isdir(name):
            return _in_folder(Path(name))
        if not _PATTERN & set(name) or os.path.exists(name):
            return [name]
    except ValueError:  # no name of a file; opening it says so
        return [name]
    found = sorted(one for one in glob.glob(name, recursive=True) if _is_read(Path(one)))
    if not found:
        raise DataError("no file fits this pattern", source=name)
    return found


def _in_folder(folder: Path) -> list[str]:
    found = [one for one in folder.iterdir() if _is_read(one)]
    kept = sorted(str(one) for one in found if plain_suffix(one).lower() in _DATA)
    if not kept:
        inside = sorted(one.name for one in folder.iterdir())[:5]
        held = f"it holds {', '.join(map(ascii, inside))}" if inside else "it is empty"
        known = ", ".join(sorted(_DATA))
        problem = f"no file in this folder is read as records ({held}); their names end in {known}"
        raise DataError(f"{problem}, or .gz or .zst after it", source=str(folder))
    return kept


def _is_read(path: Path) -> bool:
    name = path.name
    beside = name in _BESIDE or name.endswith((".questions.json", ".part", "rejects.jsonl"))
    return not name.startswith((".", "_")) and not beside and path.is_file()


def _at_url(name: str) -> list[str]:
    """The files that fit a pattern at a URL, where its service can list them."""
    import fsspec

    try:
        found = sorted(str(one.full_name) for one in fsspec.open_files(name, "rb"))
    except Exception as error:  # every storage service has its own tree of errors
        raise DataError(f"this address cannot be listed: {error}", source=name) from error
    if not found:
        raise DataError("no file fits this pattern", source=name)
    return found


_START = "hf://datasets/"
_NAME = re.compile(
    r"hf://datasets/(?P<owner>[\w.-]+)/(?P<name>[\w.-]+)(?:/(?P<config>[\w.-]+))?(?::(?P<split>.+))?"
)
_FILE = re.compile(r"\.(jsonl?|ndjson|csv|tsv|parquet|pq|gz|zst|zip|arrow|txt)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HubName:
    """A data set of the hub, as it was written.

    >>> HubName.of("hf://datasets/allenai/reward-bench:filtered").split
    'filtered'
    """

    path: str  # OWNER/NAME
    config: str | None = None
    split: str = "train"

    @classmethod
    def of(cls, location: str) -> HubName | None:
        """What a location names; None where it is no data set by its name."""
        found = _NAME.fullmatch(location)
        if found is None or _FILE.search(location.partition(":")[2]):
            return None
        return cls(f"{found['owner']}/{found['name']}", found["config"], found["split"] or "train")


def is_dataset(location: str) -> bool:
    """Whether it names a data set of the hub, and no file in one.

    >>> is_dataset("hf://datasets/org/set/default:test"), is_dataset("hf://datasets/org/set/a.csv")
    (True, False)
    """
    return location.startswith(_START) and HubName.of(location) is not None


def dataset_rows(location: str) -> Iterator[Row]:
    """The rows of a data set, streamed.

    Raises:
        MissingExtra: the extra `hub` is not installed.
        DataError: there is no such data set, config or split, or it cannot be fetched.
    """
    name = HubName.of(location)
    if name is None:
        raise DataError(
            "no data set; write hf://datasets/OWNER/NAME, NAME/CONFIG or NAME:SPLIT",
            source=location,
        )
    try:
        import datasets
    except ImportError as error:
        what = "reading data sets of the hub"
        raise MissingExtra(what, extra="hub", missing="datasets") from error
    try:
        rows: Any = datasets.load_dataset(name.path, name.config, split=name.split, streaming=True)
    except Exception as error:  # of the network, the hub and each file format
        raise DataError(
            f"{_first_line(error)}; check the name, the config and the split", source=location
        ) from error
    return object_rows(_counted(rows, location), location)


def _counted(rows: Any, location: str) -> Iterator[tuple[int, Any]]:
    try:
        yield from enumerate(rows)
    except Exception as error:
        raise DataError(
            f"the data set breaks off: {_first_line(error)}", source=location
        ) from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
