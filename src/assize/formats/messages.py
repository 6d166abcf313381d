"""What the chat-log formats share: names of roles, ids for records without one, fields
that assize does not know, and the common beginning of two dialogues."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from assize.base.conversation import (
    ROLES,
    Conversation,
    Pair,
    Preference,
    Reference,
    Role,
    Turn,
)
from assize.base.errors import DataError, shorten
from assize.formats.records import Record, to_json
from assize.formats.rows import Row
from assize.formats.tool_calls import TOOL_FIELDS, openai_call, split_tool_fields

_Kind = TypeVar("_Kind", bound=Record)

ROLE_ALIASES: Mapping[str, Role] = {
    "user": "user",
    "human": "user",
    "prompter": "user",
    "customer": "user",
    "visitor": "user",
    "assistant": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "claude": "assistant",
    "model": "assistant",
    "bot": "assistant",
    "chatbot": "assistant",
    "ai": "assistant",
    "agent": "assistant",
    "function_call": "assistant",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
    "observation": "tool",
    "tool_response": "tool",
    "function_response": "tool",
}

RoleNames = Mapping[str, Role]
"""By a log's own name of a role, in lower case, the role."""
NO_NAMES: RoleNames = {}

_LONGEST_NAME = 30
# Where a format's own name of a role stands when assize has another one for it.
ROLE_NAME = "role_name"
# Where a message's fields stand that have the name of a turn's own field.
_CLASHING = "fields"
_OF_TURN = frozenset({"role", "text", "references", ROLE_NAME, _CLASHING})
_OF_TOOLS = TOOL_FIELDS | {"function_call"}
_OF_RECORD = frozenset(
    {"id", "turns", "context", "a", "b", "shared_user", "gold", "candidate", "references"}
    | {"conversation", "turn", "source", "system", "metadata", "item", "judge"}
)


def role(name: Any, field: str, names: RoleNames = NO_NAMES, *, skip: bool = False) -> Role:
    """Return the role behind any known name of it, in upper or lower case; `names` come first.

    `skip` says that the caller can leave messages out by the name of their role.

    >>> role("Human", "from")
    'user'
    """
    word = name.strip().lower() if isinstance(name, str) else None
    known = None if word is None else names.get(word, ROLE_ALIASES.get(word))
    if known is None:
        allowed = ", ".join(ROLE_ALIASES)
        problem = f"received {shorten(name)}; known names of roles are {allowed}"
        if word is not None and word.isidentifier() and len(word) <= _LONGEST_NAME:
            roles = f"{', '.join(ROLES)}{'; skip leaves the message out' if skip else ''}"
            problem += f"; say what it is with --roles {name}=ROLE ({roles})"
        raise DataError(problem, field=field)
    return known


def turn(
    name: Any,
    text: str,
    rest: Mapping[str, Any],
    field: str,
    usual: Collection[str],
    names: RoleNames = NO_NAMES,
) -> Turn:
    """Return a turn of a message; what the format needs to write it back stays in `extra`."""
    return make_turn(role(name, field, names), name, text, rest, field, usual)


def make_turn(
    known: Role, name: Any, text: str, rest: Mapping[str, Any], field: str, usual: Collection[str]
) -> Turn:
    """As `turn`, of a message whose role is known by now."""
    extra = dict(rest)
    sources: tuple[Reference, ...] = ()
    if not _OF_TURN.isdisjoint(rest):
        extra = {key: value for key, value in rest.items() if key not in _OF_TURN}
        clashing = {key: value for key, value in rest.items() if key in _OF_TURN}
        sources = tuple(_references(rest.get("references")))
        if sources:
            clashing.pop("references")
        if clashing:
            extra[_CLASHING] = clashing
    if name not in usual:
        extra[ROLE_NAME] = name
    if _OF_TOOLS.isdisjoint(extra):  # as in most messages
        return Turn(known, text, sources, extra)
    old_call = extra.get("function_call")  # from before a message could have several calls
    if isinstance(old_call, dict) and "tool_calls" not in extra:
        extra["tool_calls"] = [extra.pop("function_call")]
    tools, extra = split_tool_fields(extra, field.rpartition(".")[0])
    return Turn(known, text, sources, extra, **tools)


def _references(values: Any) -> Iterator[Reference]:
    """References as assize writes them; nothing where the field is something else."""
    if not isinstance(values, list) or not all(map(_is_reference, values)):
        return
    for value in values:
        rest = {key: part for key, part in value.items() if key not in ("id", "title", "text")}
        yield Reference(value["id"], value.get("title", ""), value.get("text", ""), rest)


def _is_reference(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("id"), str)
        and all(isinstance(value.get(key, ""), str) for key in ("title", "text"))
    )


def role_name(turn: Turn, usual: Mapping[Role, str]) -> str:
    """The name to write for a turn's role: the one it was read with, else the usual one."""
    name = turn.extra.get(ROLE_NAME)
    fits = isinstance(name, str) and ROLE_ALIASES.get(name.strip().lower()) == turn.role
    return str(name) if fits else usual[turn.role]


def message_fields(turn: Turn) -> dict[str, Any]:
    """A turn's further fields as its message had them, references among them."""
    fields = {key: value for key, value in turn.extra.items() if key not in (ROLE_NAME, _CLASHING)}
    clashing = turn.extra.get(_CLASHING)
    if isinstance(clashing, Mapping):
        fields |= clashing
    if turn.references:
        fields["references"] = [to_json(source) for source in turn.references]
    if turn.tool_calls:
        fields["tool_calls"] = [openai_call(call) for call in turn.tool_calls]
    named = {"tool_call_id": turn.tool_call_id, "name": turn.name}
    return {key: value for key, value in named.items() if value is not None} | fields


def object_at(value: Any, field: str) -> dict[str, Any]:
    """The value, which must be an object."""
    if not isinstance(value, dict):
        raise DataError(f"received {shorten(value)}; expected an object", field=field)
    return value


def list_at(value: Any, field: str) -> list[Any]:
    """The value, which must be a list that is not empty."""
    if not isinstance(value, list) or not value:
        raise DataError(f"received {shorten(value)}; expected a list of messages", field=field)
    return value


def text_at(value: Any, field: str) -> str:
    """The value, which must be text."""
    if not isinstance(value, str):
        raise DataError(f"received {shorten(value)}; expected text", field=field)
    return value


def record_id(row: Row, given: Any = None) -> str:
    """The id that a record came with, else the file's name and its line.

    >>> record_id(Row({}, "logs/day.jsonl.gz", 7)), record_id(Row({}, "day.csv", 7), 12)
    ('day-7', '12')
    """
    if given is not None and given != "":
        return str(given)
    name = "stdin" if row.source == "-" else Path(row.source).name
    return f"{name.partition('.')[0] or name}-{row.line}"


def split_metadata(
    row: Mapping[str, Any], used: Collection[str | None]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """`metadata`, with the fields called as a record's own, and `extra`: what no format uses."""
    given = row.get("metadata")
    metadata = dict(given) if isinstance(given, dict) else {}
    taken = {*used, "metadata"} if isinstance(given, dict) else used
    rest = {key: value for key, value in row.items() if key not in taken}
    extra = {key: value for key, value in rest.items() if key not in _OF_RECORD}
    return metadata | {key: value for key, value in rest.items() if key in _OF_RECORD}, extra


def add_extra(row: dict[str, Any], record: Conversation | Pair) -> dict[str, Any]:
    """The row with the record's metadata and what else was read beside it."""
    if record.metadata:
        row["metadata"] = dict(record.metadata)
    return row | {key: value for key, value in record.extra.items() if key not in row}


def only(record: Record, kind: type[_Kind], held: str) -> _Kind:
    """The record, which must be of the kind that a format holds; `held` says of which."""
    if not isinstance(record, kind):
        raise DataError(f"received a {type(record).__name__.lower()}; {held}")
    return record


def common_start(a: Sequence[Turn], b: Sequence[Turn]) -> int:
    """How many turns two dialogues share at their beginning, leaving each at least one."""
    longest = min(len(a), len(b)) - 1
    return next((i for i in range(longest) if a[i] != b[i]), longest)


def preferred(gold: Preference | Mapping[str, str] | None, format: str) -> Preference:
    """The preferred side of a pair, for formats that say it by position."""
    if gold == "A" or gold == "B":
        return gold
    raise DataError(
        f"received {shorten(gold)}; {format} can only say that A or B is better:"
        " write this pair in assize's own format",
        field="gold",
    )
