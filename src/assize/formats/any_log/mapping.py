"""What a caller says of a log: where its fields stand, and what its names of roles mean."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from assize.base.arguments import did_you_mean, shown
from assize.base.conversation import ROLES, Role
from assize.base.depth import parse_toml
from assize.base.errors import ConfigError

Map = str | os.PathLike[str] | Mapping[str, Any]
"""Which field is what: `role=author.role,text=payload.text`, a dict of these, or a file
`map.toml`, which may hold the roles too."""

Roles = str | Mapping[str, str]
"""What names of roles mean: `customer=user,agent=assistant`, or a dict. `event=skip` leaves out
messages of a role, `none=skip` those without one."""

SKIP = "skip"  # in place of a role: messages of this name are left out
NO_ROLE = "none"  # the name of a role for messages that have none

Columns = Literal["question", "rater", "question-rater", "rater-question"]
"""What the columns with answers are in a table of ratings where no column names the rater."""

TARGETS: Mapping[str, str] = {
    "id": "the id of the conversation, pair or continuation",
    "turns": "the messages of a conversation, as a list or as a transcript in one text",
    "role": "who says a message",
    "text": "what the message says",
    "tool_calls": "the tools that a message calls, a list or one call",
    "tool_call_id": "the call that a tool's message answers",
    "tool": "the name of the tool that answers",
    "turn": "the number of a message, where every row is one",
    "time": "when a message was sent, where every row is one",
    "user": "what the user said, where a row is a question and its answer",
    "assistant": "the answer to it",
    "system_prompt": "the assistant's instructions, as text",
    "system": "who answers: the model, or the version of the bot",
    "context": "what was said before: messages, or a prompt",
    "a": "the first of two responses",
    "b": "the second of two responses",
    "gold": "which of them is better",
    "candidate": "a next turn that is to be scored",
    "references": "what people said in its place",
    "conversation": "the conversation that a continuation is from",
    "source": "who wrote the candidate",
}
_PREFIXES = {"metadata": "metadata.", "raters": "rater.", "judges": "judge.", "gold": "gold:"}
ALL = "*"  # in place of a rater's or judge's name: the field holds an object of votes by name


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """A mapping, or none.

    Args:
        fields: by target, the path at which it stands; see `TARGETS`.
        metadata: by the name that it gets, the path of a further field.
        raters, judges: by the name of a person or a model, the path of its vote between a pair's
            sides; by `ALL`, that of an object of votes by name.
        gold: by how a log writes it, which side is meant: A, B or tie.
        roles: by a log's name of a role, in lower case, the role.
        skipped: the names of roles, in lower case, whose messages are left out.
        columns: what the columns of a table of ratings are; None where they are to be recognised.
        item: the column of such a table that names what was rated; None likewise.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    raters: Mapping[str, str] = field(default_factory=dict)
    judges: Mapping[str, str] = field(default_factory=dict)
    gold: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    skipped: frozenset[str] = frozenset()
    columns: Columns | None = None
    item: str | None = None

    @property
    def maps(self) -> bool:
        """Whether it says where fields stand."""
        return bool(self.fields or self.further)

    @property
    def further(self) -> Mapping[str, str]:
        """By target, the paths of metadata and votes."""
        return {
            f"{prefix}{name}": path
            for kind, prefix in _PREFIXES.items()
            if kind != "gold"
            for name, path in getattr(self, kind).items()
        }

    @property
    def settings(self) -> dict[str, Any]:
        """As it was asked for, for the record of a run; {} for none."""
        parts = {**self.fields, **self.further}
        parts |= {f"{_PREFIXES['gold']}{word}": side for word, side in self.gold.items()}
        of_ratings = {"columns": self.columns, "item": self.item}
        parts |= {name: value for name, value in of_ratings.items() if value is not None}
        settings: dict[str, Any] = {"map": parts} if parts else {}
        roles = {**self.roles, **dict.fromkeys(sorted(self.skipped), SKIP)}
        return settings | ({"roles": roles} if roles else {})


NO_MAPPING = FieldMapping()


def parse_mapping(map: Map | None = None, roles: Roles | None = None) -> FieldMapping:
    """Return what a caller says of a log's fields and names of roles; `NO_MAPPING` for nothing.

    Raises:
        ConfigError: it names no known target, or a role that is none; the file cannot be read.

    >>> parse_mapping("text=body.text", "agent=assistant").roles
    {'agent': 'assistant'}
    """
    names: dict[str, Any] = {}
    parts: Mapping[str, Any] = {}
    if isinstance(map, Mapping):
        parts = map
    elif isinstance(map, os.PathLike) or (
        map is not None and "=" not in map and map.strip().endswith(".toml")
    ):
        parts = _read_toml(Path(map))
        names = dict(parts.pop("roles", {}))
    elif map is not None:
        parts = _parse_words(map, "map", "role=author.role,text=payload.text, or a file map.toml")
    if roles is not None:
        names |= _parse_words(roles, "roles", "customer=user") if isinstance(roles, str) else roles
    for name, role in names.items():
        if role not in (*ROLES, SKIP):
            allowed = ", ".join((*ROLES, SKIP))
            raise ConfigError(f"roles: received {shown(role)} for {name}; allowed are {allowed}")
    known = {str(name).strip().lower(): role for name, role in names.items()}
    return replace(
        _parse_parts(_flatten(parts)),
        roles={name: cast(Role, role) for name, role in known.items() if role != SKIP},
        skipped=frozenset(name for name, role in known.items() if role == SKIP),
    )


def _parse_parts(parts: dict[str, Any]) -> FieldMapping:
    columns = parts.pop("columns", None)
    if columns not in (None, *get_args(Columns)):
        allowed = ", ".join(get_args(Columns))
        raise ConfigError(f"map: received {shown(columns)} for columns; allowed are {allowed}")
    kinds: dict[str, dict[str, Any]] = {"fields": {}, **{kind: {} for kind in _PREFIXES}}
    for target, path in parts.items():
        if not isinstance(path, str) or not path.strip():
            raise ConfigError(f"map: received {shown(path)} for {target}; give the path of a field")
        kind = next((kind for kind, start in _PREFIXES.items() if target.startswith(start)), None)
        if kind is None and target not in (*TARGETS, "item"):
            named = "metadata.NAME, rater.NAME, judge.NAME, columns and item"
            known = f"{', '.join(TARGETS)}, {named}"
            near = did_you_mean(target, TARGETS)
            raise ConfigError(f"map: there is no {target!r}; {near}there are {known}")
        if kind == "gold" and path not in ("A", "B", "tie"):
            raise ConfigError(f"map: received {target}={path}; a preference is A, B or tie")
        name = target if kind is None else target.removeprefix(_PREFIXES[kind])
        kinds[kind or "fields"][name] = path.strip()
    item = kinds["fields"].pop("item", None)
    return FieldMapping(
        kinds["fields"],
        kinds["metadata"],
        kinds["raters"],
        kinds["judges"],
        kinds["gold"],
        columns=columns,
        item=item,
    )


def _read_toml(path: Path) -> dict[str, Any]:
    """The tables of a file; one called `map` holds what may also stand at the top."""
    try:
        tables = parse_toml(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"map: {path} cannot be read ({error.strerror or error})") from error
    except ValueError as error:
        raise ConfigError(f"map: {path} is no TOML ({error})") from error
    for name in ("roles", "map"):
        if not isinstance(tables.get(name, {}), Mapping):
            raise ConfigError(f"map: {path}: {name} is a table, as [{name}] in a line of its own")
    inner = tables.pop("map", {})
    return {**tables, **inner}


def _flatten(tables: Mapping[str, Any]) -> dict[str, Any]:
    """Tables in tables by their dotted names: `[metadata]` with `version` as metadata.version."""
    parts: dict[str, Any] = {}
    for name, value in tables.items():
        if isinstance(value, Mapping):
            start = _PREFIXES.get(name, f"{name}.")
            parts |= {f"{start}{inner}": part for inner, part in _flatten(value).items()}
        else:
            parts[str(name)] = value
    return parts


def _parse_words(text: str, argument: str, example: str) -> dict[str, str]:
    """The names and values of `name=value,name=value`."""
    words: dict[str, str] = {}
    for part in filter(str.strip, text.split(",")):
        name, _, value = map(str.strip, part.partition("="))
        if not (name and value):
            raise ConfigError(f"{argument}: received {shown(part.strip())}; give {example}")
        if name in words:
            raise ConfigError(f"{argument}: {name} is given twice")
        words[name] = value
    if not words:
        raise ConfigError(f"{argument}: received {shown(text)}; give {example}")
    return words
