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
from assize.base.errors import ConfigError, DataError, shown
from assize.formats.any_log.flat import EXCHANGES, gathered
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.paths import ABSENT, fields, find, lacking, opened, without
from assize.formats.any_log.turns import MESSAGE, TOOLS, one_turn, said, text_of, turns_of
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
        gather=(lambda rows, options: gathered(rows, mapping, kind)) if flat else None,
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
        why = f"{target}={path}: {lacking(sample.rows[0], path)}"
        if target not in further and not target.startswith("metadata."):
            raise DataError(
                f"the mapping finds nothing in the first {len(sample.rows)} records: {why};"
                " mend --map (map of assize.read in Python)",
                source=sample.source,
            )
        told.append(why)
    return told


def _conversation(row: Row, mapping: FieldMapping) -> Conversation:
    if isinstance(row.value, Mapping) and "rows" in row.value and "lines" in row.value:
        return _of_rows(row, mapping)
    value = _object(row)
    at = mapping.fields["turns"]
    turns = turns_of(_needed(value, at, "turns"), at, mapping)
    return Conversation(
        _id(row, value, mapping),
        (*_prompt(value, mapping), *turns),
        system=_word(value, mapping, "system"),
        metadata=_metadata(value, mapping),
    )


def _of_rows(row: Row, mapping: FieldMapping) -> Conversation:
    """A conversation of several rows, whose further fields are those that they all share."""
    rows, lines = row.value["rows"], row.value["lines"]
    turns = list(_prompt(rows[0], mapping))
    alike = _shared(rows)
    shared = _others(alike, mapping)
    for value, line in zip(rows, lines, strict=True):
        try:
            turns += _said_in(value, mapping, alike)
        except DataError as error:
            raise error.at(row.source, line) from None
    if not turns:
        raise DataError("nobody says anything", source=row.source, line=lines[0])
    return Conversation(
        _id(row, rows[0], mapping),
        tuple(turns),
        system=_word(rows[0], mapping, "system"),
        metadata={**shared, **_named(rows, mapping)},
    )


def _shared(rows: Sequence[Any]) -> dict[str, Any]:
    """The fields that all rows of a conversation have alike."""
    first, *others = rows
    return {
        name: value
        for name, value in first.items()
        if all(other.get(name, ABSENT) == value for other in others)
    }


def _said_in(
    value: Mapping[str, Any], mapping: FieldMapping, shared: Mapping[str, Any]
) -> list[Turn]:
    """The turns of one row: its message, or the question and the answer."""
    if "user" not in mapping.fields and "assistant" not in mapping.fields:
        return [one_turn(value, "", mapping, shared=shared)]
    speakers: tuple[Role, ...] = ("user", "assistant")
    both = [(role, mapping.fields[role]) for role in speakers if role in mapping.fields]
    found = [(role, find(value, path), path) for role, path in both]
    if all(one is ABSENT for _, one, _ in found):
        path = found[0][2]
        raise DataError(lacking(value, path), field=path)
    texts = [(role, "" if one is ABSENT else text_of(one, path)) for role, one, path in found]
    return [said(role, text) for role, text in texts if text]


def _named(rows: Sequence[Any], mapping: FieldMapping) -> dict[str, Any]:
    """The fields that the mapping names as metadata, of the first row that has them."""
    found: dict[str, Any] = {}
    for name, path in mapping.metadata.items():
        one = next((held for row in rows if (held := find(row, path)) is not ABSENT), ABSENT)
        if one is not ABSENT:
            found[name] = one
    return found


def _pair(row: Row, mapping: FieldMapping) -> Pair:
    value = _object(row)
    context = _context(value, mapping)
    a, b = (
        turns_of(
            _needed(value, mapping.fields[side], side), mapping.fields[side], mapping, "assistant"
        )
        for side in ("a", "b")
    )
    shared = 0 if context else common_start(a, b)
    return Pair(
        _id(row, value, mapping),
        context=(*_prompt(value, mapping), *(context or a[:shared])),
        a=a[shared:],
        b=b[shared:],
        gold=_gold(value, mapping),
        metadata=_metadata(value, mapping),
    )


def _gold(value: Mapping[str, Any], mapping: FieldMapping) -> Any:
    """A, B or tie, by the mapping's own words, or as logs usually say it; None for none."""
    path = mapping.fields.get("gold")
    found = ABSENT if path is None else find(value, path)
    if path is None or found is ABSENT or found is None or found == "":
        return None
    word = str(found).strip()
    if word in mapping.gold or word.lower() in mapping.gold:
        return mapping.gold.get(word, mapping.gold.get(word.lower()))
    if not mapping.gold:
        names = {mapping.fields["a"].lower(): "A", mapping.fields["b"].lower(): "B"}
        side = names.get(word.lower(), read_preference(word))
        if side is not None:
            return side
    raise DataError(
        f"received {shown(found)}; say what it means, as gold:{word[:20]}=A,gold:OTHER=B in --map"
        " (A, B or tie)",
        field=path,
    )


def _continuation(row: Row, mapping: FieldMapping) -> Continuation:
    value = _object(row)
    at = mapping.fields["candidate"]
    candidate = text_of(_needed(value, at, "candidate"), at)
    context = _context(value, mapping)
    held = mapping.fields.get("references")
    found = ABSENT if held is None else opened(find(value, held))
    several = found if isinstance(found, list) else [] if found in (ABSENT, None, "") else [found]
    turn = _number(value, mapping)
    return Continuation(
        _id(row, value, mapping),
        (*_prompt(value, mapping), *context),
        candidate,
        references=tuple(text_of(one, str(held)) for one in several),
        conversation=_word(value, mapping, "conversation"),
        turn=len(context) if turn is None and "conversation" in mapping.fields else turn,
        source=_word(value, mapping, "source") or _word(value, mapping, "system"),
        metadata=_metadata(value, mapping),
    )


def _number(value: Mapping[str, Any], mapping: FieldMapping) -> int | None:
    word = _word(value, mapping, "turn")
    if word is None or not word.strip():
        return None
    try:
        return int(float(word))
    except (ValueError, OverflowError):
        raise DataError(
            f"received {shown(word)}; the place of a turn is a number", field=mapping.fields["turn"]
        ) from None


def _context(value: Mapping[str, Any], mapping: FieldMapping) -> tuple[Turn, ...]:
    path = mapping.fields.get("context")
    found = ABSENT if path is None else find(value, path)
    if path is None or found is ABSENT or found in (None, "", []):
        return ()
    return turns_of(found, path, mapping, "user")


def _prompt(value: Mapping[str, Any], mapping: FieldMapping) -> tuple[Turn, ...]:
    path = mapping.fields.get("system_prompt")
    found = ABSENT if path is None else find(value, path)
    if path is None or found is ABSENT or found in (None, ""):
        return ()
    return (said("system", text_of(found, path)),)


def _needed(value: Mapping[str, Any], path: str, target: str) -> Any:
    found = find(value, path)
    if found is ABSENT:
        raise DataError(f"{lacking(value, path)} (the mapping has {target}={path})", field=path)
    return found


def _object(row: Row) -> Mapping[str, Any]:
    value = opened(row.value)
    if not isinstance(value, Mapping):
        raise DataError(f"received {shown(row.value)}; a mapping reads objects with fields")
    return value


def _id(row: Row, value: Mapping[str, Any], mapping: FieldMapping) -> str:
    path = mapping.fields.get("id")
    if path is not None:
        found = _needed(value, path, "id")
        if isinstance(found, Mapping | list):
            raise DataError(f"received {shown(found)}; an id is one value", field=path)
        return record_id(row, found)
    for name in _IDS:
        if isinstance(value.get(name), str | int):
            return record_id(row, value[name])
    return record_id(row)


def _word(value: Mapping[str, Any], mapping: FieldMapping, target: str) -> str | None:
    path = mapping.fields.get(target)
    found = ABSENT if path is None else find(value, path)
    if found is ABSENT or found is None or found == "":
        return None
    if isinstance(found, Mapping | list):
        held = f" with {fields(found)}" if isinstance(found, Mapping) else ""
        raise DataError(f"received {shown(found)}{held}; {target} is one value", field=path)
    return str(found)


def _metadata(value: Mapping[str, Any], mapping: FieldMapping) -> dict[str, Any]:
    return {**_others(value, mapping), **_named([value], mapping)}


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
