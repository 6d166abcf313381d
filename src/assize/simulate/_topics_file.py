"""Topics: what conversations are made about, one a line, as text or as JSON.

    {"id": "t1", "text": "rotate storage keys", "documents": [{"id": "keys.html", "clicks": 12}],
     "persona": "a new administrator", "metadata": {"queries": 3}}

Only `text` must be there. A document is a page: its `id` (an address, or a file's name), `title`
and `text`, with `clicks` where a log counts them. Where there is no text the page is taken from
the documents that are searched. A document may also be its id alone.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from assize.base.conversation import Reference
from assize.base.errors import DataError, shorten
from assize.formats import to_json as record_json
from assize.formats.files import Location, open_input, plain_suffix
from assize.formats.messages import object_at, text_at
from assize.formats.rows import open_rows
from assize.formats.writing import json_line
from assize.running.durable import replace as replace_file

_TABLES = (".csv", ".tsv", ".parquet", ".xlsx", ".json", ".jsonl", ".ndjson")
_OWN = ("id", "text", "documents", "persona", "metadata")


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

    id: str
    text: str
    documents: tuple[Reference, ...] = ()
    persona: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def best(self, count: int) -> tuple[Reference, ...]:
        """The documents most clicked, or the first that are given; each once."""
        found = {one.id: one for one in sorted(self.documents, key=clicks, reverse=True)}
        return tuple(found.values())[:count]


def topic_json(topic: Topic) -> dict[str, Any]:
    """Return the line of a topic, as `read_topics` reads it."""
    line: dict[str, Any] = {"id": topic.id, "text": topic.text}
    if topic.documents:
        line["documents"] = [_document_json(document) for document in topic.documents]
    if topic.persona is not None:
        line["persona"] = topic.persona
    if topic.metadata:
        line["metadata"] = dict(topic.metadata)
    return {**line, **topic.extra}


@runtime_checkable
class HasTopics(Protocol):
    """What holds topics, such as what `assize.simulate.topics` returns."""

    @property
    def topics(self) -> Sequence[Topic]:
        """The topics."""


Topics = str | PathLike[str] | Topic | Mapping[str, Any] | Sequence[Any] | HasTopics
"""Files, by name; or topics in memory: `Topic`s, objects with a `text`, or what holds `topics`."""


def clicks(document: Reference) -> int:
    """How often a document was clicked, 0 where nobody counted."""
    count = document.extra.get("clicks")
    return 0 if count is None else _whole(count, "clicks")


def read_topics(given: Topics) -> list[Topic]:
    """All topics, in order.

    Args:
        given: as `Topics`. A topic without an id is called after its place, `t1`.

    Raises:
        DataError: a line is no topic, two have one id, or there is none.
    """
    if isinstance(given, HasTopics):
        given = given.topics
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    found: list[Topic] = []
    for number, one in enumerate(several, start=1):
        if isinstance(one, str | PathLike):
            found += _in_file(one, len(found))
        elif isinstance(one, Topic):
            found.append(one)
        else:
            found.append(_in_memory(one, number, len(found)))
    if not found:
        raise DataError("there is no topic; give a file with one a line", source="topics")
    _check_ids(found)
    return found


def write_topics(path: str | Path, topics: Iterable[Topic]) -> None:
    """Writes topics as JSON, one a line."""
    replace_file(Path(path), (json_line(topic_json(topic)) for topic in topics))


def topic(value: Any, number: int = 1) -> Topic:
    """A topic from a JSON object; `number` is its place, from 1, for one without an id."""
    said = object_at(value, "")
    text = text_at(said.get("text"), "text").strip()
    if not text:
        raise DataError("the topic is empty; write what it is about", field="text")
    given = said.get("id")
    id = f"t{number}" if given is None or given == "" else str(given)
    metadata = said.get("metadata")
    return Topic(
        id,
        text,
        tuple(_documents(said.get("documents"))),
        _word(said, "persona"),
        {} if metadata is None else object_at(metadata, "metadata"),
        {name: part for name, part in said.items() if name not in _OWN},
    )


def _in_file(location: Location, before: int) -> Iterator[Topic]:
    if _is_text(location):
        yield from _lines(location, before)
        return
    with open_rows(location) as (_, rows):
        for row in rows:
            if row.problem is not None:
                raise DataError(row.problem, source=row.source, line=row.line)
            before += 1
            try:
                yield topic(row.value, before)
            except DataError as error:
                raise error.at(row.source, row.line) from None


def _is_text(location: Location) -> bool:
    """Whether each line is a topic by itself."""
    if plain_suffix(location) in _TABLES:
        return False
    try:
        with open_input(location) as stream:
            return stream.peek(4).removeprefix(BOM_UTF8).lstrip()[:1] not in (b"{", b"[")
    except DataError as error:
        if " " in str(location).strip():
            error.problem += '; topics are read from files: in Python give [{"text": "..."}]'
        raise


def _lines(location: Location, before: int) -> Iterator[Topic]:
    with open_input(location) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            except UnicodeDecodeError:
                problem = "not UTF-8; save the file as UTF-8"
                raise DataError(problem, source=str(location), line=number) from None
            if text:
                before += 1
                yield Topic(f"t{before}", text)


def _in_memory(value: Any, number: int, before: int) -> Topic:
    try:
        return topic(value, before + 1)
    except DataError as error:
        raise error.at("topics", number) from None


def _documents(values: Any) -> Iterator[Reference]:
    if values is None:
        return
    if not isinstance(values, list | tuple):
        raise DataError(f"received {shorten(values)}; expected a list", field="documents")
    for number, value in enumerate(values):
        place = f"documents[{number}]"
        if isinstance(value, Reference):
            yield value
            continue
        if isinstance(value, str):
            value = {"id": value}
        said = object_at(value, place)
        rest = {name: part for name, part in said.items() if name not in ("id", "title", "text")}
        if rest.get("clicks") is not None:
            rest["clicks"] = _whole(rest["clicks"], f"{place}.clicks")
        title, text = (text_at(said.get(name, ""), f"{place}.{name}") for name in ("title", "text"))
        yield Reference(text_at(said.get("id"), f"{place}.id"), title, text, rest)


def _whole(value: Any, place: str) -> int:
    """A count, also as text or as 7.0.

    Raises:
        DataError: it is none.
    """
    found = value.strip() if isinstance(value, str) else value
    if isinstance(found, str) and found.isascii() and found.isdigit() and len(found) < 19:
        return int(found)
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
        return found
    raise DataError(f"received {shorten(value)}; expected a whole number from 0", field=place)


def _document_json(document: Reference) -> dict[str, Any]:
    return {name: part for name, part in record_json(document).items() if part != ""}


def _word(said: Mapping[str, Any], name: str) -> str | None:
    value = said.get(name)
    return None if value is None or value == "" else text_at(value, name)


def _check_ids(topics: Sequence[Topic]) -> None:
    seen: set[str] = set()
    for one in topics:
        if one.id in seen:
            problem = f"two topics have the id {one.id!r}; conversations are named after topics"
            raise DataError(problem, source="topics")
        seen.add(one.id)
