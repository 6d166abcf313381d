"""Errors of commands name flags as they are typed, and never Python's parameters."""

from __future__ import annotations

import inspect
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest
from command_line import read_refusal
from typer.models import ArgumentInfo

from assize.base.errors import AssizeError
from assize.cli import COMMANDS
from assize.cli.lazy import LazyCommand, Row

CHATS = str(Path(__file__).parents[2] / "examples" / "conversations.jsonl")
NUMERIC = {int, float}
CHECKED = 55  # options that refuse -1 by a check of the library; some commands read files first


def options_of(row: Row) -> Iterator[tuple[str, set[Any], Any, list[str]]]:
    """Name, types, typer's record and flags of each option and argument of a command."""
    module, _, function = row.target.partition(":")
    command = getattr(import_module(module), function)
    for parameter in inspect.signature(command).parameters.values():
        kind, info = get_args(parameter.annotation)[:2]
        flags = [one for one in [info.default, *(info.param_decls or ())] if isinstance(one, str)]
        yield parameter.name, {kind, *get_args(kind)}, info, flags


def refusals(row: Row) -> Iterator[tuple[str, str, str]]:
    """Parameter, flag and message of each numeric option of a command that is given -1."""
    options = list(options_of(row))
    inputs = [CHATS for _, _, info, _ in options if isinstance(info, ArgumentInfo)]
    module, _, function = row.target.partition(":")
    needed = inspect.signature(getattr(import_module(module), function)).parameters
    for name, _, info, flags in options:
        unset = needed[name].default is inspect.Parameter.empty
        if not isinstance(info, ArgumentInfo) and (unset or name in ("out", "judges")):
            inputs += [flags[0], {"out": "out", "judges": "io@scripted:any"}.get(name, CHATS)]
    command = LazyCommand(row).real
    for name, kinds, info, flags in options:
        if isinstance(info, ArgumentInfo) or not kinds & NUMERIC or name == "max_unscored":
            continue
        try:
            command.main([*inputs, flags[0], "-1"], standalone_mode=False)
        except AssizeError as error:
            yield name, flags[0], str(error)
        except (Exception, SystemExit):
            continue  # of typer, whose messages name options as they are typed


def test_a_bad_number_is_named_by_its_flag_in_every_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    checked, wrong = 0, []
    for number, row in enumerate(COMMANDS):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        for name, flag, message in refusals(row):
            about = re.search(r"(?<![\w.:])-1(\.0)?(?![\w.])", message) is not None
            checked += about and flag in message
            if re.match(rf"{name}\b", message) or (about and flag not in message):
                wrong.append(f"{row.name} {flag}: {message}")
    assert wrong == []
    assert checked >= CHECKED


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("judge {pairs} -j io@scripted:any -o out --votes 3", "--votes is 3; .*give 1 or 2"),
        ("jury decide {pairs}", 'say who sits: --cascade "da > maxim", --panel all, or --reliab'),
        ("judge {pairs} -j explaned@scripted:any -o out", "did you mean 'explained'"),
        ("judge {pairs} -j explaned -o out", "did you mean 'explained'"),
        ("judge {pairs} -j io@scriptd:any -o out", "did you mean 'scripted'"),
        ("judge {pairs} -j rubric@scripted:any -o out --set rubrik=x", "did you mean 'rubric'"),
        ("jury decide {votes} --cascade 'smll > large'", "did you mean 'small'"),
    ],
)
def test_what_is_mistyped_is_named_as_it_was_typed_with_what_is_near(
    line: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = Path(CHATS).parent
    line = line.format(pairs=examples / "pairs.jsonl", votes=examples / "votes.jsonl")
    assert re.search(message, read_refusal(*shlex.split(line)))
