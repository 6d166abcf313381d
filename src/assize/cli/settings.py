"""Records of settings as the command line has them: parameters whose fields are flags."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import typer

from assize.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Settings:
    """A parameter that takes a record of settings, or one of several kinds of record.

    Args:
        name: of the parameter.
        kinds: of record, by the word that is typed for each: `rubicon` for a `Rubicon`.
        default: of the parameter; None where it does without the record.
    """

    name: str
    kinds: Mapping[str, Any]
    default: Any

    @property
    def fields(self) -> dict[str, Field[Any]]:
        """The fields of all kinds by name, each as the first kind has it."""
        parts: dict[str, Field[Any]] = {}
        for kind in self.kinds.values():
            for part in fields(kind):
                parts.setdefault(part.name, part)
        return parts

    @property
    def optional(self) -> bool:
        """Whether the parameter's name is a switch: no field must be typed to make the record."""
        parts = self.fields.values()
        return self.default is None and all(part.default is not MISSING for part in parts)

    def usual(self, name: str) -> Any:
        """Return a field's default; None where there is none, or kinds have different ones."""
        values = [
            getattr(self.default, name) if type(self.default) is kind else part.default
            for kind in self.kinds.values()
            for part in fields(kind)
            if part.name == name
        ]
        same = all(value == values[0] for value in values)
        return values[0] if same and values[0] is not MISSING else None

    def make(self, typed: Mapping[str, Any], flags: Mapping[str, str]) -> Any:
        """Return the record that was typed; None where none was, and none is needed.

        Args:
            typed: values by field, and by parameter.
            flags: by field, as it is typed.

        Raises:
            ConfigError: a field was typed that the kind of record does not have.
            BadParameter: a field was not typed that the record needs.
        """
        word = typed[self.name] if len(self.kinds) > 1 else next(iter(self.kinds))
        kind = self.kinds[word]
        own = {part.name: part for part in fields(kind)}
        chosen = {
            name: typed[name]
            for name in self.fields
            if name in typed and typed[name] != self.usual(name)
        }
        if self.default is None and not chosen and not typed.get(self.name):
            return None
        for name in chosen:
            if name not in own:
                raise ConfigError(f"{flags[name]}: {word} has none; leave it out")
        for name, part in own.items():
            if part.default is MISSING and name not in chosen:
                raise typer.BadParameter(f"name {flags[name]}")
        return replace(self.default, **chosen) if type(self.default) is kind else kind(**chosen)


def settings_of(function: Callable[..., Any]) -> dict[str, Settings]:
    """Return the parameters of a function that take records of settings, by name."""
    hints = get_type_hints(function, include_extras=True)
    settings = {}
    for parameter in inspect.signature(function).parameters.values():
        hint = hints.get(parameter.name)
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = [kind for kind in parts if kind is not type(None)]
        if kinds and all(isinstance(kind, type) and is_dataclass(kind) for kind in kinds):
            words = {kind.__name__.lower(): kind for kind in kinds}
            settings[parameter.name] = Settings(parameter.name, words, parameter.default)
    return settings
