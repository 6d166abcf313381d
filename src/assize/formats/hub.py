"""Data sets of the Hugging Face hub: `hf://datasets/OWNER/NAME[/CONFIG][:SPLIT]`.

A file there, `hf://datasets/OWNER/NAME/data/train.parquet`, is a file like any other and is
opened by fsspec; this is for a data set by its name, which needs the extra `hub`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assize.base.errors import DataError, MissingExtra
from assize.formats.memory import object_rows
from assize.formats.rows import Row

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
