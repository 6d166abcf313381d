"""What a caller says of a log: where its fields stand, and what its names of roles mean."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, cast, get_args

from assize.base.arguments import shown
from assize.base.conversation import ROLES, Role
from assize.base.errors import ConfigError

Map = str | os.PathLike[str] | Mapping[str, Any]
"""Which field is what: `role=author.role,text=payload.text`, a dict of these, or a file
`map.toml`, which may hold the roles too."""

Roles = str | Mapping[str, str]
"""What names of roles mean: `customer=user,agent=assistant`, or a dict."""

Columns = Literal["question", "rater", "question-rater", "rater-question"]
"""What the columns with answers are in a table of ratings where no column names the rater."""

TARGETS: Mapping[str, str] = {
    "id": "the id of the conversation, pair or continuation",
    "turns": "the list of messages of a conversation",
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
_METADATA, _GOLD, _COLUMNS = "metadata.", "gold:", "columns"


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """A mapping, or none.

    Args:
        fields: by target, the path at which it stands; see `TARGETS`.
        metadata: by the name that it gets, the path of a further field.
        gold: by how a log writes it, which side is meant: A, B or tie.
        roles: by a log's name of a role, in lower case, the role.
        columns: what the columns of a table of ratings are; None where they are to be recognised.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)
    gold: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, Role] = field(default_factory=dict)
    columns: Columns | None = None

    @property
    def maps(self) -> bool:
        """Whether it says where fields stand."""
        return bool(self.fields or self.metadata)

    @property
    def settings(self) -> dict[str, Any]:
        """As it was asked for, for the record of a run; {} for none."""
        parts = dict(self.fields)
        parts |= {f"{_METADATA}{name}": path for name, path in self.metadata.items()}
        parts |= {f"{_GOLD}{name}": side for name, side in self.gold.items()}
        if self.columns is not None:
            parts[_COLUMNS] = self.columns
        settings: dict[str, Any] = {"map": parts} if parts else {}
        return settings | ({"roles": dict(self.roles)} if self.roles else {})


NO_MAPPING = FieldMapping()


def parse_mapping(map: Map | None = None, roles: Roles | None = None) -> FieldMapping:
    """Return what a caller says of a log's fields and names of roles; `NO_MAPPING` for nothing.

    Raises:
        ConfigError: it names no known target, or a role that is none; the file cannot be read.

    >>> parse_mapping("text=body.text", "agent=assistant").roles
    {'agent': 'assistant'}
    """
    if map is None and roles is None:
        return NO_MAPPING
    mapping, names = (NO_MAPPING, {}) if map is None else _parsed(map)
    own = {} if roles is None else _roles(roles)
    return replace(mapping, roles={**_roles(names), **own})


def _parsed(given: Map) -> tuple[FieldMapping, Mapping[str, Any]]:
    """The mapping, and the roles that stand in its file."""
    names: Mapping[str, Any] = {}
    if isinstance(given, Mapping):
        parts = _flat(given)
    elif isinstance(given, os.PathLike) or _is_file(given):
        parts, names = _file(Path(given))
    else:
        parts = _pairs(given, "map", "role=author.role,text=payload.text, or a file map.toml")
    found: dict[str, dict[str, Any]] = {"fields": {}, "metadata": {}, "gold": {}}
    columns = _columns(parts.pop(_COLUMNS, None))
    for target, path in parts.items():
        kind, name = _target(target)
        if not isinstance(path, str) or not path.strip():
            raise ConfigError(f"map: received {shown(path)} for {target}; give the path of a field")
        if kind == "gold" and path not in ("A", "B", "tie"):
            raise ConfigError(f"map: received {target}={path}; a preference is A, B or tie")
        found[kind][name] = path.strip()
    return FieldMapping(**found, columns=columns), names


def _columns(value: object) -> Columns | None:
    """Return what the columns of a table of ratings are."""
    if value is None:
        return None
    if value not in get_args(Columns):
        allowed = ", ".join(get_args(Columns))
        raise ConfigError(f"map: received {shown(value)} for columns; allowed are {allowed}")
    return cast(Columns, value)


def _target(written: str) -> tuple[str, str]:
    if written.startswith(_METADATA) and len(written) > len(_METADATA):
        return "metadata", written.removeprefix(_METADATA)
    if written.startswith(_GOLD) and len(written) > len(_GOLD):
        return "gold", written.removeprefix(_GOLD)
    if written in TARGETS:
        return "fields", written
    known = ", ".join(TARGETS)
    raise ConfigError(f"map: there is no {written!r}; there are {known}, metadata.NAME and columns")


def _is_file(text: str) -> bool:
    return "=" not in text and text.strip().endswith(".toml")


def _file(path: Path) -> tuple[dict[str, Any], Mapping[str, Any]]:
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"map: {path} cannot be read ({error.strerror or error})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"map: {path} is no TOML ({error})") from error
    names = said.pop("roles", {})
    if not isinstance(names, Mapping):
        raise ConfigError(f'map: {path}: roles is a table, as [roles] with customer = "user"')
    inner = said.pop("map", {})
    return _flat({**said, **(inner if isinstance(inner, Mapping) else {"map": inner})}), names


def _flat(given: Mapping[str, Any]) -> dict[str, Any]:
    """Tables in tables by their dotted names: `[metadata]` with `version` as metadata.version."""
    found: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            mark = _GOLD if name == "gold" else f"{name}."
            found |= {f"{mark}{inner}": one for inner, one in _flat(value).items()}
        else:
            found[str(name)] = value
    return found


def _pairs(text: str, argument: str, example: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for one in text.split(","):
        name, equals, value = (part.strip() for part in one.partition("="))
        if not one.strip():
            continue
        if not (name and equals and value):
            raise ConfigError(f"{argument}: received {shown(one.strip())}; give {example}")
        if name in found:
            raise ConfigError(f"{argument}: {name} is given twice")
        found[name] = value
    if not found:
        raise ConfigError(f"{argument}: received {shown(text)}; give {example}")
    return found


def _roles(given: Roles | Mapping[str, Any]) -> dict[str, Role]:
    names = _pairs(given, "roles", "customer=user") if isinstance(given, str) else given
    found: dict[str, Role] = {}
    for name, role in names.items():
        if role not in ROLES:
            allowed = ", ".join(ROLES)
            raise ConfigError(f"roles: received {shown(role)} for {name}; allowed are {allowed}")
        found[str(name).strip().lower()] = cast(Role, role)
    return found
