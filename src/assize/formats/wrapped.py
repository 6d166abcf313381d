"""A list of records inside an object: what an API answers, saved as one file.

{"conversations": [{...}, {...}]}
{"status": "ok", "data": {"total": 2, "items": [{...}, {...}]}}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any

from assize.formats.logs.turns_csv import is_one_chat
from assize.formats.rows import SAMPLE_ROWS, Row, Sample
from assize.results.log import log
from assize.results.numbers import counted

_DEEPEST = 4  # objects around a list


@dataclass(frozen=True, slots=True)
class RecordList:
    """A list inside the one object that a file holds.

    Args:
        path: its dotted path in the object.
        records: as they stand there.
        sample: the first of them.
    """

    path: str
    records: list[Any]
    sample: Sample

    def rows(self) -> Iterator[Row]:
        """Yield a row a record, numbered from 1."""
        for number, record in enumerate(self.records, start=1):
            yield Row(record, self.sample.source, number)


def unwrap_rows(
    sample: Sample, rows: Iterator[Row], is_known: Callable[[Sample], bool]
) -> tuple[Sample, Iterator[Row]]:
    """Return the records of a list inside an object, where this object is all that there is.

    What can be read as it stands stays as it is, and so does an object with several lists whose
    records can be read. An object with the messages of one chat is no wrapper but a record, whose
    id and metadata stand beside them.

    Args:
        is_known: whether rows of such a sample can be read.
    """
    first = list(islice(rows, 2))
    rows = chain(first, rows)
    if len(first) != 1 or is_known(sample):
        return sample, rows
    records = choose_list(sample, is_known)
    if records is None:
        return sample, rows
    count, path = counted(len(records.records), "record"), ascii(records.path)[1:-1]
    log.info("%s: read the %s of its list %s", sample.source, count, path)
    return records.sample, records.rows()


def choose_list(sample: Sample, is_known: Callable[[Sample], bool]) -> RecordList | None:
    """Return the only list in the first row's objects whose records can be read, if any."""
    known = [
        records
        for records in find_lists(sample)
        if is_known(records.sample) and not is_one_chat(records.sample)
    ]
    return known[0] if len(known) == 1 else None


def find_conversations(sample: Sample) -> RecordList | None:
    """Return the list in a file's one object whose records seem to be conversations.

    It is the only list there, and its first record holds a list of several objects itself.
    """
    lists = find_lists(sample) if len(sample.rows) == 1 else []
    if len(lists) != 1 or all(len(part.records) < 2 for part in find_lists(lists[0].sample)):
        return None
    return lists[0]


def find_lists(sample: Sample) -> list[RecordList]:
    """Return the lists of objects, or of lists of them, in the first row's objects."""
    return [] if sample.container != "json" else list(_find_lists(sample.first, "", sample))


def _find_lists(value: Mapping[str, Any], path: str, whole: Sample) -> Iterator[RecordList]:
    for name, part in value.items():
        inner = f"{path}.{name}" if path else name
        if isinstance(part, Mapping) and inner.count(".") < _DEEPEST:
            yield from _find_lists(part, inner, whole)
        elif isinstance(part, list) and part and all(map(_is_record, part)):
            yield RecordList(inner, part, replace(whole, rows=tuple(part[:SAMPLE_ROWS])))


def _is_record(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, Mapping) for part in value)
    return isinstance(value, Mapping)
