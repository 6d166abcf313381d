"""Where the records of a conversion go: a stream, a folder, or a file and one beside it."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from assize.formats.files import Location, is_url, make_folder, plain_suffix
from assize.formats.records import Record, kind_of
from assize.formats.writing import Write, open_writer

_SUFFIX_OF = {"assize-parquet": ".parquet", "assize-csv": ".csv"}
_SUFFIXES = {"jsonl", "json", "ndjson", "parquet", "csv", "tsv"}


@contextmanager
def open_sink(out: Location, to: str | None) -> Iterator[Sink]:
    """Open the sink for `-`, a folder or a file; `finish` it once the block has ended."""
    with ExitStack() as stack:
        if str(out) != "-" and is_folder(out) and not is_url(out):
            make_folder(Path(out))
        yield Sink(stack, str(out), to)


class Sink:
    """Where the records of a conversion go; `files` counts them by file and kind.

    `-` gets everything as JSON lines, a folder one file a kind. A file gets the items, and
    judgments stand beside it, or in it where nothing else came.
    """

    def __init__(self, stack: ExitStack, out: str, to: str | None) -> None:
        self.files: dict[str, Counter[str]] = defaultdict(Counter)
        self._stack, self._out, self._to = stack, out, to
        self._in_folder = out != "-" and is_folder(out)
        self._writers: dict[str, Write] = {}

    def put(self, record: Record) -> None:
        """Write a record; raises DataError where its format cannot hold it."""
        path, format = self._choose_file(record)
        if path not in self._writers:
            self._writers[path] = self._stack.enter_context(open_writer(path, format=format))
        self._writers[path](record)
        self.files[path][kind_of(record)] += 1

    def _choose_file(self, record: Record) -> tuple[str, str | None]:
        """The file that a record goes into, and the format of this file."""
        kind = kind_of(record)
        if self._out == "-":
            return "-", self._to
        if self._in_folder:
            suffix = _SUFFIX_OF.get(self._to or "", ".jsonl")
            foreign = self._to if suffix == ".jsonl" and kind != "judgments" else None
            suffix = ".csv" if foreign == "turns-csv" else suffix
            return f"{self._out.rstrip('/')}/{kind}{suffix}", foreign
        if kind == "judgments":
            return judgments_beside(self._out), None
        is_table = plain_suffix(self._out) in (".csv", ".tsv") and kind == "conversations"
        return self._out, self._to or ("turns-csv" if is_table else None)

    def finish(self) -> str | None:
        """Put the files in their places; return the one with the judgments, if any."""
        judged = next((path for path, kinds in self.files.items() if kinds["judgments"]), None)
        if judged is None or self._out == "-":
            return None
        foreign = self._to is not None and not self._to.startswith("assize")
        if self._in_folder or self._out in self.files or foreign:
            return judged
        _move(judged, self._out)
        self.files[self._out] = self.files.pop(judged)
        return self._out


def is_folder(out: Location) -> bool:
    """Whether a place to write to is a folder: by its `/`, its lack of a suffix, or there.

    >>> is_folder("corpus"), is_folder("s3://bucket/corpus/"), is_folder("corpus.jsonl")
    (True, True, False)
    """
    name = str(out)
    if name.endswith(("/", os.sep)) or not Path(name).suffix:
        return True
    return not is_url(out) and Path(name).is_dir()


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
