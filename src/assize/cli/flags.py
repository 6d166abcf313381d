"""The options of a command, read off a function's parameters, their types and their docstring."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from inspect import Parameter
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import typer
from typer.models import ArgumentInfo

from assize.base.errors import ConfigError
from assize.cli.settings import Settings, settings_of, word_of

INPUTS = re.compile(r"(Mapping\[str, )?(Items|Judgments)Like\b")  # what is read
_FILES = re.compile(r"(ItemsLike|JudgmentsLike|Topics)\b")  # what is typed as files


INPUT, MODELS, RUN, OUTPUT = "Input", "Judges and models", "Run", "Output"  # headings of a help
PANELS = {
    **dict.fromkeys(
        (
            "base_url",
            "concurrency",
            "timeout",
            "requests_per_minute",
            "tokens_per_minute",
            "temperature",
            "prices",
            "truncate",
            "invisible",
            "prompts",
        ),
        MODELS,
    ),
    **dict.fromkeys(("max_cost", "retry", "record", "batch", "no_cache"), RUN),
}
"""Headings under which options of how models are asked (`Asking`) stand in every command."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One parameter as the command line has it.

    Args:
        name: of the parameter.
        kind: what typer reads.
        shown: how it is written, with its help.
        usual: what it is when it is not given.
        back: from what typer read to what the function takes.
    """

    name: str
    kind: Any
    shown: Any
    usual: Any
    back: Callable[[Any], Any] = field(default=lambda value: value)

    @property
    def written(self) -> str:
        """As a message names it."""
        return str(self.shown.metavar if isinstance(self.shown, ArgumentInfo) else self.flags[0])

    @property
    def flags(self) -> list[str]:
        """As it is typed; none for what stands without a name."""
        # In `Annotated` typer takes the first flag for the default.
        found = [self.shown.default, *(self.shown.param_decls or ())]
        return [one for one in found if isinstance(one, str)]

    def parameter(self, *, optional: bool = False) -> Parameter:
        """For the signature that typer reads; `optional` where a mode may do without it."""
        needed = self.usual is Parameter.empty
        hint: Any = Annotated[self.kind | None if needed and optional else self.kind, self.shown]
        usual = None if needed and optional else self.usual
        return Parameter(self.name, Parameter.KEYWORD_ONLY, annotation=hint, default=usual)


def about(function: Callable[..., Any], flags: Sequence[Flag]) -> str:
    """The docstring above its sections, as a help text: parameters are named as flags, and a
    paragraph is a line, which the terminal breaks."""
    text = inspect.getdoc(function) or ""
    whole = re.split(r"\n\n(?=(?:Args|Returns|Yields|Raises|Source|Example)\b|>>>)", text)[0]
    lines = re.sub(r"(?<!\n)\n(?![\n -])", " ", whole.strip())
    return _as_flags(lines, [flag.name for flag in flags])


def _as_flags(text: str, names: Sequence[str]) -> str:
    """The text with each parameter in backticks as it is typed: `gold` as --gold."""
    pattern = rf"`({'|'.join(map(re.escape, names))})`"
    return re.sub(pattern, lambda found: _flag(found[1]), text) if names else text


def _flag(name: str) -> str:
    return f"--{name.rstrip('_').replace('_', '-')}"


def arguments_of(documented: Any) -> dict[str, str]:
    """What the docstring says of each parameter, or field: a first sentence, and its default."""
    text = inspect.getdoc(documented) or ""
    _, _, section = text.partition("Args:\n")
    section = re.split(r"\n(?=\S)", section)[0]  # another section begins
    found: dict[str, str] = {}
    for entry in re.findall(r"^ {4}(\S[^\n]*(?:\n {8}[^\n]*)*)", section, flags=re.M):
        names, colon, said = entry.partition(":")
        if not colon or not re.fullmatch(r"[\w, ]+", names):
            continue
        sentence = re.split(r"(?<=[.;]) (?!Default:)", " ".join(said.split()), maxsplit=1)[
            0
        ].rstrip(".;")
        told = f"{sentence[:1].upper()}{sentence[1:]}."
        found |= {name.strip(): told for name in names.split(",")}
    return {name: _as_flags(told, list(found)) for name, told in found.items()}


def flags_of(
    function: Callable[..., Any],
    arguments: Sequence[str],
    named: Mapping[str, str],
    metavars: Mapping[str, str],
    complete: Mapping[str, Any],
    makers: Mapping[str, Callable[..., Any]] | None = None,
) -> list[Flag]:
    """A flag a parameter; for a record of settings (`asking: Asking`) a flag each of its fields.

    Args:
        makers: by parameter a function that makes its value, of which each parameter is a flag.
            Of one that opens what is typed for the parameter the other flags stand last.
    """
    hints = get_type_hints(function, include_extras=True)
    said = arguments_of(function)
    settings = settings_of(function)
    names = [*hints, *(part for record in settings.values() for part in record.fields)]
    how = (named, metavars, complete)
    found: list[Flag] = []
    late: list[Flag] = []
    for one in inspect.signature(function).parameters.values():
        if makers and one.name in makers:
            made = flags_of(makers[one.name], arguments, *how)
            opened = [flag for flag in made if flag.name == one.name]
            found += opened or made
            late += [flag for flag in made if opened and flag.name not in hints]
            continue
        if one.name in settings:
            found += _flags_of_settings(settings[one.name], said, names, *how)
            continue
        shown = _shown(one.name, said, one.name in arguments, *how)
        read = _read(one.annotation, hints[one.name])
        found.append(_flag_of(one.name, read, shown, one.default))
    return list({flag.name: flag for flag in found + late}.values())


def _read(written: Any, hint: Any) -> tuple[Any, Callable[[Any], Any]]:
    """How a value of a type is read: files as they are typed, all else by its type."""
    return (list[str], _files) if _FILES.match(str(written)) else read_as(hint)


def _flag_of(name: str, read: tuple[Any, Callable[[Any], Any]], shown: Any, default: Any) -> Flag:
    """The flag of a parameter or a field with this default."""
    kind, back = read
    usual = [default] if isinstance(default, str) and get_origin(kind) is list else default
    if isinstance(usual, bool | int | float | str | list) or usual is Parameter.empty:
        return Flag(name, kind, shown, usual, _or(default, back))
    return Flag(name, kind | None, shown, None, _or(default, back))


def _flags_of_settings(
    settings: Settings, said: Mapping[str, str], names: Sequence[str], *how: Mapping[str, Any]
) -> Iterator[Flag]:
    """Yield what says which record it is, where there is a choice, and a flag each field."""
    name = settings.name
    if settings.plain is not None:
        shown = _shown(name, said, False, *how)
        yield _flag_of(name, read_as(settings.plain), shown, settings.default)
    elif len(settings.kinds) > 1:
        words: Any = Literal[tuple(settings.words)]
        usual = None if settings.default is None else word_of(type(settings.default))
        yield _flag_of(name, read_as(words), _shown(name, said, False, *how), usual)
    elif settings.optional:
        yield _flag_of(name, read_as(bool), _shown(name, said, False, *how), False)
    hints: dict[str, Any] = {}
    helps: dict[str, str] = {}
    for kind in settings.kinds:
        hints = get_type_hints(kind, include_extras=True) | hints
        helps = arguments_of(kind) | helps
    helps = {part: _as_flags(text, names) for part, text in helps.items()}
    for part, record in settings.fields.items():
        shown = _shown(part, helps, False, *how)
        yield _flag_of(part, _read(record.type, hints[part]), shown, settings.usual(part))


def _shown(
    name: str,
    said: Mapping[str, str],
    positional: bool,
    named: Mapping[str, str],
    metavars: Mapping[str, str],
    complete: Mapping[str, Any],
) -> Any:
    words = complete.get(name)
    completion = None if words is None else _completion(words)
    how: dict[str, Any] = {"help": said.get(name), "autocompletion": completion}
    if positional:
        return typer.Argument(metavar=metavars.get(name, name.upper()), **how)
    flags = named.get(name, _flag(name)).split()
    panel = PANELS.get(name)
    return typer.Option(*flags, metavar=metavars.get(name), rich_help_panel=panel, **how)


def _completion(words: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    def complete(text: str) -> list[str]:
        return [word for word in words() if word.startswith(text)]

    return complete


def read_as(hint: Any) -> tuple[Any, Callable[[Any], Any]]:
    """What typer reads for a type, and how the function's value is made of it."""
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, UnionType):
        kinds = [one for one in get_args(hint) if one is not type(None)]
        return read_as(min(kinds, key=_rank))
    origin = get_origin(hint)
    if origin is tuple and get_args(hint)[-1] is not Ellipsis:
        return hint, _same
    if origin is not None and issubclass(origin if isinstance(origin, type) else object, Mapping):
        lists = read_as(get_args(hint)[1])[0] is not str
        return list[str], _gathered if lists else _pairs
    if origin is Literal or hint in (str, int, float, bool, Path):
        return hint, _same
    if origin is not None:  # a sequence
        return list[read_as(get_args(hint)[0])[0]], tuple  # type: ignore[misc]
    return str, _same


def _rank(kind: Any) -> int:
    """Of several types that a parameter takes, the one that is typed: several before one."""
    return 0 if get_origin(kind) is not None else 1 if kind in (str, Path) else 2


def _pairs(values: Sequence[str]) -> dict[str, str]:
    """What stands before and after the last `=` of each."""
    return dict(_parts(values))


def _gathered(values: Sequence[str]) -> dict[str, list[str]]:
    """The names that stand with commas after the last `=` of each, by what stands before it."""
    lists: dict[str, list[str]] = {}
    for name, rest in _parts(values):
        several = [part.strip() for part in rest.split(",") if part.strip()]
        lists.setdefault(name.strip(), []).extend(several)
    return lists


def _parts(values: Sequence[str]) -> Iterator[tuple[str, str]]:
    for value in values:
        name, _, rest = value.rpartition("=")
        if not name.strip() or not rest.strip(" ,"):
            raise ConfigError(f"{value}: write two words with = between them, as NAME=VALUE")
        yield name, rest


def _files(given: list[str]) -> str | list[str]:
    """Files as a function takes them: one by itself, for its name stands in messages."""
    return given[0] if len(given) == 1 else given


def _or(usual: Any, back: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What the function has by default, where nothing was typed."""
    unset = None if usual is Parameter.empty else usual
    return lambda value: unset if value is None or value == [] else back(value)


def _same(value: Any) -> Any:
    return value
