"""Messages of any shape as turns: who says them, and what."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from assize.base.conversation import Role, Turn
from assize.base.errors import DataError, shorten
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.paths import ABSENT, describe_missing, fields, find, opened, without
from assize.formats.messages import role, turn
from assize.formats.tool_calls import compact_json

# What messages usually call these, where a mapping does not say.
ROLE = "role|from|speaker|sender|author|type"
TEXT = "text|content|value|message|body|utterance"
_USUAL = ("user", "assistant", "system", "tool")
# By the target of a mapping, the field of a turn.
_OF_TOOLS = {"tool_calls": "tool_calls", "tool_call_id": "tool_call_id", "tool": "name"}
TOOLS = frozenset(_OF_TOOLS)
MESSAGE = TOOLS | {"role", "text"}  # targets that a message holds, and not its conversation
_TURNS = ("turns", "context", "a", "b")  # of assize's own records
_PARTS = ("text", "content", "value")


def turns_of(
    value: Any, at: str, mapping: FieldMapping, alone: Role | None = None
) -> tuple[Turn, ...]:
    """The turns of a list of messages; texts alone alternate, the user first.

    Args:
        at: where it stands, for errors.
        alone: who says it where it is one text.
    """
    value = opened(value)
    if isinstance(value, str) and alone is not None:
        return (Turn(alone, value),)
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, list) or not value:
        expected = "a list of messages" if alone is None else "text or a list of messages"
        raise DataError(f"received {shorten(value)}; expected {expected}", field=at)
    if all(isinstance(one, str) for one in value):
        return _alternating(value, alone)
    return tuple(one_turn(one, f"{at}[{place}]", mapping) for place, one in enumerate(value))


def _alternating(texts: list[str], alone: Role | None) -> tuple[Turn, ...]:
    first: Role = "assistant" if alone == "assistant" else "user"
    other: Role = "user" if first == "assistant" else "assistant"
    return tuple(Turn(other if place % 2 else first, one) for place, one in enumerate(texts))


def one_turn(
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
    value = opened(value)
    if not isinstance(value, Mapping):
        raise DataError(f"received {shorten(value)}; expected a message", field=place or None)
    named, text = mapping.fields.get("role"), mapping.fields.get("text")
    who, what = find(value, named or ROLE), find(value, text or TEXT)
    tools = _of_tools(value, mapping)
    if what is ABSENT and (tools.get("tool_calls") or value.get("tool_calls")):
        what = ""
    for path, found, target in ((named, who, "role"), (text, what, "text")):
        if found is ABSENT:
            raise _missing(value, path, target, place)
    used = [named or ROLE, text or TEXT, *([] if shared is None else _own(mapping))]
    used += [mapping.fields[name] for name in _OF_TOOLS if name in mapping.fields]
    rest = dict(value)
    for path in used:
        rest = without(rest, path)
    rest |= tools
    if shared is not None:
        kept = {key: one for key, one in rest.items() if key not in shared or key in tools}
        rest = {key: one for key, one in kept.items() if one not in (None, "")}
    at = ".".join(part for part in (place, named or "role") if part)
    name = str(who).lower() if isinstance(who, bool) else who
    name = str(name) if isinstance(name, int | float) else name
    said_at = f"{place}.{text or 'text'}".lstrip(".")
    words = _result(what) if _is_tool(name, at, mapping) else None
    return turn(
        name, text_of(what, said_at) if words is None else words, rest, at, _USUAL, mapping.roles
    )


def _of_tools(value: Mapping[str, Any], mapping: FieldMapping) -> dict[str, Any]:
    """What the mapping names of calls and results, by the names of a turn's fields."""
    named = {_OF_TOOLS[one]: mapping.fields[one] for one in _OF_TOOLS if one in mapping.fields}
    found = {name: opened(find(value, path)) for name, path in named.items()}
    found = {name: one for name, one in found.items() if one not in (ABSENT, None, "")}
    if isinstance(calls := found.get("tool_calls"), Mapping):
        found["tool_calls"] = [calls]
    if isinstance(number := found.get("tool_call_id"), int):
        found["tool_call_id"] = str(number)
    return found


def _is_tool(name: Any, at: str, mapping: FieldMapping) -> bool:
    try:
        return role(name, at, mapping.roles) == "tool"
    except DataError:
        return False  # told where the turn is made


def _result(value: Any) -> str | None:
    """What a tool returned, as JSON where it is data and no text; None where it is text."""
    if isinstance(value, Mapping) and _part(value) is None:
        return compact_json(value)
    if isinstance(value, list) and any(_part(one) is None for one in value):
        return compact_json(value)
    return None


def _own(mapping: FieldMapping) -> list[str]:
    """The paths that stand for the conversation, or only say where a message belongs."""
    named = [path for target, path in mapping.fields.items() if target not in MESSAGE]
    return [*named, *mapping.metadata.values()]


def _missing(value: Mapping[str, Any], path: str | None, target: str, place: str) -> DataError:
    if path is None:
        problem = f"no field here is the {target}: there are {fields(value)}; say {target}=FIELD"
        return DataError(f"{problem} in --map", field=place or None)
    field = ".".join(part for part in (place, path) if part)
    return DataError(
        f"{describe_missing(value, path)} (the mapping has {target}={path})", field=field
    )


def text_of(value: Any, at: str) -> str:
    """The text of a value: text itself, a number, or the texts of a list of parts.

    >>> text_of([{"type": "text", "text": "Look:"}, {"type": "image"}, "here"], "content")
    'Look:\\nhere'
    """
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return str(value)
    if isinstance(value, list):
        return "\n".join(part for one in value if (part := _part(one)) is not None)
    part = _part(value)
    if part is not None:
        return part
    held = fields(value) if isinstance(value, Mapping) else shorten(value)
    raise DataError(f"received an object with {held}; name the field that holds text", field=at)


def _part(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        return None
    return next((value[name] for name in _PARTS if isinstance(value.get(name), str)), None)


def renamed(value: Any, roles: Mapping[str, Role]) -> Any:
    """A record of assize's own with its turns' roles by their names here; the log's own word is
    kept as `speaker`.

    >>> renamed({"turns": [{"role": "Pat", "text": "Hi"}]}, {"pat": "user"})["turns"]
    [{'role': 'user', 'text': 'Hi', 'speaker': 'Pat'}]
    """
    if not isinstance(value, Mapping):
        return value
    parts = {name: value[name] for name in _TURNS if isinstance(value.get(name), list)}
    return {
        **value,
        **{name: [_called(one, roles) for one in part] for name, part in parts.items()},
    }


def _called(one: Any, roles: Mapping[str, Role]) -> Any:
    name = one.get("role") if isinstance(one, Mapping) else None
    role = roles.get(name.strip().lower()) if isinstance(name, str) else None
    return one if role is None or role == name else {**one, "role": role, "speaker": name}
