"""Messages of any shape as turns, and the rows of one id as a conversation."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assize.base.conversation import Role, Turn
from assize.base.errors import DataError, shorten
from assize.base.signature import content_hash
from assize.formats.any_log.mapping import NO_ROLE, SKIP, FieldMapping
from assize.formats.any_log.paths import ABSENT, describe_missing, fields, find, without
from assize.formats.chat_messages import text_of_result
from assize.formats.messages import make_turn, role
from assize.formats.rows import Row, join_rows, parse_json_text
from assize.formats.transcripts import SPEAKERS, find_labels, split_transcript
from assize.results.log import log
from assize.results.numbers import counted

# By the target of a mapping, the field of a message, and what messages usually call it.
_ROLE = "role|from|speaker|sender|author|type"
_TEXT = "text|content|value|message|body|utterance"
_TOOLS = {"tool_calls": "tool_calls", "tool_call_id": "tool_call_id", "tool": "name"}
OF_TOOLS = frozenset(_TOOLS)
OF_MESSAGE = OF_TOOLS | {"role", "text"}  # targets that a message holds, and not its conversation
_LISTS = ("turns", "context", "a", "b")  # targets that may be lists of messages
_USUAL = ("user", "assistant", "system", "tool")
_PARTS = ("text", "content", "value")


def group_rows(rows: Iterable[Row], mapping: FieldMapping) -> Iterator[Row]:
    """Make one row of the rows of each conversation, in the order in which they begin.

    Rows of several conversations may follow each other in any order, so all are held in memory.
    Messages are in the order of their `turn` or `time` where the mapping names one, else of the
    file. Questions and answers without an id are a conversation each.
    """
    path = mapping.fields.get("id")
    groups: dict[Any, list[Row]] = {}
    for row in rows:
        if path is None and "role" in mapping.fields:
            raise DataError(
                "every row is one message, and the mapping does not say which belong together;"
                " name the field with the conversation's id, as id=FIELD in --map",
                source=row.source,
            )
        name = row.line if path is None else find(row.value, path)
        if name is ABSENT or name in (None, "") or isinstance(name, dict | list):
            missing = name is ABSENT
            why = describe_missing(row.value, str(path)) if missing else f"received {name!r:.60}"
            yield row.refuse(f"{path}: {why}; it names the conversation of each row")
        else:
            groups.setdefault(str(name), []).append(row)
    for name in list(groups):
        yield _in_order(groups.pop(name), mapping)


def skip_messages(
    rows: Iterable[Row], mapping: FieldMapping, *, quiet: bool = False
) -> Iterator[Row]:
    """Yield the rows without those that are messages to leave out.

    Messages in a row's lists are only counted here; `turns_of` leaves them out. Unless `quiet`,
    the log says at the end how many there were.
    """
    if not mapping.skipped:
        yield from rows
        return
    lists = [mapping.fields[target] for target in _LISTS if target in mapping.fields]
    is_message = not lists and "role" in mapping.fields
    counts: Counter[str] = Counter()
    source = ""
    for row in rows:
        parts = [row.value] if is_message else _messages_in(row.value, lists, mapping)
        names = [name for part in parts if (name := skipped_role(part, mapping)) is not None]
        counts.update(names)
        source = row.source
        if not (is_message and names):
            yield row
    if counts and not quiet:
        roles = ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
        log.info("%s: %s left out by role: %s", source, counted(counts.total(), "message"), roles)


def skip_repeats(
    rows: Iterable[Row], id_path: str, text_path: str, *, quiet: bool = False
) -> Iterator[Row]:
    """Yield the rows without those that repeat a transcript under its id, or leave it blank below,
    as a table of ratings does that has a row for each rater; unless `quiet`, the log counts them.

    A row keeps the fields of which the repeats right below it say nothing else.
    """
    seen: set[str] = set()
    held: Row | None = None
    count, source = 0, ""
    for row in rows:
        name, text = find(row.value, id_path), find(row.value, text_path)
        if name is not ABSENT and (text is None or isinstance(text, str)):
            key = content_hash(str(name), "\0", text or "")
            if key in seen:
                count, source = count + 1, row.source
                if held is not None and find(held.value, id_path) == name:
                    held = replace(held, value=_shared_fields(held.value, row.value))
                continue
            if text:
                seen |= {key, content_hash(str(name), "\0", "")}
        if held is not None:
            yield held
        held = row
    if held is not None:
        yield held
    if count and not quiet:
        repeats = counted(count, "row")
        log.info("%s: %s left out, of conversations that earlier rows hold", source, repeats)


def _shared_fields(value: Mapping[str, Any], repeat: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of which a repeat holds the same, or nothing."""
    blank = (None, "")
    return {
        name: part
        for name, part in value.items()
        if (other := repeat.get(name)) == part or other in blank
    }


def _messages_in(value: Any, paths: Sequence[str], mapping: FieldMapping) -> list[Any]:
    """The messages of the lists that stand at some paths, and of a transcript."""
    parts = [parse_json_text(find(value, path)) for path in paths]
    if "turns" in mapping.fields:
        parts = [_split(part, mapping) if isinstance(part, str) else part for part in parts]
    return [message for part in parts if isinstance(part, list) for message in part]


def _split(text: str, mapping: FieldMapping) -> list[dict[str, str]]:
    """The messages of a transcript; none where the mapping names the fields of messages."""
    if not OF_MESSAGE.isdisjoint(mapping.fields):
        return []
    return split_transcript(text, {*mapping.roles, *mapping.skipped} - {NO_ROLE})


def _read_transcript(text: str, place: str, mapping: FieldMapping) -> list[dict[str, str]]:
    """The messages of a transcript.

    Raises:
        DataError: it begins with no speaker.
    """
    messages = _split(text, mapping)
    if messages and ("role" in messages[0] or NO_ROLE in {*mapping.roles, *mapping.skipped}):
        return messages
    unknown = [label for label in find_labels(text) if label.lower() not in SPEAKERS]
    advice = ""
    if not OF_MESSAGE.isdisjoint(mapping.fields):
        advice = "; for a transcript leave role and text out of --map"
    elif unknown:
        sides = ["user"] if messages else ["user", "assistant"]
        roles = [f"{label}={side}" for label, side in zip(unknown, sides, strict=False)]
        advice = f"; say who speaks, for example with --roles {shlex.quote(','.join(roles))}"
    elif messages:
        advice = f"; leave out what stands before the first speaker with --roles {NO_ROLE}={SKIP}"
    raise DataError(
        f"received {shorten(text)}; expected a list of messages, or a transcript whose turns begin"
        f" with a speaker, as `User: Hi`{advice}",
        field=place,
    )


def skipped_role(value: Any, mapping: FieldMapping) -> str | None:
    """Return a message's name of a role where the mapping leaves it out; None where it stays."""
    if not mapping.skipped or not isinstance(value := parse_json_text(value), Mapping):
        return None
    name = find(value, mapping.fields.get("role", _ROLE))
    word = NO_ROLE if name is ABSENT or name is None else str(name).strip().lower()
    return word if word in mapping.skipped else None


def _in_order(rows: list[Row], mapping: FieldMapping) -> Row:
    """The rows of a conversation as one, in the order of their turns or times."""
    path = mapping.fields.get("turn", mapping.fields.get("time"))
    places: list[Any] = [None if path is None else find(row.value, path) for row in rows]
    missing = [place is ABSENT or place in (None, "") for place in places]
    if all(missing) or len(rows) == 1:
        return join_rows(rows)
    if any(missing):
        row = rows[missing.index(True)]
        return row.refuse(
            f"{path} is empty or missing; without it nothing says where the message belongs"
        )
    try:
        keys: list[Any] = [float(place) for place in places]
    except (TypeError, ValueError, OverflowError):
        keys = [str(place) for place in places]  # ISO times are in order as text
    return join_rows([rows[index] for index in sorted(range(len(rows)), key=keys.__getitem__)])


def turns_of(
    value: Any, place: str, mapping: FieldMapping, alone: Role | None = None
) -> tuple[Turn, ...]:
    """The turns of a list of messages, or a transcript; texts alone alternate, the user first.

    Args:
        place: where it stands, for errors.
        alone: who says it where it is one text.
    """
    value = parse_json_text(value)
    if alone is not None and isinstance(value, str | bool | int | float):
        return (Turn(alone, text_of(value, place)),)
    if isinstance(value, str):
        value = _read_transcript(value, place, mapping)
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list) or not value:
        expected = "a list of messages" if alone is None else "text or a list of messages"
        raise DataError(f"received {shorten(value)}; expected {expected}", field=place)
    if all(isinstance(text, str) for text in value):
        speakers: list[Role] = ["user", "assistant"]
        if alone == "assistant":
            speakers.reverse()
        return tuple(Turn(speakers[index % 2], text) for index, text in enumerate(value))
    return tuple(
        read_turn(part, f"{place}[{index}]", mapping)
        for index, part in enumerate(value)
        if skipped_role(part, mapping) is None
    )


def read_turn(
    value: Any, place: str, mapping: FieldMapping, *, shared: Collection[str] | None = None
) -> Turn:
    """One message as a turn.

    Args:
        place: where it stands, for errors; "" for the record itself.
        shared: of a record of its own, the fields that are the conversation's, as all its rows
            share them; the others stay with the turn.

    Raises:
        DataError: it has no role or no text, or the role is not known.
    """
    value = parse_json_text(value)
    if not isinstance(value, Mapping):
        raise DataError(f"received {shorten(value)}; expected a message", field=place or None)
    tools = _tool_fields(value, mapping)
    who, content = (
        find(value, mapping.fields.get(target, usual))
        for target, usual in (("role", _ROLE), ("text", _TEXT))
    )
    if content is ABSENT and (tools.get("tool_calls") or value.get("tool_calls")):
        content = ""
    if (who is ABSENT or who is None) and NO_ROLE in mapping.roles:
        who = NO_ROLE
    for target, part in (("role", who), ("text", content)):
        if part is ABSENT:
            raise _missing(value, target, mapping.fields.get(target), place)
    named = {"role": _ROLE, "text": _TEXT, **mapping.fields}
    paths = [path for name, path in named.items() if name in OF_MESSAGE or shared is not None]
    if shared is not None:
        paths += mapping.metadata.values()
    rest = {key: part for key, part in value.items() if key not in paths}
    for path in paths:
        if path not in value:
            rest = without(rest, path)
    if shared is not None:
        rest = {
            key: part
            for key, part in rest.items()
            if key not in shared and part is not None and part != ""
        }
    if isinstance(who, bool | int | float):
        who = str(who).lower()
    field = ".".join(part for part in (place, mapping.fields.get("role", "role")) if part)
    known = role(who, field, mapping.roles, skip=True)
    text_field = f"{place}.{mapping.fields.get('text', 'text')}".lstrip(".")
    text = text_of_result(content) if known == "tool" else text_of(content, text_field)
    return make_turn(known, who, text, rest | tools, field, _USUAL)


def _tool_fields(value: Mapping[str, Any], mapping: FieldMapping) -> dict[str, Any]:
    """What the mapping names of calls and results, by the names of a turn's fields."""
    paths = {
        field: mapping.fields[name] for name, field in _TOOLS.items() if name in mapping.fields
    }
    parts = {field: parse_json_text(find(value, path)) for field, path in paths.items()}
    parts = {
        field: part
        for field, part in parts.items()
        if part is not ABSENT and part is not None and part != ""
    }
    if isinstance(calls := parts.get("tool_calls"), Mapping):
        parts["tool_calls"] = [calls]
    if isinstance(number := parts.get("tool_call_id"), int):
        parts["tool_call_id"] = str(number)
    return parts


def _missing(value: Mapping[str, Any], target: str, path: str | None, place: str) -> DataError:
    if path is None:
        problem = f"no field here is the {target}: there are {fields(value)}; say {target}=FIELD"
        return DataError(f"{problem} in --map", field=place or None)
    field = ".".join(part for part in (place, path) if part)
    problem = f"{describe_missing(value, path)} (the mapping has {target}={path})"
    if target == "role":
        problem += f"; leave out messages without a role with --roles {NO_ROLE}={SKIP}"
    return DataError(problem, field=field)


def text_of(value: Any, place: str) -> str:
    """The text of a value: text itself, a number, or the texts of a list of parts.

    >>> text_of([{"type": "text", "text": "Look:"}, {"type": "image"}, "here"], "content")
    'Look:\\nhere'
    """
    if value is None or isinstance(value, str | bool | int | float):
        return "" if value is None else str(value)
    if isinstance(value, list):
        return "\n".join(text for part in value if (text := _part_text(part)) is not None)
    text = _part_text(value)
    if text is None:
        held = fields(value) if isinstance(value, Mapping) else shorten(value)
        problem = f"received an object with {held}; name the field that holds text"
        raise DataError(problem, field=place)
    return text


def _part_text(value: Any) -> str | None:
    if isinstance(value, Mapping):
        value = next((value[name] for name in _PARTS if isinstance(value.get(name), str)), None)
    return value if isinstance(value, str) else None
