"""Flags for the options of judges, made from their declarations in `judging.options`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from importlib import import_module
from typing import Any, get_args, get_origin, get_type_hints

import typer

from assize.cli.flags import Flag
from assize.judging.options import OPTIONS


def judge_options(*judges: str) -> list[Flag]:
    """A flag for each option of these judges, of all by default."""
    whose: dict[type, list[str]] = {}
    for judge in judges or OPTIONS:
        whose.setdefault(OPTIONS[judge], []).append(judge)
    return [flag for kind, names in whose.items() for flag in _flags(kind, names, bool(judges))]


def _flags(kind: type, judges: list[str], alone: bool) -> Iterator[Flag]:
    hints = get_type_hints(kind)
    for one in fields(kind):
        shown = _shown(one, "" if alone else f"{'@, '.join(judges)}@: ")
        yield Flag(one.name, _cli_type(hints[one.name]), shown, None, _given, option=True)


def _given(value: Any) -> Any:
    """The value, several as a tuple; None where none was typed."""
    if isinstance(value, list):
        return tuple(value) or None
    return None if value is False or value == "" else value


def _cli_type(hint: Any) -> Any:
    """A tuple is a flag that is repeated; no value is given where none is, whatever the default."""
    return (list[get_args(hint)[0]] if get_origin(hint) is tuple else hint) | None  # type: ignore[misc]


def _shown(one: Field[Any], prefix: str) -> Any:
    said = one.metadata
    default = "" if one.default in (None, (), False) else f"; {one.default} by default"
    names = [f"--{one.name.replace('_', '-')}", *([said["flag"]] if said["flag"] else [])]
    return typer.Option(
        *names,
        help=f"{prefix}{said['help']}{default}.",
        min=said["min"],
        autocompletion=None if said["values"] is None else _completion(said["values"]),
    )


def _completion(values: str) -> Callable[[str], list[str]]:
    def complete(text: str) -> list[str]:
        module, _, name = values.partition(":")
        return [one for one in getattr(import_module(module), name)() if one.startswith(text)]

    return complete
