"""The mapping that a log of no known format seems to need."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain
from typing import Any

from assize.base.errors import AssizeError
from assize.formats.any_log.field_list import LOOKED_AT, MOST_WORDS, walk_fields
from assize.formats.any_log.mapped import read_mapped
from assize.formats.any_log.mapping import NO_ROLE, SKIP, parse_mapping
from assize.formats.any_log.paths import find
from assize.formats.messages import ROLE_ALIASES
from assize.formats.rows import Row, Sample, parse_json_text
from assize.formats.transcripts import SPEAKERS, find_labels

_LONGEST_ID = 40  # characters of an id whose field has no usual name
_SIDES = frozenset({"user", "assistant"})

# By target, what logs call it, the likeliest first; `*` stands for any beginning.
_USUAL: Mapping[str, Sequence[str]] = {
    "text": ["text", "content", "message", "body", "utterance", "value", "msg", "said", "query"],
    "role": [
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
    ],
    "id": [
        "conversation_id",
        "chat_id",
        "session_id",
        "thread_id",
        "ticket_id",
        "dialogue_id",
        "dialog_id",
        "conversation",
        "ticket",
        "uuid",
        "id",
        "key",
    ],
    "turn": ["turn", "turn_id", "turn_index", "index", "position", "seq", "sequence", "order"],
    "time": ["timestamp", "created_at", "time", "sent_at", "date", "ts"],
    "system": ["model", "bot", "bot_version", "model_name", "version", "*build", "system"],
    "tool_calls": [
        "toolcalls",
        "actions",
        "calls",
        "function_calls",
        "functions",
        "tool_uses",
        "tools_used",
    ],
    "tool_call_id": ["call_id", "action_id", "tool_use_id", "call_ref", "invocation_id"],
}
# By role, words in what logs call it.
_WORDS: Mapping[str, Sequence[str]] = {
    "system": ("system", "instruction"),
    "assistant": [
        "bot",
        "agent",
        "assistant",
        "helper",
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
        "true",
    ],
    "user": [
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
        "false",
    ],
    "tool": ("tool", "function"),
}


@dataclass(frozen=True, slots=True)
class Proposal:
    """A mapping that reads the sample.

    Args:
        map, roles: as they are typed; `roles` is "" where none are needed.
        records: how many records the sample gives with them, and of which kind in words.
    """

    map: str
    roles: str
    records: str

    def format_command(self, source: str) -> str:
        """What to type, or to write in Python where the source is no file."""
        more = f', roles="{self.roles}"' if self.roles else ""
        python = f'assize.read(..., map="{self.map}"{more})'
        if source != "-" and "://" not in source and not os.path.exists(source):
            return python
        words = ["assize", "check", source, "--map", self.map]
        command = shlex.join([*words, *(["--roles", self.roles] if self.roles else [])])
        return f"{command}  (in Python {python})"


def propose_mapping(sample: Sample) -> Proposal | None:
    """The first mapping, of those that the fields suggest, by which the sample can be read: as
    lists of messages, as a message a row, or as transcripts. Messages without a role are left out
    where no mapping reads all."""
    rows = [parse_json_text(row) for row in sample.rows]
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        return None
    candidates = [*_lists_of_messages(rows), *_message_rows(rows), *_transcripts(rows)]
    for skip in ("", f"{NO_ROLE}={SKIP}"):
        for parts in candidates:
            proposal = _try_mapping(parts, rows, sample.source, skip)
            if proposal is not None:
                return proposal
    return None


def _try_mapping(
    parts: dict[str, str], rows: Sequence[Any], source: str, skip: str
) -> Proposal | None:
    """A mapping by which the rows can be read, most of them with words of both sides."""
    typed = all(path.isprintable() and set(path).isdisjoint(",=|") for path in parts.values())
    roles = _guess_roles(parts, rows) if typed else None
    if roles is None:
        return None
    roles = ",".join(filter(None, (roles, skip)))
    map = ",".join(f"{target}={path}" for target, path in parts.items())
    numbered = (Row(value, source, index + 1) for index, value in enumerate(rows))
    try:
        records = read_mapped(numbered, parse_mapping(map, roles or None))
    except AssizeError:
        return None
    sides = [
        {turn.role for turn in getattr(record, "turns", ()) if turn.text.strip()}
        for record in records
    ]
    if 2 * sum(roles_heard >= _SIDES for roles_heard in sides) <= len(records):
        return None
    return Proposal(map, roles, f"{len(records)} conversation{'s' if len(records) != 1 else ''}")


def _guess_roles(parts: Mapping[str, str], rows: Sequence[Any]) -> str | None:
    """What the log's own names of roles mean; None where they are no names of roles."""
    path = parts.get("role", "")
    if not path:
        return _guess_speakers([find(row, parts["turns"]) for row in rows])
    words: dict[str, None] = {}
    firsts: Counter[str] = Counter()  # in how many lists a word stands first
    laters: Counter[str] = Counter()  # and in how many further on
    for row in rows:
        found = find(row, f"{parts['turns']}.*.{path}" if "turns" in parts else path)
        values = found if isinstance(found, list) else [found]
        for value in values:
            word = str(value).strip().lower()
            readable = isinstance(value, str | bool) and word.isprintable()
            if not readable or set(word) & set(",="):
                return None
            words.setdefault(word)
        speakers = [str(value).strip().lower() for value in values]
        firsts.update(speakers[:1])
        laters.update(set(speakers[1:]))
    if not 0 < len(words) <= MOST_WORDS or "" in words:
        return None
    roles: dict[str, str | None] = {word: ROLE_ALIASES.get(word) for word in words}
    unknown = [word for word, role in roles.items() if role is None]
    for word in unknown:
        kinds = (role for role, marks in _WORDS.items() if any(mark in word for mark in marks))
        free = (role for role in ("user", "assistant") if role not in roles.values())
        roles[word] = next(chain(kinds, free), "tool")
    events = [
        word for word, role in roles.items() if role == "system" and laters[word] > firsts[word]
    ]
    roles |= dict.fromkeys(events, SKIP)
    statements = dict.fromkeys([*unknown, *events])
    return ",".join(f"{word}={roles[word]}" for word in statements)


def _guess_speakers(transcripts: Sequence[Any]) -> str:
    """What the speakers of most transcripts mean that are not known without being named."""
    counts: Counter[str] = Counter()
    for text in transcripts:
        labels = find_labels(text) if isinstance(text, str) else ()
        counts.update(list(dict.fromkeys(map(str.lower, labels))))
    roles = {
        label: side
        for label, count in counts.items()
        if label not in SPEAKERS and 2 * count > len(transcripts) and (side := _side_of(label))
    }
    return ",".join(f"{label}={side}" for label, side in roles.items())


def _lists_of_messages(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """A list of messages in every row."""
    of_rows = _id_and_system(rows)
    for path, value in walk_fields(rows[0], ""):
        if not isinstance(value, list) or "*" in path:
            continue
        lists = [parse_json_text(find(row, path)) for row in rows]
        messages = [one for part in lists if isinstance(part, list) for one in part]
        if messages and all(isinstance(text, str) for text in messages):
            yield {**of_rows, "turns": path}
        objects = [message for message in messages if isinstance(message, Mapping)]
        tools = {
            target: name
            for target in ("tool_calls", "tool_call_id")
            for message in objects
            for name in _rank([message], target)[:1]
        }
        for fields in _role_and_text(objects):
            yield {**fields, **tools, **of_rows, "turns": path}


def _message_rows(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """A message in every row."""
    ids = _rank(rows, "id")
    if len(rows) > 1:
        ids = [path for path in ids if len({str(find(row, path)) for row in rows}) < len(rows)]
    order = [(target, path) for target in ("turn", "time") for path in _rank(rows, target)]
    further = dict([*order[:1], *(("system", path) for path in _rank(rows, "system")[:1])])
    for fields in _role_and_text(rows) if ids else ():
        for named in (further, {}):
            yield {**fields, "id": ids[0], **named}


def _transcripts(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """A transcript in every row."""
    for path, value in walk_fields(rows[0], ""):
        if isinstance(value, str) and "*" not in path:
            yield {**_id_and_system(rows, but=path), "turns": path}


def _id_and_system(rows: Sequence[Mapping[str, Any]], but: str = "") -> dict[str, str]:
    """Where a row's id and its system seem to stand, which is not the field `but`."""
    ranked = {target: _rank(rows, target) for target in ("id", "system")}
    paths = {
        target: next((path for path in fields if path != but), None)
        for target, fields in ranked.items()
    }
    if paths["id"] is None and len(rows) > 1:
        paths["id"] = next((path for path in _first_values(rows) if _is_id(rows, path)), None)
    return {target: path for target, path in paths.items() if path is not None}


def _is_id(rows: Sequence[Mapping[str, Any]], path: str) -> bool:
    """Whether every row has a short word of its own in a field."""
    values = [find(row, path) for row in rows]
    words = {
        str(value)
        for value in values
        if isinstance(value, str | int) and len(str(value).split()) == 1
    }
    return len(words) == len(rows) and max(map(len, words)) <= _LONGEST_ID


def _role_and_text(rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    """Fields that may be who speaks and what is said, the likeliest first."""
    for text in _rank(rows, "text")[:3] or _longest_text(rows):
        for role in _rank_roles(rows)[:4]:
            if role != text:
                yield {"role": role, "text": text}


def _longest_text(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The path with the most words, where there is one; none where each text is a word."""
    counts = Counter[str]()
    for row in rows[:LOOKED_AT]:
        for path, text in walk_fields(row, ""):
            counts[path] += len(text.split()) if isinstance(text, str) else 0
    path = max(counts, key=counts.__getitem__, default="")
    return [path] if counts[path] > len(rows[:LOOKED_AT]) else []


def _rank_roles(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The paths that may be who speaks: those whose values are known words for more of the two
    sides first, then by name."""
    sides: dict[str, int] = {}
    for path, value in _first_values(rows).items():
        if isinstance(value, str) and "*" not in path:
            words = {str(find(row, path)).strip().lower() for row in rows}
            sides[path] = len({_side_of(word) for word in words} & _SIDES)
    named = _rank(rows, "role")
    others = [path for path, count in sides.items() if count == len(_SIDES) and path not in named]
    return sorted([*named, *others], key=lambda path: -sides.get(path, 0))


def _side_of(word: str) -> str | None:
    """The role that a word is known to stand for, as a whole."""
    if word in ("true", "false"):
        return None  # they answer many a question
    usual = ROLE_ALIASES.get(word)
    return usual or next((role for role, marks in _WORDS.items() if word in marks), None)


def _first_values(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """By path, what stands there first in some rows that is not null."""
    values: dict[str, Any] = {}
    for row in rows[:LOOKED_AT]:
        for path, value in walk_fields(row, ""):
            if value is not None:
                values.setdefault(path, value)
    return values


def _rank(rows: Sequence[Mapping[str, Any]], target: str) -> list[str]:
    """The paths whose last or first part is a usual name of a target, in the order of the names."""
    names = [name.replace("_", "") for name in _USUAL[target]]
    ranks: dict[str, int] = {}
    for path, value in _first_values(rows).items():
        parts = path.lower().replace("_", "").split(".")
        is_inside = "*" in parts and target != "text"  # texts of a list are joined
        if is_inside or isinstance(value, list) != (target == "tool_calls"):
            continue
        for part, penalty in ((parts[0], len(names)), (parts[-1], 0)):
            matches = (index for index, name in enumerate(names) if fnmatchcase(part, name))
            rank = next(matches, None)
            if rank is not None:
                ranks[path] = rank + penalty
    return sorted(ranks, key=ranks.__getitem__)
