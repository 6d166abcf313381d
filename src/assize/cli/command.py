"""A command made of a function: its parameters are the options, its docstring the help.

    command = from_function(agree, "assize agree people.jsonl run/", arguments=["judgments"])

The function's result is shown: its tables, or what `to_json` gives. To add a command, write
the function, a file beside this one with such a line, and a row of the table in `__init__`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter
from typing import Any

from assize.cli.flags import about, flags_of
from assize.cli.options import Json, MaxUnscored, Quiet, Report
from assize.cli.terminal import Told, check_unscored, print_json, print_result

Show = Callable[[Any, Told], None]
_FACE = {"report": Report, "max_unscored": MaxUnscored, "json": Json, "quiet": Quiet}
_UNSET = {"report": None, "max_unscored": 5.0, "json": False, "quiet": False}


def from_function(
    function: Callable[..., Any],
    example: str,
    *,
    arguments: Sequence[str] = (),
    named: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
    required: Collection[str] = (),
    metavars: Mapping[str, str] | None = None,
    complete: Mapping[str, Callable[[str], list[str]]] | None = None,
    report: bool = False,
    unscored: bool = False,
    show: Show = print_result,
) -> Callable[..., None]:
    """The command that calls the function with what was typed, and shows its result.

    Args:
        example: a command line for the help.
        arguments: parameters that are typed without a name.
        named: by parameter, its flags where they are not its own name: `--judge -j`.
        hidden: parameters that Python alone has.
        required: parameters that may be left out in Python alone.
        metavars, complete: by parameter, what stands for its value, and what completes it.
        report: whether `--report` writes the result's page.
        unscored: whether `--max-unscored` decides the exit code by the result's `missing`.
        show: prints the result on stdout, unless `--json` is given.
    """
    more = (dict(named or {}), dict(metavars or {}), dict(complete or {}))
    flags = [
        replace(one, usual=Parameter.empty) if one.name in required else one
        for one in flags_of(function, arguments, *more)
        if one.name not in hidden
    ]
    own = {one.name: one for one in flags}
    without = {*(() if report else ("report",)), *(() if unscored else ("max_unscored",))}
    face = [name for name in _FACE if name not in without]

    def run(**given: Any) -> None:
        chosen = {**_UNSET, **{name: given.pop(name) for name in face}}
        told = Told(chosen["quiet"], given)
        if "quiet" in inspect.signature(function).parameters:
            given["quiet"] = chosen["quiet"]
        with told.notes():
            result = function(
                **{name: own[name].back(value) if name in own else value
                   for name, value in given.items()}
            )  # fmt: skip
            if chosen["report"] is not None:
                told.page(result, chosen["report"])
            if chosen["json"]:
                print_json(result.to_json())
            else:
                show(result, told)
        if unscored:
            missing, total = result.missing
            check_unscored(missing, total, chosen["max_unscored"])

    shown = [one.parameter() for one in flags if one.name not in face]
    shown += [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=_FACE[name], default=_UNSET[name])
        for name in face
    ]
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__doc__ = f"{about(function, flags)}\n\nExample: [bold]{example}[/bold]"
    run.made_of = function  # type: ignore[attr-defined]
    return run
