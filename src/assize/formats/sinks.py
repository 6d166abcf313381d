"""Where the records of a conversion go: a stream, a folder, or a file and one beside it."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Protocol

from assize.base.conversation import Conversation
from assize.base.judgment import Judgment
from assize.formats.files import Location, is_url, make_folder, plain_suffix
from assize.formats.kinds import kind_of
from assize.formats.records import Record
from assize.formats.writing import Write, open_writer

_SUFFIXES = {"jsonl", "json", "ndjson", "parquet", "csv", "tsv"}


class Sink(Protocol):
    """Where the records of a conversion go; `files` counts them by file and kind."""

    files: dict[str, Counter[str]]

    def put(self, record: Record) -> None:
        """Writes one; raises DataError where its format cannot hold it."""

    def finish(self) -> str | None:
        """Puts the files in their places; returns the one with the judgments, if any."""


@contextmanager
def open_sink(out: Location, to: str | None) -> Iterator[Sink]:
    """The sink for `-`, a folder or a file; `finish` it once the block has ended."""
    with ExitStack() as stack:
        if str(out) == "-":
            yield _One(stack, out, to)
        elif is_folder(out):
            yield _Folder(stack, out, to)
        else:
            yield _File(stack, out, to)


def is_folder(out: Location) -> bool:
    """Whether a place to write to is a folder: by its `/`, its lack of a suffix, or there.

    >>> is_folder("corpus"), is_folder("s3://bucket/corpus/"), is_folder("corpus.jsonl")
    (True, True, False)
    """
    name = str(out)
    if name.endswith(("/", os.sep)) or not Path(name).suffix:
        return True
    return not is_url(out) and Path(name).is_dir()


class _One:
    """Everything in one stream of JSON lines."""

    def __init__(self, stack: ExitStack, out: Location, to: str | None) -> None:
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self._write = stack.enter_context(open_writer(out, format=to))

    def put(self, record: Record) -> None:
        self._write(record)
        self.files["-"][kind_of(record)] += 1

    def finish(self) -> str | None:
        return None


class _Folder:
    """One file a kind of record."""

    def __init__(self, stack: ExitStack, out: Location, to: str | None) -> None:
        if not is_url(out):
            make_folder(Path(out))
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self._stack, self._to = stack, to
        self._base = str(out).rstrip("/")
        self._suffix = {"assize-parquet": ".parquet", "assize-csv": ".csv"}.get(to or "", ".jsonl")
        self._open: dict[str, Write] = {}

    def put(self, record: Record) -> None:
        kind = kind_of(record)
        foreign = self._to if self._suffix == ".jsonl" and kind != "judgments" else None
        path = f"{self._base}/{kind}{'.csv' if foreign == 'turns-csv' else self._suffix}"
        if kind not in self._open:
            self._open[kind] = self._stack.enter_context(open_writer(path, format=foreign))
        self._open[kind](record)
        self.files[path][kind_of(record)] += 1

    def finish(self) -> str | None:
        return next((path for path in self.files if "/judgments." in path), None)


class _File:
    """Items in the file itself, judgments beside it; or in it, where nothing else came."""

    def __init__(self, stack: ExitStack, out: Location, to: str | None) -> None:
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self._stack, self._out, self._to = stack, str(out), to
        self._beside = judgments_beside(self._out)
        self._items: Write | None = None
        self._judgments: Write | None = None

    def put(self, record: Record) -> None:
        if not isinstance(record, Judgment):
            if self._items is None:
                table = plain_suffix(self._out) in (".csv", ".tsv")
                turns = "turns-csv" if table and isinstance(record, Conversation) else None
                to = self._to or turns
                self._items = self._stack.enter_context(open_writer(self._out, format=to))
            self._items(record)
            self.files[self._out][kind_of(record)] += 1
            return
        if self._judgments is None:
            self._judgments = self._stack.enter_context(open_writer(self._beside))
        self._judgments(record)
        self.files[self._beside][kind_of(record)] += 1

    def finish(self) -> str | None:
        if self._beside not in self.files:
            return None
        foreign = self._to is not None and not self._to.startswith("assize")
        if self._items is not None or foreign:
            return self._beside
        _move(self._beside, self._out)
        self.files[self._out] = self.files.pop(self._beside)
        return self._out


def judgments_beside(out: str) -> str:
    """Where judgments go that come with the items of a file.

    >>> judgments_beside("a/chat.jsonl.gz"), judgments_beside("chat.txt")
    ('a/chat.judgments.jsonl.gz', 'chat.judgments.jsonl')
    """
    folder, slash, name = out.rpartition("/")
    packed = next((end for end in (".gz", ".zst") if name.endswith(end)), "")
    stem, _, suffix = name.removesuffix(packed).rpartition(".")
    if suffix not in _SUFFIXES:
        suffix = "jsonl"
    return f"{folder}{slash}{stem}.judgments.{suffix}{packed}"


def _move(source: str, target: str) -> None:
    if is_url(target):
        import fsspec

        system, path = fsspec.core.url_to_fs(target)
        system.mv(system._strip_protocol(source), path)
    else:
        os.replace(source, target)
