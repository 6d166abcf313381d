"""A word for the values of several flags: `--preset paper`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import Parameter
from typing import Annotated, Any, Literal

import typer

from assize.base.errors import ConfigError
from assize.cli.flags import Flag

OWN = "own"
"""The word for no preset."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Values of flags that are typed as one word; in Python they are written out.

    Args:
        word: that is typed.
        about: the flag's help.
        values: by parameter, what the preset decides: another value is refused beside it.
        otherwise: by parameter, its value where none is typed.
        needs: by parameter that must be typed, how many of it at least.
    """

    word: str
    about: str
    values: Mapping[str, Any] = field(default_factory=dict)
    otherwise: Mapping[str, Any] = field(default_factory=dict)
    needs: Mapping[str, int] = field(default_factory=dict)

    def parameter(self) -> Parameter:
        """Return the flag for the signature that typer reads."""
        words: Any = Literal[OWN, self.word]
        hint: Any = Annotated[words, typer.Option("--preset", help=self.about)]
        return Parameter("preset", Parameter.KEYWORD_ONLY, annotation=hint, default=OWN)

    def apply(self, typed: Mapping[str, Any], flags: Mapping[str, Flag]) -> dict[str, Any]:
        """Return what was typed with the preset's values.

        Raises:
            ConfigError: a value is typed that the preset decides, or one that it needs is not.
        """
        usual = {name: flags[name].back(None) for name in (*self.values, *self.otherwise)}
        for name, value in self.values.items():
            if typed[name] not in (usual[name], value):
                raise ConfigError(
                    f"{flags[name].written}: preset {self.word} decides that; leave one out"
                )
        for name, least in self.needs.items():
            value = typed[name]
            count = 0 if value is None else 1 if isinstance(value, str) else len(value)
            if count < least:
                several = "" if least == 1 else f" {least} times or more"
                raise ConfigError(f"preset {self.word}: give {flags[name].written}{several}")
        more = {name: value for name, value in self.otherwise.items() if typed[name] == usual[name]}
        return {**typed, **self.values, **more}
