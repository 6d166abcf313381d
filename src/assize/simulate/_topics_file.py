"""Topics: what conversations are made about, one a line, as text or as JSON.

    {"id": "t1", "text": "rotate storage keys", "documents": [{"id": "keys.html", "clicks": 12}],
     "persona": "a new administrator", "metadata": {"queries": 3}}

Only `text` must be there. A document is a page: its `id` (an address, or a file's name), `title`
and `text`, with `clicks` where a log counts them. Where there is no text the page is taken from
the documents that are searched. A document may also be its id alone.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator

from assize.base.conversation import Reference
from assize.base.errors import DataError, shorten
from assize.base.record import Id, Words, fold
from assize.formats import to_json as record_json
from assize.formats.files import Location
from assize.formats.records import read_record
from assize.formats.rows import open_rows, readable
from assize.formats.writing import json_line
from assize.running.durable import replace as replace_file
from assize.simulate._text_lines import is_plain_text, text_lines


def _document(value: Any) -> Any:
    """A document may be its id alone."""
    return fold(Reference, {"id": value} if isinstance(value, str) else value)


@dataclass(frozen=True, slots=True)
class Topic:
    """What a conversation is about.

    Args:
        id: names its conversations, `ID-DS4`, and with a seed other than 0 `ID-DS4-seed9`.
        text: a query or a sentence, as a person would look for it.
        documents: pages that answer it, as recorded; `extra` may hold `clicks`. The text of a
            page is empty where it stands among the documents that are searched.
        persona: who asks; None for anybody.
        metadata: goes into that of its conversations.
        extra: fields that assize does not know.
    """

    id: Id
    text: str
    documents: tuple[Annotated[Reference, BeforeValidator(_document)], ...] = ()
    persona: Words | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def best(self, count: int) -> tuple[Reference, ...]:
        """The documents most clicked, or the first that are given; each once."""
        ordered = sorted(self.documents, key=clicks, reverse=True)
        return tuple({document.id: document for document in ordered}.values())[:count]


def topic_json(topic: Topic) -> dict[str, Any]:
    """Return the line of a topic, as `read_topics` reads it."""
    line: dict[str, Any] = {"id": topic.id, "text": topic.text}
    if topic.documents:
        line["documents"] = [
            {name: part for name, part in record_json(document).items() if part != ""}
            for document in topic.documents
        ]
    if topic.persona:
        line["persona"] = topic.persona
    if topic.metadata:
        line["metadata"] = dict(topic.metadata)
    return {**line, **topic.extra}


Topics = str | PathLike[str] | Topic | Mapping[str, Any] | Iterable[Any]
"""Files, by name; or topics in memory: `Topic`s, objects with a `text`, or what gives these."""


def clicks(document: Reference) -> int:
    """How often a document was clicked, 0 where nobody counted.

    Raises:
        DataError: the count is no whole number from 0.
    """
    value = document.extra.get("clicks")
    try:
        count = 0.0 if value is None else float(value)
    except (TypeError, ValueError, OverflowError):
        count = math.nan
    if isinstance(value, bool) or not count.is_integer() or count < 0:
        problem = f"received {shorten(value)}; expected a whole number from 0"
        raise DataError(problem, field=f"documents: {document.id}.clicks")
    return int(count)


def read_topics(given: Topics) -> list[Topic]:
    """All topics, in order.

    Args:
        given: as `Topics`. A topic without an id is called after its place, `t1`.

    Raises:
        DataError: a line is no topic, two have one id, or there is none.
    """
    alone = isinstance(given, str | PathLike | Topic | Mapping)
    several: Iterable[Any] = [given] if alone else given  # type: ignore[assignment]
    topics: list[Topic] = []
    for number, value in enumerate(several, start=1):
        if isinstance(value, str | PathLike):
            topics += _in_file(value, len(topics))
        elif isinstance(value, Topic):
            topics.append(value)
        else:
            topics.append(_topic_at(value, len(topics) + 1, "topics", number))
    if not topics:
        raise DataError("there is no topic; give a file with one a line", source="topics")
    for name, count in Counter(row.id for row in topics).items():
        if count > 1:
            problem = f"two topics have the id {name!r}; conversations are named after topics"
            raise DataError(problem, source="topics")
    return topics


def write_topics(path: str | Path, topics: Iterable[Topic]) -> None:
    """Writes topics as JSON, one a line."""
    replace_file(Path(path), (json_line(topic_json(topic)) for topic in topics))


def topic(value: Any, number: int = 1) -> Topic:
    """A topic from a JSON object; `number` is its place, from 1, for one without an id."""
    if isinstance(value, Mapping) and value.get("id") in (None, ""):
        value = {**value, "id": f"t{number}"}
    record = read_record(Topic, value)
    if not record.text.strip():
        raise DataError("the topic is empty; write what it is about", field="text")
    for document in record.documents:
        clicks(document)
    return record


def _topic_at(value: Any, number: int, source: str, line: int) -> Topic:
    try:
        return topic(value, number)
    except DataError as error:
        raise error.at(source, line) from None


def _in_file(location: Location, before: int) -> Iterator[Topic]:
    if is_plain_text(location):
        for number, text in enumerate(text_lines(location), start=before + 1):
            yield Topic(f"t{number}", text)
        return
    with open_rows(location) as (_, rows):
        for number, row in enumerate(readable(rows), start=before + 1):
            yield _topic_at(row.value, number, row.source, row.line)
