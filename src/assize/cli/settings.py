"""Records of settings as the command line has them: parameters whose fields are flags."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from itertools import combinations
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import typer

from assize.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Settings:
    """A parameter that takes a record of settings, or one of several kinds of record.

    Args:
        name: of the parameter.
        kinds: of record.
        default: of the parameter; None where it does without the record.
        plain: str or bool, what may stand in place of the record; None for neither.
    """

    name: str
    kinds: Sequence[Any]
    default: Any
    plain: Any = None

    @property
    def words(self) -> dict[str, list[Any]]:
        """The kinds by the word that is typed for each: `rubicon` for a `Rubicon`, or its own."""
        words: dict[str, list[Any]] = {}
        for kind in self.kinds:
            words.setdefault(word_of(kind), []).append(kind)
        return words

    @property
    def fields(self) -> dict[str, Field[Any]]:
        """The fields of all kinds by name, each as the first kind has it.

        Of `Statistics` these are the fields that the function uses.
        """
        parts: dict[str, Field[Any]] = {}
        for kind in self.kinds:
            for part in fields(kind):
                parts.setdefault(part.name, part)
        used = getattr(self.default, "used", parts)
        return {name: part for name, part in parts.items() if name in used}

    @property
    def optional(self) -> bool:
        """Whether the parameter's name is a switch: no field must be typed to make the record."""
        parts = self.fields.values()
        return self.default is None and all(default_of(part) is not MISSING for part in parts)

    def usual(self, name: str) -> Any:
        """Return a field's default; None where there is none, or kinds have different ones."""
        values = [
            getattr(self.default, name) if type(self.default) is kind else default_of(part)
            for kind in self.kinds
            for part in fields(kind)
            if part.name == name
        ]
        same = all(value == values[0] for value in values)
        return values[0] if same and values[0] is not MISSING else None

    def make(self, typed: Mapping[str, Any], flags: Mapping[str, str]) -> Any:
        """Return the record that was typed, or what stands in its place; None without either.

        Of several kinds it is the one whose word was typed, else the first that has every field
        that was typed.

        Args:
            typed: values by field, and by parameter.
            flags: by field, as it is typed.

        Raises:
            ConfigError: a field was typed that the kind of record does not have.
            BadParameter: a field was not typed that the record needs.
        """
        chosen = {
            name: typed[name]
            for name in self.fields
            if name in typed and typed[name] != self.usual(name)
        }
        word = typed.get(self.name)
        if self.plain is not None and not chosen:
            return word
        if self.plain is str and word is not None:
            first = flags[next(iter(chosen))]
            raise ConfigError(f"{first} and {flags[self.name]} do not go together; leave one out")
        if self.default is None and not chosen and not word:
            return None
        kinds = self.words.get(str(word), self.kinds)
        kind = self._kind(kinds, chosen, flags)
        return replace(self.default, **chosen) if type(self.default) is kind else kind(**chosen)

    def _kind(
        self, kinds: Sequence[Any], chosen: Mapping[str, Any], flags: Mapping[str, str]
    ) -> Any:
        """The first kind that has all that was chosen, and is chosen all that it needs."""
        able = [kind for kind in kinds if chosen.keys() <= {part.name for part in fields(kind)}]
        lacking = [
            [
                part.name
                for part in fields(kind)
                if default_of(part) is MISSING and part.name not in chosen
            ]
            for kind in able
        ]
        for kind, names in zip(able, lacking, strict=True):
            if not names:
                return kind
        if able:
            needed = dict.fromkeys(flags[names[0]] for names in lacking)
            raise typer.BadParameter(f"name {' or '.join(needed)}")
        for name in chosen:
            if not _has(kinds, name):
                words = [word for word, able in self.words.items() if _has(able, name)]
                remedy = f"leave it out, or give {flags[self.name]} {' or '.join(words)}"
                raise ConfigError(f"{flags[name]}: {word_of(kinds[0])} has none; {remedy}")
        first, second = self._apart(kinds, list(chosen))
        raise ConfigError(f"{flags[first]} and {flags[second]} do not go together; leave one out")

    def _apart(self, kinds: Sequence[Any], chosen: Sequence[str]) -> tuple[str, str]:
        """Two of these fields that no kind has both of."""
        for pair in combinations(chosen, 2):
            if not any(all(_has([kind], name) for name in pair) for kind in kinds):
                return pair
        return chosen[0], chosen[1]


def default_of(part: Field[Any]) -> Any:
    """Return a field's default; MISSING where it has none."""
    return part.default if part.default_factory is MISSING else part.default_factory()


def _has(kinds: Sequence[Any], name: str) -> bool:
    return any(part.name == name for kind in kinds for part in fields(kind))


def word_of(kind: Any) -> str:
    """What is typed for a kind of record: its `word`, or its name."""
    return str(getattr(kind, "word", kind.__name__.lower()))


def settings_of(function: Callable[..., Any]) -> dict[str, Settings]:
    """Return the parameters of a function that take records of settings, by name.

    A tuple that Python may give in place of a record is not typed.
    """
    hints = get_type_hints(function, include_extras=True)
    settings = {}
    for parameter in inspect.signature(function).parameters.values():
        hint = hints.get(parameter.name)
        parts = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        kinds = [part for part in parts if isinstance(part, type) and is_dataclass(part)]
        plain = [part for part in parts if part in (str, bool)]
        passed = [part for part in parts if part is type(None) or get_origin(part) is tuple]
        if kinds and len(kinds) + len(plain) + len(passed) == len(parts):
            settings[parameter.name] = Settings(
                parameter.name, kinds, parameter.default, *plain[:1]
            )
    return settings
