"""A log read by a mapping: which of its fields is the role, the text, the id.

A mapping is made into a `Format` like any other. What it names decides what a row is:

    turns               a conversation, its messages in a list
    text                a message; those with one id are a conversation (see `flat`)
    user, assistant     a question and its answer; those with one id are a conversation
    a, b                a pair
    candidate           a continuation
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.base.conversation import Continuation, Conversation, Pair, Role, Turn
from assize.base.errors import ConfigError, DataError, shorten
from assize.formats.any_log.flat import EXCHANGES, group_rows
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.paths import ABSENT, describe_missing, fields, find, opened, without
from assize.formats.any_log.turns import MESSAGE, TOOLS, one_turn, text_of, turns_of
from assize.formats.format import Format, Options
from assize.formats.messages import common_start, record_id
from assize.formats.preferences import read_preference
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

NAME = "mapped"
_IDS = ("id", "conversation_id", "chat_id", "session_id", "thread_id")


def mapped(mapping: FieldMapping) -> Format:
    """The format that a mapping describes.

    Raises:
        ConfigError: it does not say where the text stands, or says two things at once.
    """
    kind = kind_of(mapping)

    def parse(row: Row, options: Options) -> Iterable[Record]:
        if kind == "pairs":
            yield _pair(row, mapping)
        elif kind == "continuations":
            yield _continuation(row, mapping)
        else:
            yield _conversation(row, mapping)

    flat = kind in ("messages", EXCHANGES)
    return Format(
        name=NAME,
        summary="any log, by a mapping of its fields",
        recognise=lambda sample: False,
        parse=parse,
        gather=(lambda rows, options: group_rows(rows, mapping, kind)) if flat else None,
    )


def kind_of(mapping: FieldMapping) -> str:
    """What a row is by this mapping: conversations, messages, exchanges, pairs, continuations."""
    names = mapping.fields.keys()
    found = [
        kind
        for kind, marks in {
            "pairs": {"a", "b"},
            "continuations": {"candidate"},
            "conversations": {"turns"},
            EXCHANGES: {"user", "assistant"},
        }.items()
        if marks & names
    ]
    if len(found) > 1:
        told = " and ".join(found)
        raise ConfigError(f"map: it names the fields of {told}; a row is one of these")
    kind = found[0] if found else "messages"
    if kind == "pairs" and not {"a", "b"} <= names:
        raise ConfigError("map: a pair needs both, a=FIELD and b=FIELD")
    if not found and not {"role", "text"} <= names:
        raise ConfigError(
            "map: it does not say where the messages stand; name turns=FIELD for a list of them,"
            " role=FIELD,text=FIELD where every row is one, user=FIELD,assistant=FIELD where every"
            " row is a question and its answer, a=FIELD,b=FIELD for pairs, or candidate=FIELD"
        )
    return kind


def check(mapping: FieldMapping, sample: Sample) -> list[str]:
    """The targets whose field is in none of the first records, with why, for further fields;
    for a field without which nothing can be read it is an error.

    Raises:
        DataError: such a field is in none of them.
    """
    if not sample.rows:
        return []
    inner = MESSAGE if "turns" in mapping.fields or kind_of(mapping) == "pairs" else TOOLS
    further = {
        "system",
        "gold",
        "system_prompt",
        "turn",
        "conversation",
        "source",
        "context",
        "references",
        "time",
    }
    told = []
    named = {**mapping.fields, **{f"metadata.{name}": at for name, at in mapping.metadata.items()}}
    for target, path in named.items():
        if target in inner or any(find(one, path) is not ABSENT for one in sample.rows):
            continue
        why = f"{target}={path}: {describe_missing(sample.rows[0], path)}"
        if target not in further and not target.startswith("metadata."):
            raise DataError(
                f"the mapping finds nothing in the first {len(sample.rows)} records: {why};"
                " mend --map (map of assize.read in Python)",
                source=sample.source,
            )
        told.append(why)
    return told


class _Record:
    """A row, or one of a conversation's rows, whose fields a mapping names."""

    def __init__(self, row: Row, mapping: FieldMapping, value: Any = None) -> None:
        self.row, self.mapping = row, mapping
        self.value = opened(row.value if value is None else value)
        if not isinstance(self.value, Mapping):
            raise DataError(f"received {shorten(self.value)}; a mapping reads objects with fields")

    def get(self, target: str) -> Any:
        """Return what the mapping names; None where it is absent or empty."""
        path = self.mapping.fields.get(target)
        part = ABSENT if path is None else find(self.value, path)
        return None if part is ABSENT or part == "" else part

    def need(self, target: str) -> Any:
        """Return what the mapping names, which must be there."""
        path = self.mapping.fields[target]
        part = find(self.value, path)
        if part is ABSENT:
            why = describe_missing(self.value, path)
            raise DataError(f"{why} (the mapping has {target}={path})", field=path)
        return part

    def word(self, target: str) -> str | None:
        """Return one value as text; None where there is none."""
        part = self.get(target)
        if isinstance(part, Mapping | list):
            inner = f" with {fields(part)}" if isinstance(part, Mapping) else ""
            raise DataError(
                f"received {shorten(part)}{inner}; {target} is one value",
                field=self.mapping.fields[target],
            )
        return None if part is None else str(part)

    def text(self, target: str) -> str:
        """Return a text, or the texts of a list of parts."""
        return text_of(self.need(target), self.mapping.fields[target])

    def turns(self, target: str, alone: Role | None = None) -> tuple[Turn, ...]:
        """Return a list of messages; `alone` says one text."""
        return turns_of(self.need(target), self.mapping.fields[target], self.mapping, alone)

    def context(self) -> tuple[Turn, ...]:
        """Return the turns before, the system prompt first."""
        before = () if self.get("context") in (None, []) else self.turns("context", "user")
        return (*self.prompt(), *before)

    def prompt(self) -> tuple[Turn, ...]:
        """Return the system prompt as a turn; none where there is none."""
        given = self.get("system_prompt") is not None
        return (Turn("system", self.text("system_prompt")),) if given else ()

    def id(self) -> str:
        """Return the id that the mapping names, else one of a usual name, else file and line."""
        if "id" in self.mapping.fields:
            name = self.need("id")
            if isinstance(name, Mapping | list):
                raise DataError(
                    f"received {shorten(name)}; an id is one value", field=self.mapping.fields["id"]
                )
            return record_id(self.row, name)
        usual = (self.value[key] for key in _IDS if isinstance(self.value.get(key), str | int))
        return record_id(self.row, next(usual, None))

    def metadata(self) -> dict[str, Any]:
        """Return the fields that the mapping names as metadata, and those that it does not name."""
        return {**_others(self.value, self.mapping), **_named([self.value], self.mapping)}


def _conversation(row: Row, mapping: FieldMapping) -> Conversation:
    if isinstance(row.value, Mapping) and "rows" in row.value and "lines" in row.value:
        return _of_rows(row, mapping)
    record = _Record(row, mapping)
    turns = (*record.prompt(), *record.turns("turns"))
    return Conversation(record.id(), turns, record.word("system"), record.metadata())


def _of_rows(row: Row, mapping: FieldMapping) -> Conversation:
    """A conversation of several rows, whose further fields are those that they all share."""
    rows, lines = row.value["rows"], row.value["lines"]
    first = _Record(row, mapping, rows[0])
    turns = list(first.prompt())
    shared = {
        name: value
        for name, value in first.value.items()
        if all(other.get(name, ABSENT) == value for other in rows[1:])
    }
    for value, line in zip(rows, lines, strict=True):
        try:
            turns += _turns_of_row(value, mapping, shared)
        except DataError as error:
            raise error.at(row.source, line) from None
    if not turns:
        raise DataError("nobody says anything", source=row.source, line=lines[0])
    metadata = {**_others(shared, mapping), **_named(rows, mapping)}
    return Conversation(first.id(), tuple(turns), first.word("system"), metadata)


def _turns_of_row(
    value: Mapping[str, Any], mapping: FieldMapping, shared: Mapping[str, Any]
) -> list[Turn]:
    """The turns of one row: its message, or the question and the answer."""
    speakers: tuple[Role, ...] = ("user", "assistant")
    paths = [(role, mapping.fields[role]) for role in speakers if role in mapping.fields]
    if not paths:
        return [one_turn(value, "", mapping, shared=shared)]
    parts = [(role, path, find(value, path)) for role, path in paths]
    if all(part is ABSENT for _, _, part in parts):
        raise DataError(describe_missing(value, paths[0][1]), field=paths[0][1])
    texts = [(role, text_of(part, path)) for role, path, part in parts if part is not ABSENT]
    return [Turn(role, text) for role, text in texts if text]


def _named(rows: Sequence[Any], mapping: FieldMapping) -> dict[str, Any]:
    """The fields that the mapping names as metadata, of the first row that has them."""
    metadata: dict[str, Any] = {}
    for name, path in mapping.metadata.items():
        parts = (find(row, path) for row in rows)
        if (part := next((one for one in parts if one is not ABSENT), ABSENT)) is not ABSENT:
            metadata[name] = part
    return metadata


def _pair(row: Row, mapping: FieldMapping) -> Pair:
    record = _Record(row, mapping)
    context = record.context()
    a, b = (record.turns(side, "assistant") for side in ("a", "b"))
    shared = 0 if len(context) > len(record.prompt()) else common_start(a, b)
    return Pair(
        record.id(),
        (*context, *a[:shared]),
        a[shared:],
        b[shared:],
        gold=_gold(record),
        metadata=record.metadata(),
    )


def _gold(record: _Record) -> Any:
    """A, B or tie, by the mapping's own words, or as logs usually say it; None for none."""
    mapping, value = record.mapping, record.get("gold")
    if value is None:
        return None
    word = str(value).strip()
    words = mapping.gold
    if not words:
        words = {mapping.fields["a"].lower(): "A", mapping.fields["b"].lower(): "B"}
    side = words.get(word, words.get(word.lower()))
    if side is None and not mapping.gold:
        side = read_preference(word)
    if side is None:
        raise DataError(
            f"received {shorten(value)}; say what it means, as gold:{word[:20]}=A,gold:OTHER=B in"
            " --map (A, B or tie)",
            field=mapping.fields["gold"],
        )
    return side


def _continuation(row: Row, mapping: FieldMapping) -> Continuation:
    record = _Record(row, mapping)
    context, turn = record.context(), _read_turn(record)
    references = opened(record.get("references"))
    if not isinstance(references, list):
        references = [] if references is None else [references]
    if turn is None and "conversation" in mapping.fields:
        turn = len(context) - len(record.prompt())
    return Continuation(
        record.id(),
        context,
        record.text("candidate"),
        references=tuple(text_of(one, mapping.fields["references"]) for one in references),
        conversation=record.word("conversation"),
        turn=turn,
        source=record.word("source") or record.word("system"),
        metadata=record.metadata(),
    )


def _read_turn(record: _Record) -> int | None:
    word = record.word("turn")
    if word is None or not word.strip():
        return None
    try:
        return int(float(word))
    except (ValueError, OverflowError):
        raise DataError(
            f"received {shorten(word)}; the place of a turn is a number",
            field=record.mapping.fields["turn"],
        ) from None


def _others(value: Mapping[str, Any], mapping: FieldMapping) -> dict[str, Any]:
    """What the mapping does not name, with the fields of `metadata` beside the others."""
    inside = () if kind_of(mapping) == "messages" else MESSAGE
    named = [path for target, path in mapping.fields.items() if target not in inside]
    for path in (*named, *mapping.metadata.values()):
        value = without(value, path)
    used: set[str] = set()
    if "id" not in mapping.fields:
        used |= {name for name in _IDS[:1] if isinstance(value.get(name), str | int)}
    rest = {key: one for key, one in value.items() if key not in used and one not in (None, "")}
    inner = opened(rest.get("metadata"))
    if isinstance(inner, Mapping):
        rest = {**{name: one for name, one in rest.items() if name != "metadata"}, **inner}
    return rest
