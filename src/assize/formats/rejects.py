"""Records that could not be read, kept so that nothing is dropped silently."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from assize.base.secrets import keep_urls, redacted_bytes
from assize.formats.files import Location, is_url, make_folder, open_output
from assize.results.log import log

_KEPT = 10_000  # records that stay in memory
_FEWEST = 4  # records of which it can be said what most of them are


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that was not read, and why; `raw` holds its first 10,000 characters."""

    source: str
    line: int
    field: str | None
    problem: str
    raw: str

    @property
    def reason(self) -> str:
        """The field and what is wrong with it, alike for every place in a list."""
        where = "" if self.field is None else f"{self.field}: "
        return re.sub(r"\[\d+\]", "[...]", where + self.problem)


OnReject = Callable[[Reject], None]


def describe_misfit(format: str, reasons: Counter[str], records: int) -> str | None:
    """Say that a format does not fit, where more than half of the records are bad; else None.

    Args:
        format: its name; `mapped` for a mapping.
        reasons: by why they are bad, how many records are.
        records: how many there are, bad ones included; of fewer than 4 nothing is said.

    >>> describe_misfit("mapped", Counter({"text: is missing": 3}), 4)
    'the mapping does not fit 3 of 4 records; most often text: is missing'
    """
    if records < _FEWEST or 2 * reasons.total() <= records:
        return None
    what = "the mapping" if format == "mapped" else f"the format {format}"
    ((reason, _),) = reasons.most_common(1)
    return f"{what} does not fit {reasons.total():,} of {records:,} records; most often {reason}"


class Rejects:
    """The bad records of what is read with `on_error="skip"`: in memory, or in a file.

    A record that a second pass meets again counts once. Iterating gives the first 10,000; `len` is
    the count of all.
    """

    def __init__(self) -> None:
        self.location: str | None = None
        self._in_memory: list[Reject] = []
        self._places: set[tuple[str, int, str]] = set()
        self._open: Callable[[], IO[bytes]] | None = None
        self._stream: IO[bytes] | None = None

    def __len__(self) -> int:
        return len(self._places)

    def __bool__(self) -> bool:
        return True  # a place for rejects, also while there are none

    def __iter__(self) -> Iterator[Reject]:
        return iter(self._in_memory)

    def __call__(self, reject: Reject) -> None:
        """Keep one."""
        place = reject.source, reject.line, reject.problem
        if place in self._places:
            return
        self._places.add(place)
        if len(self._in_memory) < _KEPT:
            self._in_memory.append(reject)
        self._write(reject)

    def _write(self, reject: Reject) -> None:
        from assize.formats.writing import json_line

        if self._stream is None and self._open is not None:
            self._stream = self._open()
        if self._stream is not None:
            keep_urls(reject.source)
            self._stream.write(redacted_bytes(json_line(asdict(reject))))

    @contextmanager
    def saved_to(self, location: Location) -> Iterator[None]:
        """Write the bad records to a JSONL file as they come, those of before first.

        A row says `source`, `line`, `field`, `problem`, and `raw`, the first 10,000 characters of
        the record. The file is only made when there is one, and kept even where the work that
        the records come from fails later. The log says how many were left out.
        """
        with ExitStack() as stack:
            self.location = str(location)
            self._open = lambda: stack.enter_context(_new_file(location))
            for reject in self._in_memory:
                self._write(reject)
            try:
                yield
            finally:
                self._open = self._stream = None
                stack.close()
        if self._places:
            were = "record was" if len(self) == 1 else "records were"
            log.warning("%s bad %s left out: see %s", f"{len(self):,}", were, location)


@contextmanager
def _new_file(location: Location) -> Iterator[IO[bytes]]:
    if not is_url(location):
        make_folder(Path(location).parent)
    with open_output(location) as stream:
        yield stream


def rejects_beside(out: Location) -> str:
    """Return where the bad records are kept of what is written to `out`.

    >>> rejects_beside("chats.jsonl.gz"), rejects_beside("corpus/"), rejects_beside("-")
    ('chats.rejects.jsonl', 'corpus/rejects.jsonl', 'rejects.jsonl')
    """
    from assize.formats.sinks import is_folder

    path = str(out)
    if path == "-":
        return "rejects.jsonl"
    if is_folder(path):
        return f"{path.rstrip('/')}/rejects.jsonl"
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}.rejects.jsonl"
