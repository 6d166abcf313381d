"""Commands that are imported when they are called, so that `assize --help` stays fast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from assize.base.secrets import redacted
from assize.cli.help_file import read_help
from assize.cli.terminal import note

NAMES = {"help_option_names": ["-h", "--help"]}


@dataclass(frozen=True, slots=True)
class Row:
    """A command of the table.

    Args:
        name: as it is typed, `agree` or `calibrate fit`.
        target: `module:function` of what runs it, its parameters being the options.
        about: the first line of its help.
    """

    name: str
    target: str
    about: str


class LazyCommand(TyperCommand):
    """Stands for a command whose module is imported when it runs."""

    def __init__(self, row: Row) -> None:
        self._row = row
        super().__init__(row.name.rpartition(" ")[2], help=row.about)

    @cached_property
    def real(self) -> Any:
        """The command itself."""
        module, _, function = self._row.target.partition(":")
        return self._make(getattr(import_module(module), function))

    @property
    def help_only(self) -> Any:
        """A command that has the help of the real one, and does nothing."""
        return self._make(read_help(self._row.name))

    def _make(self, function: Any) -> Any:
        alone = typer.Typer(add_completion=False, rich_markup_mode="rich", context_settings=NAMES)
        alone.command(self.name)(function)
        return typer.main.get_command(alone)

    def make_context(self, info_name: str | None, args: list[str], *given: Any, **more: Any) -> Any:
        """What a command is run in: the real one's.

        Its help is read from a file.
        """
        if args and set(args) <= set(NAMES["help_option_names"]):
            return self.help_only.make_context(info_name, args, *given, **more)
        return self.real.make_context(info_name, args, *given, **more)


class Group(TyperGroup):
    """Commands that share a first word.

    Args:
        usual: the command that is meant where none is named; None asks for a name.
    """

    def __init__(self, name: str, about: str, usual: str | None = None) -> None:
        self._usual = usual
        super().__init__(
            name=name, help=about, commands={}, no_args_is_help=True, context_settings=NAMES
        )

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """The rest of the line, beginning with a command's name."""
        if self._usual and args and args[0] not in {*self.commands, *ctx.help_option_names}:
            self._check(args[0])
            args = [self._usual, *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, with the options of the command that is meant where none is named."""
        whole = copy(self)
        usual = None if self._usual is None else self.commands[self._usual]
        if isinstance(usual, LazyCommand):
            params = usual.help_only.params
            options = [param for param in params if param.param_type_name == "option"]
            for option in options:
                if option.rich_help_panel is None:
                    option.rich_help_panel = f"Options of {self._usual}"
            whole.params = [*self.params, *options]
        super(Group, whole).format_help(ctx, formatter)

    def _check(self, word: str) -> None:
        """Refuses what looks like one of the commands, and is neither a file nor a folder."""
        named = word.startswith("-") or Path(word).exists()
        near = [] if named else get_close_matches(word, self.commands, n=1)
        if near:
            raise typer.BadParameter(
                f"there is no file or folder {word!r}, and no command of that name. Did you mean"
                f" {near[0]!r}?"
            )


@contextmanager
def _said() -> Iterator[None]:
    """Ctrl-C is said, which typer keeps to itself; a usage error shows no secret."""
    try:
        yield
    except KeyboardInterrupt:
        note("interrupted")
        raise typer.Exit(130) from None
    except Exception as error:
        message = getattr(error, "message", None)  # of click, which typer keeps private
        if isinstance(message, str):
            error.message = redacted(message)  # type: ignore[attr-defined]
        raise


def group(
    rows: Sequence[Row], groups: Sequence[Group], panels: Mapping[str, Sequence[str]]
) -> type[TyperGroup]:
    """The class of a group that holds these commands, some of them in groups of their own.

    Args:
        panels: by heading of the help, the commands and groups below it.
    """
    named = {one.name: one for one in groups}
    found: dict[str, Any] = {}
    for row in rows:
        name, _, rest = row.name.partition(" ")
        if not rest:
            found[name] = LazyCommand(row)
            continue
        found[name] = named[name]
        found[name].add_command(LazyCommand(row))
    ordered = {name: found[name] for names in panels.values() for name in names}
    for panel, names in panels.items():
        for name in names:
            ordered[name].rich_help_panel = panel

    class Lazy(TyperGroup):
        def __init__(self, **given: Any) -> None:
            super().__init__(**{**given, "commands": dict(ordered)})

        def make_context(self, *given: Any, **more: Any) -> Any:
            with _said():
                return super().make_context(*given, **more)

        def invoke(self, ctx: Any) -> Any:
            with _said():
                return super().invoke(ctx)

    return Lazy
