"""Flags for the options of judges, made from their declarations in `judging.options`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import Field, fields
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from assize.judging.options import OPTIONS


def takes_options(*judges: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The command with a flag for each option of these judges, of all by default.

    The command itself finds what the user gave in its keyword `options`.
    """

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        flags = [flag for judge in judges or OPTIONS for flag in _flags(judge, bool(judges))]

        @wraps(command)
        def run(**given: Any) -> None:
            chosen = {flag.name: given.pop(flag.name) for flag in flags}
            options = {
                name: tuple(value) if isinstance(value, list) else value
                for name, value in chosen.items()
                if value is not None and value is not False and value != []
            }
            command(**given, options=options)

        own = signature(command, eval_str=True)
        kept = [one for one in own.parameters.values() if one.name != "options"]
        run.__signature__ = own.replace(parameters=[*kept, *flags])  # type: ignore[attr-defined]
        return run

    return decorated


def _flags(judge: str, alone: bool) -> Iterator[Parameter]:
    kind = OPTIONS[judge]
    hints = get_type_hints(kind)
    for one in fields(kind):
        shown = _shown(one, "" if alone else f"{judge}@: ")
        hint: Any = Annotated[_cli_type(hints[one.name]), shown]
        default = False if hints[one.name] is bool else None
        yield Parameter(one.name, Parameter.KEYWORD_ONLY, annotation=hint, default=default)


def _cli_type(hint: Any) -> Any:
    """A tuple is a flag that is repeated; no value is given where none is, whatever the default."""
    if hint is bool:
        return bool
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
