"""A command made of a function: its parameters are the options, its docstring the help.

    command = from_function(agree, "assize agree people.jsonl run/", arguments=["judgments"])

The function's result is shown: its tables, or what `to_json` gives. To add a command, write
the function, a file beside this one with such a line, and a row of the table in `__init__`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from inspect import Parameter
from typing import Annotated, Any

import typer

from assize.base.errors import AssizeError, ConfigError, DataError, Stopped
from assize.cli.flags import INPUTS, RUN, Flag, about, flags_of
from assize.cli.inputs import READING, count_rejects, open_inputs, save_rejects
from assize.cli.options import FailOnDrop, Json, MaxUnscored, Quiet, Report
from assize.cli.preset import OWN, Preset
from assize.cli.settings import settings_of
from assize.cli.terminal import (
    Told,
    check_unscored,
    command_line,
    note,
    print_json,
    print_notes,
    print_result,
)
from assize.results import Result

Show = Callable[[Any, Told], None]
_FACE = {
    **READING,
    "report": (Report, None),
    "max_unscored": (MaxUnscored, 5.0),
    "fail_on_drop": (FailOnDrop, False),
    "json": (Json, False),
    "quiet": (Quiet, False),
}
"""Options of the command line itself, with what they are when they are not given."""


@dataclass(frozen=True, slots=True)
class Mode:
    """A flag with which a command calls another function, of the same options.

    Args:
        flag: `--dry-run`.
        about: its help.
        function: what is called.
        value: the parameter that takes the flag's value; None for a flag without one.
        metavar: what stands for the value in the help.
        of_plan: whether the function takes the plan of the command's own function, with the flag's
            value behind it where that is no parameter of the command's function.
        report: whether `--report` writes the page of its result.
    """

    flag: str
    about: str
    function: Callable[..., Any]
    value: str | None = None
    metavar: str | None = None
    of_plan: bool = False
    report: bool = False

    @property
    def name(self) -> str:
        """As a parameter."""
        return self.flag.lstrip("-").replace("-", "_") + "_"

    def parameter(self) -> Parameter:
        """For the signature that typer reads."""
        kind: Any = bool if self.value is None else str | None
        shown = typer.Option(self.flag, help=self.about, metavar=self.metavar, rich_help_panel=RUN)
        usual = False if self.value is None else None
        hint: Any = Annotated[kind, shown]
        return Parameter(self.name, Parameter.KEYWORD_ONLY, annotation=hint, default=usual)


def from_function(
    function: Callable[..., Any],
    example: str,
    *,
    call: Callable[..., Any] | None = None,
    arguments: Sequence[str] = (),
    named: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
    metavars: Mapping[str, str] | None = None,
    complete: Mapping[str, Callable[[], Iterable[str]]] | None = None,
    required: Collection[str] = (),
    report: bool = False,
    unscored: bool = False,
    drops: bool = False,
    makers: Mapping[str, Callable[..., Any]] | None = None,
    preset: Preset | None = None,
    modes: Sequence[Mode] = (),
    show: Show = print_result,
    failed: Callable[[Any], bool] = lambda result: False,
    alarm: Callable[[Any], str | None] = lambda result: None,
) -> Callable[..., None]:
    """The command that calls the function with what was typed, and shows its result.

    A function that asks models is run by its plan, which says itself where it was stopped; its
    command has `--dry-run`.

    Args:
        example: a command line for the help.
        call: what is called in its place, with the same arguments.
        arguments: parameters that are typed without a name.
        named: by parameter, its flags where they are not its own name: `--judge -j`.
        hidden: parameters that Python alone has; `reproduce` is filled in.
        metavars, complete: by parameter, what stands for its value, and gives the words that it may
            be.
        required: parameters that must be typed, though Python need not give them.
        report: whether `--report` writes the result's page.
        unscored: whether `--max-unscored` decides the exit code by the result's `missing`.
        drops: whether the result has an `alarm` that ends the command with 1 if `--fail-on-drop` is
            given.
        makers: by parameter the function that makes its value: its own parameters are flags.
        preset: a word for the values of several flags.
        modes: flags with which other functions are called.
        show: prints the result on stdout, unless `--json` is given or `--out -` has it.
        failed: whether what the result says ends the command with 2.
        alarm: a sentence where what the result says ends the command with 1.
    """
    how = (dict(named or {}), dict(metavars or {}), dict(complete or {}))
    modes = [*_dry_run(function), *modes]
    flags = [
        replace(one, usual=Parameter.empty) if one.name in required else one
        for one in flags_of(function, arguments, *how, makers)
        if one.name not in hidden
    ]
    own = {flag.name: flag for flag in flags}
    written = {
        value.name: value.annotation
        for maker in (function, *(makers or {}).values())
        for value in inspect.signature(maker).parameters.values()
    }
    written |= {
        name: part.type
        for settings in settings_of(function).values()
        for name, part in settings.fields.items()
    }
    inputs = [name for name, hint in written.items() if INPUTS.match(str(hint))]
    shows = {"report": report, "max_unscored": unscored, "fail_on_drop": drops}
    shows |= dict.fromkeys(READING, bool(inputs))
    face = [name for name in _FACE if shows.get(name, True) and name not in hidden]

    def run(**given: Any) -> None:
        chosen = {name: unset for name, (_, unset) in _FACE.items()}
        chosen |= {name: given.pop(name) for name in face}
        called = {one.name: given.pop(one.name) for one in modes}
        word = given.pop("preset") if preset is not None else OWN
        mode = next((one for one in modes if called[one.name]), None)
        for flag in flags if mode is None else ():
            if flag.usual is Parameter.empty and given[flag.name] is None:
                without = " or ".join(one.flag for one in modes)  # which make it optional
                only = f"; only {without} can do without" if flag.name in required else ""
                raise typer.BadParameter(f"name {flag.written}{only}")
        stopped: Stopped | None = None
        told = Told(chosen["quiet"], given, {name: chosen[name] for name in READING})
        to_stdout = mode is None and given.get("out") == "-"
        if to_stdout and chosen["json"]:
            raise ConfigError("--json and --out - cannot both go to stdout; give --out a file")
        if chosen["report"] is not None:
            _check_report(mode)
        with told.notes():
            typed = {name: own[name].back(value) for name, value in given.items()}
            if mode is not None and not mode.of_plan:
                _refuse_unused(mode, flags, {**given, **told.reading}, makers or {})
            if mode is not None and mode.value is not None:
                typed[mode.value] = called[mode.name]
            if preset is not None and word != OWN:
                typed = preset.apply(typed, own)
            typed |= {"quiet": told.quiet, "reproduce": command_line()}
            with _as_typed(own):
                opened = open_inputs(typed, inputs, told.reading)
                with save_rejects(opened, given.get("out")):
                    try:
                        result = _result(
                            function, call or function, mode, typed | opened, own, makers or {}
                        )
                    except Stopped as error:
                        if not isinstance(error.partial, Result):
                            raise
                        stopped, result = error, error.partial
            final = replace(told, rejects=count_rejects(opened))
            if chosen["report"] is not None:
                final.page(result, chosen["report"])
            final.say(result.unfinished if stopped is None else ())
            if chosen["json"]:
                print_json(result.to_json())
            elif to_stdout:
                print_notes(result, final)
            else:
                (show if mode is None else print_result)(result, final)
        if stopped is not None:
            raise stopped
        if result.interrupted:
            raise typer.Exit(130)
        if unscored and mode is None:
            missing, total = result.missing
            check_unscored(missing, total, chosen["max_unscored"])
        if failed(result):
            raise typer.Exit(2)
        problem = result.alarm if chosen["fail_on_drop"] else alarm(result)
        if problem is not None:
            note(problem)
            raise typer.Exit(1)

    shown = [one.parameter(optional=bool(modes)) for one in flags if one.name not in face]
    shown += [] if preset is None else [preset.parameter()]
    shown += [one.parameter() for one in modes]
    shown += [
        Parameter(name, Parameter.KEYWORD_ONLY, annotation=_FACE[name][0], default=_FACE[name][1])
        for name in face
    ]
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__doc__ = f"{about(function, flags)}\n\nExample: [bold]{example}[/bold]"
    # For whoever holds the command against its function.
    run.made_of, run.modes = function, tuple(modes)  # type: ignore[attr-defined]
    run.makers = dict(makers or {})  # type: ignore[attr-defined]
    run.preset = preset  # type: ignore[attr-defined]
    return run


def _result(
    function: Callable[..., Any],
    call: Callable[..., Any],
    mode: Mode | None,
    typed: Mapping[str, Any],
    flags: Mapping[str, Flag],
    makers: Mapping[str, Callable[..., Any]],
) -> Any:
    """What the command's function, or that of a mode, gives for what was typed."""
    if mode is not None and not mode.of_plan:
        return mode.function(**_taken(mode.function, typed, flags, makers))
    taken = _taken(function, typed, flags, makers)
    plan = getattr(function, "plan", None)
    if plan is None:
        return call(**taken)
    if mode is None:
        return plan(**taken).outcome()
    behind = [] if mode.value is None or mode.value in taken else [typed[mode.value]]
    return mode.function(plan(**taken), *behind)


def _refuse_unused(
    mode: Mode,
    flags: Sequence[Flag],
    values: Mapping[str, Any],
    makers: Mapping[str, Callable[..., Any]],
) -> None:
    """Refuse what was typed and the mode's function does not take.

    Raises:
        ConfigError: such an option was typed.
    """
    names = set(inspect.signature(mode.function).parameters)
    for record in settings_of(mode.function).values():
        names |= {record.name, *record.fields}
    for name in names & makers.keys():
        names |= inspect.signature(makers[name]).parameters.keys()
    unused = [
        flag.written
        for flag in flags
        if flag.name not in names and values.get(flag.name) not in (None, [], flag.usual)
    ]
    if not any(INPUTS.match(hint) for hint in _written_types(mode.function)):
        unused += [
            f"--{name.replace('_', '-')}"
            for name, (_, usual) in READING.items()
            if values.get(name) != usual
        ]
    if unused:
        raise ConfigError(f"{unused[0]} and {mode.flag} do not go together; leave one out")


def _written_types(function: Callable[..., Any]) -> list[str]:
    """The types of a function's parameters as its source has them."""
    parameters = inspect.signature(function).parameters.values()
    return [str(parameter.annotation) for parameter in parameters]


def _dry_run(function: Callable[..., Any]) -> list[Mode]:
    """The flag that only estimates, for a function that asks models."""
    if not hasattr(function, "plan"):
        return []
    about = "Print how many calls it would take and what they would cost, and stop."
    return [Mode("--dry-run", about, lambda plan: plan.estimate(), of_plan=True)]


@contextmanager
def _as_typed(flags: Mapping[str, Flag]) -> Iterator[None]:
    """Errors name options as they are typed: `--leave-out` for what Python calls `leave_out`."""
    options = {name: f"--{name.replace('_', '-')}" for name in READING}
    options |= {name: flag.written for name, flag in flags.items() if flag.flags}
    try:
        yield
    except AssizeError as error:
        if isinstance(error, DataError):
            error.problem = _with_flags(error.problem, options)
        elif len(error.args) == 1 and isinstance(error.args[0], str):
            carried = getattr(error, "parameters", ())
            error.args = (_with_flags(error.args[0], options, carried),)
        raise


def _with_flags(text: str, options: Mapping[str, str], carried: Collection[str] = ()) -> str:
    """The text with parameters as flags: those that the error carries; else where it opens with
    one, before `=`, and those of several words anywhere, which are no words of English.

    >>> _with_flags("leave_out: x; give by=, not by", {"leave_out": "--leave-out", "by": "--by"})
    '--leave-out: x; give --by, not by'
    >>> _with_flags("votes is 3; give 1 or 2", {"votes": "--votes"}, ["votes"])
    '--votes is 3; give 1 or 2'
    """
    for name, flag in options.items():
        own = rf"(?<![\w.\-/'\"]){re.escape(name)}(?![\w\-./'\"])"
        if "_" in name or name in carried:
            text = re.sub(rf"{own}=?", flag, text)
        else:
            text = re.sub(rf"^{own}(?=:)|{own}=(?! in Python)(?=[\s,;.)]|$)", flag, text)
    return text


def _check_report(mode: Mode | None) -> None:
    """Says before any work what stands in the way of a page.

    Raises:
        ConfigError: the mode has none.
        MissingExtra: charts cannot be drawn.
    """
    from assize.pages.drawing import require

    if mode is not None and not mode.report:
        raise ConfigError(f"--report and {mode.flag} do not go together; leave one out")
    require()


def _taken(
    call: Callable[..., Any],
    typed: Mapping[str, Any],
    flags: Mapping[str, Flag],
    makers: Mapping[str, Callable[..., Any]],
) -> dict[str, Any]:
    """What the function takes of all that was typed, records and what is made of it included.

    Raises:
        BadParameter: something that it needs was not.
    """
    parameters = inspect.signature(call).parameters
    arguments = {name: value for name, value in typed.items() if name in parameters}
    written = {name: flag.written for name, flag in flags.items()}
    arguments |= {
        name: record.make(typed, written)
        for name, record in settings_of(call).items()
        if name not in makers
    }
    for name, make in makers.items():
        if name in parameters:
            parts = inspect.signature(make).parameters
            arguments[name] = make(**{part: typed[part] for part in parts if part in typed})
    for name, parameter in parameters.items():
        if parameter.default is Parameter.empty and arguments.get(name) is None:
            raise typer.BadParameter(f"name {flags[name].written if name in flags else name}")
    return arguments
