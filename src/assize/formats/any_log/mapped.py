"""A log read by a mapping: which of its fields is the role, the text, the id.

A mapping is made into a `Format` like any other. What it names decides what a row is:

    turns               a conversation, its messages in a list or a transcript
    text                a message; those with one id are a conversation
    user, assistant     a question and its answer; those with one id are a conversation
    a, b                a pair, with the votes on it of raters and judges
    candidate           a continuation
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Continuation, Conversation, Pair, Role, Turn
from assize.base.errors import ConfigError, DataError, shorten
from assize.base.judgment import PREFERENCE
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.messages import (
    OF_MESSAGE,
    OF_TOOLS,
    group_rows,
    read_turn,
    skip_messages,
    skip_repeats,
    text_of,
    turns_of,
)
from assize.formats.any_log.paths import ABSENT, describe_missing, fields, find, without
from assize.formats.any_log.votes import read_side, read_votes
from assize.formats.format import Format, Options
from assize.formats.messages import common_start, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample, parse_json_text

_IDS = ("id", "conversation_id", "chat_id", "session_id", "thread_id")
_SPEAKERS: tuple[Role, ...] = ("user", "assistant")
_KINDS: Mapping[str, set[str]] = {
    "pairs": {"a", "b"},
    "continuations": {"candidate"},
    "conversations": {"turns"},
    "exchanges": set(_SPEAKERS),
}
# Without the field of one of these a record can be read; in some of these it is always expected.
_EXPECTED = frozenset({"system"})
_FURTHER = frozenset(
    {"system", "gold", "system_prompt", "turn", "conversation", "source", "context"}
    | {"references", "time"}
)


def mapped(mapping: FieldMapping, *, quiet: bool = False) -> Format:
    """The format that a mapping describes; `quiet` keeps it from logging what it leaves out.

    Raises:
        ConfigError: it does not say where the text stands, or says two things at once.
    """
    kind = kind_of(mapping)
    has_votes = bool(mapping.raters or mapping.judges)
    if has_votes and kind != "pairs":
        raise ConfigError(
            "map: rater.NAME and judge.NAME are votes between the sides of a pair, a=FIELD,b=FIELD;"
            " ratings of conversations stand in a table: item, rater, question, answer"
        )
    readers: dict[str, Callable[[Row, FieldMapping], Record]] = {
        "pairs": _pair,
        "continuations": _continuation,
        "conversations": _conversation,
    }
    reader = readers.get(kind, read_rows)

    def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
        rows = skip_messages(rows, mapping, quiet=quiet)
        if kind == "conversations":
            ids = mapping.fields.get("id", "|".join(_IDS))
            rows = skip_repeats(rows, ids, mapping.fields["turns"], quiet=quiet)
        return rows if kind in readers else group_rows(rows, mapping)

    return Format(
        name="mapped",
        summary="any log, by a mapping of its fields",
        recognise=lambda sample: False,
        parse=lambda row, options: [*_with_votes(reader(row, mapping), row, mapping)],
        gather=gather,
        questions=(PREFERENCE,) if has_votes else (),
    )


def kind_of(mapping: FieldMapping) -> str:
    """What a row is by this mapping: conversations, messages, exchanges, pairs, continuations."""
    names = mapping.fields.keys()
    kinds = [kind for kind, marks in _KINDS.items() if marks & names]
    if len(kinds) > 1:
        several = " and ".join(kinds)
        raise ConfigError(f"map: it names the fields of {several}; a row is one of these")
    if kinds == ["pairs"] and not {"a", "b"} <= names:
        raise ConfigError("map: a pair needs both, a=FIELD and b=FIELD")
    if not kinds and not {"role", "text"} <= names:
        raise ConfigError(
            "map: it does not say where the messages stand; name turns=FIELD for a list of them or"
            " a transcript, role=FIELD,text=FIELD where every row is one message,"
            " user=FIELD,assistant=FIELD where every row is a question and its answer,"
            " a=FIELD,b=FIELD for pairs, or candidate=FIELD"
        )
    return kinds[0] if kinds else "messages"


def check_mapping(mapping: FieldMapping, sample: Sample, *, is_readable: bool = False) -> list[str]:
    """The targets whose field is in none of the first records, with why, for further fields;
    for a field without which nothing can be read, and for `system`, it is an error.

    Args:
        is_readable: only asks whether records can be read, which they can without `system`.

    Raises:
        DataError: such a field is in none of them.
    """
    inner = OF_MESSAGE if "turns" in mapping.fields or kind_of(mapping) == "pairs" else OF_TOOLS
    missing = []
    for target, path in {**mapping.fields, **mapping.further}.items():
        if target in inner or any(find(row, path) is not ABSENT for row in sample.rows):
            continue
        why = f"{target}={path}: {describe_missing(sample.rows[0], path)}" if sample.rows else ""
        optional = _FURTHER if is_readable else _FURTHER - _EXPECTED
        if why and target not in optional and target not in mapping.further:
            raise DataError(
                f"the mapping finds nothing in the first {len(sample.rows)} records: {why};"
                " mend --map (map of assize.read in Python)",
                source=sample.source,
            )
        missing += [why] if why else []
    return missing


class _Fields:
    """The fields of a row that a mapping names."""

    def __init__(self, row: Row, mapping: FieldMapping, value: Any = None) -> None:
        self.row, self.mapping = row, mapping
        self.value = parse_json_text(row.value if value is None else value)
        if not isinstance(self.value, Mapping):
            raise DataError(f"received {shorten(self.value)}; a mapping reads objects with fields")

    def get(self, target: str, *, needed: bool = False) -> Any:
        """Return what the mapping names; None where it is empty, or absent and not needed."""
        path = self.mapping.fields.get(target)
        part = ABSENT if path is None else find(self.value, path)
        if part is ABSENT and needed and path is not None:
            why = describe_missing(self.value, path)
            raise DataError(f"{why} (the mapping has {target}={path})", field=path)
        return None if part is ABSENT or part == "" else part

    def word(self, target: str, *, needed: bool = False) -> str | None:
        """Return one value as text; None where there is none."""
        part = self.get(target, needed=needed)
        if isinstance(part, Mapping | list):
            inner = f" with {fields(part)}" if isinstance(part, Mapping) else ""
            raise DataError(
                f"received {shorten(part)}{inner}; {target} is one value",
                field=self.mapping.fields[target],
            )
        return None if part is None else str(part)

    def turns(self, target: str, alone: Role | None = None) -> tuple[Turn, ...]:
        """Return a list of messages; `alone` says one text."""
        part = self.get(target, needed=True)
        if part is None and alone == "assistant":  # an empty response is one
            part = find(self.value, self.mapping.fields[target])
        return turns_of(part, self.mapping.fields[target], self.mapping, alone)

    def prompt(self) -> tuple[Turn, ...]:
        """Return the system prompt as a turn; none where there is none."""
        prompt = self.get("system_prompt")
        place = self.mapping.fields.get("system_prompt", "")
        return () if prompt is None else (Turn("system", text_of(prompt, place)),)

    def before(self) -> tuple[Turn, ...]:
        """Return the turns before a response, without the system prompt."""
        return () if self.get("context") in (None, []) else self.turns("context", "user")

    def id(self) -> str:
        """Return the id that the mapping names, else one of a usual name, else file and line."""
        usual = (self.value[key] for key in _IDS if isinstance(self.value.get(key), str | int))
        named = "id" in self.mapping.fields
        return record_id(self.row, self.word("id", needed=True) if named else next(usual, None))

    def metadata(self) -> dict[str, Any]:
        """Return the fields that the mapping names as metadata, those that it does not name, and
        the sheet of a workbook of which several are read."""
        sheet = {"sheet": self.row.sheet} if self.row.sheet else {}
        return sheet | _metadata(self.value, [self.value], self.mapping)


def _conversation(row: Row, mapping: FieldMapping) -> Conversation:
    record = _Fields(row, mapping)
    turns = record.turns("turns")
    if not turns:
        raise DataError("every message is left out by its role", field=mapping.fields["turns"])
    turns = (*record.prompt(), *turns)
    return Conversation(record.id(), turns, record.word("system"), record.metadata())


def read_rows(row: Row, mapping: FieldMapping) -> Conversation:
    """A conversation of several rows, whose metadata are the fields that they all share."""
    rows, lines = row.value["rows"], row.value["lines"]
    first = _Fields(row, mapping, rows[0])
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
    metadata = _metadata(shared, rows, mapping)
    return Conversation(first.id(), tuple(turns), first.word("system"), metadata)


def _turns_of_row(
    value: Mapping[str, Any], mapping: FieldMapping, shared: Mapping[str, Any]
) -> list[Turn]:
    """The turns of one row: its message, or the question and the answer."""
    paths = {role: mapping.fields[role] for role in _SPEAKERS if role in mapping.fields}
    if not paths:
        return [read_turn(value, "", mapping, shared=shared)]
    parts = {role: find(value, path) for role, path in paths.items()}
    if all(part is ABSENT for part in parts.values()):
        path = next(iter(paths.values()))
        raise DataError(describe_missing(value, path), field=path)
    texts = {role: text_of(part, paths[role]) for role, part in parts.items() if part is not ABSENT}
    return [Turn(role, text) for role, text in texts.items() if text]


def _metadata(
    value: Mapping[str, Any], rows: Sequence[Any], mapping: FieldMapping
) -> dict[str, Any]:
    """What the mapping does not name of a record, with the fields of its `metadata` beside the
    others, and what it names as metadata, of the first row that has it."""
    inside = () if kind_of(mapping) == "messages" else OF_MESSAGE
    paths = [path for target, path in mapping.fields.items() if target not in inside]
    for path in (*paths, *mapping.further.values()):
        value = without(value, path)
    if "id" not in mapping.fields and isinstance(value.get("id"), str | int):
        value = without(value, "id")
    rest = {key: part for key, part in value.items() if part is not None and part != ""}
    if isinstance(inner := parse_json_text(rest.get("metadata")), Mapping):
        rest = {**without(rest, "metadata"), **inner}
    for name, path in mapping.metadata.items():
        parts = (find(row, path) for row in rows)
        if (part := next((part for part in parts if part is not ABSENT), ABSENT)) is not ABSENT:
            rest[name] = part
    return rest


def _pair(row: Row, mapping: FieldMapping) -> Pair:
    record = _Fields(row, mapping)
    before = record.before()
    context = record.prompt() + before
    a, b = (record.turns(side, "assistant") for side in ("a", "b"))
    gold = record.get("gold")
    shared = 0 if before else common_start(a, b)
    return Pair(
        record.id(),
        (*context, *a[:shared]),
        a[shared:],
        b[shared:],
        gold=None if gold is None else read_side(gold, mapping, mapping.fields["gold"]),
        metadata=record.metadata(),
    )


def _with_votes(record: Record, row: Row, mapping: FieldMapping) -> Iterator[Record]:
    """A record, and the votes that stand beside it."""
    yield record
    if isinstance(record, Pair):
        yield from read_votes(parse_json_text(row.value), record.id, mapping)


def _continuation(row: Row, mapping: FieldMapping) -> Continuation:
    record = _Fields(row, mapping)
    before, turn = record.before(), record.word("turn")
    references = parse_json_text(record.get("references"))
    if not isinstance(references, list):
        references = [] if references is None else [references]
    number = len(before) if "conversation" in mapping.fields else None
    if turn is not None and turn.strip():
        try:
            number = int(float(turn))
        except (ValueError, OverflowError):
            problem = f"received {shorten(turn)}; the place of a turn is a number"
            raise DataError(problem, field=mapping.fields["turn"]) from None
    candidate = record.get("candidate", needed=True)
    return Continuation(
        record.id(),
        record.prompt() + before,
        text_of(candidate, mapping.fields["candidate"]),
        references=tuple(text_of(text, mapping.fields["references"]) for text in references),
        conversation=record.word("conversation"),
        turn=number,
        source=record.word("source") or record.word("system"),
        metadata=record.metadata(),
    )


def read_mapped(rows: Iterable[Row], mapping: FieldMapping) -> list[Record]:
    """Read rows that are in memory by a mapping.

    Raises:
        DataError: a row cannot be read.
    """
    form, options = mapped(mapping, quiet=True), Options(roles=mapping.roles)
    gathered = iter(rows) if form.gather is None else form.gather(iter(rows), options)
    return [record for row in gathered for record in form.parse(row, options)]
