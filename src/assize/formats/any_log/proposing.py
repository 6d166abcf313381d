"""What a log of no known format holds, and the mapping that it seems to need."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.base.errors import AssizeError
from assize.formats.any_log.mapped import mapped
from assize.formats.any_log.mapping import FieldMapping, parse_mapping
from assize.formats.any_log.paths import ABSENT, find, opened
from assize.formats.format import Options
from assize.formats.messages import ROLE_ALIASES
from assize.formats.rows import Row, Sample

_DEEPEST = 4
_SHOWN_FIELDS = 24
_LONGEST = 400  # characters of fields that a message shows
_NAME = 40  # characters of a field's path that a message shows
_NAMES = 24  # characters of an example
_MOST_ROLES = 6  # different words that one log may use for its speakers

_TEXT = ("text", "content", "message", "body", "utterance", "value", "msg", "said", "query")
_ROLE = (
    "role",
    "from",
    "speaker",
    "sender",
    "author",
    "type",
    "kind",
    "participant",
    "who",
    "direction",
    "name",
    "is_bot",
    "party",
)
_ID = (
    "conversation_id",
    "conversationid",
    "chat_id",
    "chatid",
    "session_id",
    "sessionid",
    "thread_id",
    "ticket_id",
    "dialogue_id",
    "dialog_id",
    "conversation",
    "ticket",
    "uuid",
    "id",
    "key",
)
_TURN = ("turn", "turn_id", "turn_index", "index", "position", "seq", "sequence", "order")
_TIME = ("timestamp", "created_at", "time", "sent_at", "date", "ts")
_USER = ("prompt", "question", "query", "instruction", "input", "user_message", "user", "request")
_ASSISTANT = (
    "response",
    "answer",
    "output",
    "completion",
    "reply",
    "assistant_message",
    "assistant",
    "bot_response",
    "generation",
    "model_output",
)
_SIDES = (
    ("_a", "_b"),
    ("_1", "_2"),
    ("_0", "_1"),
    ("1", "2"),
    ("a", "b"),
    ("A", "B"),
    ("_left", "_right"),
    ("_x", "_y"),
)
_GOLD = ("label", "winner", "preference", "preferred", "gold", "choice", "better", "verdict")
_CONTEXT = ("context", "history", "conversation", "messages", *_USER)
_CALLS = (
    "tool_calls",
    "toolcalls",
    "actions",
    "calls",
    "function_calls",
    "functions",
    "tool_uses",
    "tools_used",
    "invocations",
)
_CALL_IDS = ("call_id", "callid", "action_id", "tool_use_id", "call_ref", "invocation_id")
_SYSTEM = ("model", "bot", "bot_version", "model_name", "version", "system")
_PEOPLE = (
    "customer",
    "client",
    "human",
    "user",
    "visitor",
    "guest",
    "caller",
    "patient",
    "student",
    "member",
    "inbound",
    "incoming",
    "buyer",
    "person",
    "end",
)
_BOTS = (
    "bot",
    "agent",
    "assistant",
    "ai",
    "model",
    "support",
    "operator",
    "advisor",
    "rep",
    "outbound",
    "outgoing",
    "tutor",
    "clerk",
    "seller",
    "service",
    "llm",
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mapping that reads the sample.

    Args:
        map, roles: as they are typed; `roles` is "" where none are needed.
        records: how many records the sample gives with them, and of which kind in words.
        gold: a field that seems to say which side is better, in words that are not known.
    """

    map: str
    roles: str
    records: str
    gold: str | None = None

    def command(self, source: str) -> str:
        """The command line that tries it."""
        words = ["assize", "check", source, "--map", self.map]
        return shlex.join([*words, *(["--roles", self.roles] if self.roles else [])])

    def told(self, source: str) -> str:
        """What to type, or to write in Python where it is no file."""
        more = f', roles="{self.roles}"' if self.roles else ""
        python = f'assize.read(..., map="{self.map}"{more})'
        command = f"{self.command(source)}  (in Python {python})" if _is_typed(source) else python
        if self.gold is None:
            return command
        return f"{command}; to read {self.gold} too, add gold={self.gold},gold:VALUE=A,gold:VALUE=B"


def _is_typed(source: str) -> bool:
    """Whether it is what a command line names, and no argument of a function."""
    return source == "-" or "://" in source or os.path.exists(source)


def seen(sample: Sample) -> list[str]:
    """The fields of the first records, each with its type and the beginning of an example.

    >>> seen(Sample("json", ({"who": {"id": 7}, "said": [{"t": "Hi"}]},), "log.jsonl"))
    ['who.id (number 7)', 'said (list of 1)', "said.*.t (text 'Hi')"]
    """
    found: dict[str, str] = {}
    for row in sample.rows:
        for path, value in _walk(opened(row), ""):
            found.setdefault(path, _example(value))
    told: list[str] = []
    for path, example in found.items():
        if len(told) == _SHOWN_FIELDS or sum(map(len, told)) > _LONGEST:
            return [*told, f"and {len(found) - len(told)} more"]
        name = ascii(path)[1:-1]
        told.append(f"{name if len(name) <= _NAME else name[:_NAME] + '...'} ({example})")
    return told


def _walk(value: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The paths of a value that lead to no object, with what stands there."""
    value = opened(value)
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for name, inner in value.items():
            yield from _walk(inner, f"{path}.{name}" if path else str(name), depth + 1)
        return
    yield path, value
    if isinstance(value, list) and value and depth < _DEEPEST:
        kinds = [opened(one) for one in value[:3]]
        for one in kinds:
            if isinstance(one, Mapping):
                yield from _walk(one, f"{path}.*" if path else "*", depth + 1)


def _example(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"number {value}"[:_NAMES]
    if isinstance(value, str):
        text = ascii(value)
        return f"text {text if len(text) <= _NAMES else text[: _NAMES - 4] + '...' + text[0]}"
    if isinstance(value, list):
        return f"list of {len(value)}"
    return "empty" if value is None else "object"


def proposal(sample: Sample) -> Proposal | None:
    """The first mapping, of those that the fields suggest, by which the sample can be read."""
    rows = [opened(row) for row in sample.rows]
    whole = [row for row in rows if isinstance(row, Mapping)]
    if not whole or len(whole) < len(rows):
        return None
    ways = (_of_lists(whole), _of_pairs(whole), _of_messages(whole), _of_exchanges(whole))
    for parts in (part for way in ways for part in way):
        tried = _tried(parts, whole, sample.source)
        if tried is not None:
            return tried
    return None


def _tried(parts: dict[str, str], rows: Sequence[Any], source: str) -> Proposal | None:
    if any(
        not path.isprintable() or set(path) & set(",=|") or len(path) > 2 * _NAME
        for path in parts.values()
    ):
        return None
    text = ",".join(f"{target}={path}" for target, path in parts.items())
    names = _speakers(parts, rows)
    if names is None:
        return None
    roles = ",".join(f"{name}={role}" for name, role in names.items())
    try:
        records = list(_read(parse_mapping(text, roles or None), rows, source))
    except AssizeError:
        return None
    if not records or not all(_speaks(one) for one in records):
        return None
    kind = type(records[0]).__name__.lower()
    gold = None if "a" not in parts or "gold" in parts else _gold_field(rows)
    return Proposal(text, roles, f"{len(records)} {kind}{'s' if len(records) != 1 else ''}", gold)


def _read(mapping: FieldMapping, rows: Sequence[Any], source: str) -> Iterable[Any]:
    form = mapped(mapping)
    given = (Row(value, source, place + 1) for place, value in enumerate(rows))
    options = Options(roles=mapping.roles)
    for row in given if form.gather is None else form.gather(given, options):
        yield from form.parse(row, options)


def _speaks(record: Any) -> bool:
    """Whether anything is said."""
    parts = [getattr(record, name, ()) for name in ("turns", "a", "b")]
    return any(turn.text.strip() for part in parts for turn in part)


def _speakers(parts: Mapping[str, str], rows: Sequence[Any]) -> dict[str, str] | None:
    """What the log's own names of roles mean; None where they are no names of roles."""
    if "role" not in parts:
        return {}
    path = f"{parts['turns']}.*.{parts['role']}" if "turns" in parts else parts["role"]
    found: dict[str, None] = {}
    for row in rows:
        value = find(row, path)
        for one in value if isinstance(value, list) else [] if value is ABSENT else [value]:
            word = str(one).strip().lower()
            if isinstance(one, dict | list) or not word or set(word) & set(",="):
                return None
            if not word.isprintable():
                return None
            found.setdefault(word)
    unknown = [word for word in found if word not in ROLE_ALIASES]
    if not found or len(found) > _MOST_ROLES:
        return None
    return _guessed(
        unknown, {ROLE_ALIASES[word] for word in found if word in ROLE_ALIASES}, parts["role"]
    )


def _guessed(unknown: Sequence[str], known: set[str], field: str) -> dict[str, str]:
    """Who is who: by the words, else the first to speak is the user."""
    names: dict[str, str] = {}
    bot = any(mark in field.lower() for mark in ("bot", "assistant", "is_ai"))
    taken = set(known)
    for word in unknown:
        role = _by_word(word, bot)
        if role is None:
            role = next((one for one in ("user", "assistant") if one not in taken), "tool")
        names[word] = role
        taken.add(role)
    return names


def _by_word(word: str, bot: bool) -> str | None:
    if word in ("true", "false", "0", "1"):
        yes = word in ("true", "1")
        return "assistant" if yes == bot else "user"
    if "system" in word or "instruction" in word:
        return "system"
    if any(mark in word for mark in _BOTS):
        return "assistant"
    if any(mark in word for mark in _PEOPLE):
        return "user"
    return "tool" if "tool" in word or "function" in word else None


def _of_lists(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """A list of messages in every row."""
    lists = [path for path, value in _walk(rows[0], "") if isinstance(value, list) and path]
    for path in lists:
        if "*" in path:
            continue
        items = [
            one
            for row in rows
            if isinstance(find(row, path), list | str)
            for one in _elements(find(row, path))
        ]
        if items and all(isinstance(one, str) for one in items) and len(items) > len(rows):
            yield {**_beside(rows), "turns": path}
        whole = [one for one in items if isinstance(one, Mapping)]
        if whole:
            for role, text in _role_and_text(whole):
                named = {"role": role, "text": text, **_tools(whole)}
                yield {**named, **_beside(rows), "turns": path}


def _tools(messages: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The fields of calls and of which call a message answers, by names of the log's own."""
    found: dict[str, str] = {}
    for path, value in (one for message in messages for one in _walk(message, "")):
        name = path.rpartition(".")[2].lower()
        if isinstance(value, list) and name in _CALLS and path != "tool_calls":
            found.setdefault("tool_calls", path)
        if isinstance(value, str | int) and "*" not in path and name in _CALL_IDS:
            found.setdefault("tool_call_id", path)
    return found


def _elements(value: Any) -> list[Any]:
    value = opened(value)
    return value if isinstance(value, list) else []


def _role_and_text(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Fields that may be who speaks and what is said, the likeliest first."""
    texts = _ranked(rows, _TEXT, lambda one: isinstance(one, str))
    roles = _ranked(rows, _ROLE, lambda one: isinstance(one, str | bool))
    for text in texts[:3]:
        for role in roles[:4]:
            if role != text and len({str(find(row, role)) for row in rows}) <= _MOST_ROLES:
                yield role, text


def _ranked(rows: Sequence[Mapping[str, Any]], names: Sequence[str], fits: Any) -> list[str]:
    """The paths whose last or first part is such a name, in the order of the names."""
    found: dict[str, int] = {}
    for path, value in _walk(rows[0], ""):
        parts = [part.lower() for part in path.split(".")]
        if "*" in parts or not fits(value):
            continue
        places = [
            names.index(part) + (0 if part == parts[-1] else len(names))
            for part in (parts[-1], parts[0])
            if part in names
        ]
        if places:
            found[path] = min(places)
    return sorted(found, key=found.__getitem__)


def _beside(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The id and the system, where there are fields of such names."""
    named: dict[str, str] = {}
    for target, names in (("id", _ID), ("system", _SYSTEM)):
        ways = _ranked(rows, names, lambda one: isinstance(one, str | int) and one != "")
        if ways:
            named[target] = ways[0]
    return named


def _of_pairs(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """Two fields of one name but for the side, and a label."""
    keys = list(rows[0])
    for key in keys:
        for one, other in _SIDES:
            partner = key[: -len(one)] + other
            if not key.endswith(one) or partner not in rows[0]:
                continue
            texts = [find(row, name) for row in rows for name in (key, partner)]
            if not all(isinstance(value, str | list) for value in texts):
                continue
            if not any(mark in key.lower() for mark in (*_ASSISTANT, "chat", "dialog", "conv")):
                continue
            parts = {"a": key, "b": partner}
            context = next((name for name in keys if name.lower() in _CONTEXT), None)
            gold = _gold_field(rows)
            parts |= {} if context is None else {"context": context}
            named = {name: path for name, path in _beside(rows).items() if name == "id"}
            if gold is not None:
                yield {**parts, "gold": gold, **named}
                yield {**parts, "gold": gold, **_numbered(rows, gold, one, other), **named}
            yield {**parts, **named}


def _gold_field(rows: Sequence[Mapping[str, Any]]) -> str | None:
    return next((name for name in rows[0] if name.lower() in _GOLD and name.isprintable()), None)


def _numbered(rows: Sequence[Mapping[str, Any]], gold: str, one: str, other: str) -> dict[str, str]:
    """What preferences that are the numbers of the sides mean: 1 for `response_1`, by `gold:1=A`.

    {} where one of them is anything else.
    """
    sides = {one.strip("_"): "A", other.strip("_"): "B", "tie": "tie"}
    words = {str(value).strip() for row in rows if (value := find(row, gold)) not in (ABSENT, None)}
    meanings = {word: sides.get(word.lower().removesuffix(".0")) for word in words if word}
    if None in meanings.values():
        return {}
    known = {word: side for word, side in sides.items() if word != "tie"} | meanings
    return {f"gold:{word}": str(side) for word, side in sorted(known.items())}


def _of_messages(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """A message in every row."""
    named = _beside(rows)
    named_so = _ranked(rows, _ID, lambda one: isinstance(one, str | int))
    several = {path: len({str(find(row, path)) for row in rows}) for path in named_so}
    ids = [path for path in named_so if several[path] < len(rows) or len(rows) == 1]
    if not ids:
        return
    order = _ranked(rows, _TURN, lambda one: isinstance(one, int | str))
    time = _ranked(rows, _TIME, lambda one: isinstance(one, int | float | str))
    more = {"turn": order[0]} if order else {"time": time[0]} if time else {}
    if "system" in named:
        more["system"] = named["system"]
    for role, text in _role_and_text(rows):
        yield {"role": role, "text": text, "id": ids[0], **more}
        yield {"role": role, "text": text, "id": ids[0]}


def _of_exchanges(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """A question and its answer in every row."""

    def text(one: Any) -> bool:
        return isinstance(one, str)

    mapping, answered = _ranked(rows, _USER, text), _ranked(rows, _ASSISTANT, text)
    if mapping and answered and mapping[0] != answered[0]:
        yield {"user": mapping[0], "assistant": answered[0], **_beside(rows)}
