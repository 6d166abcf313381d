"""The page of commands: what it says of functions."""

from __future__ import annotations

import typer.main
from scripts.command_reference import EXCEPTIONS, commands, function_rows

from assize.cli import app

GROUP = typer.main.get_command(app)
TYPED = [name for name, _ in commands(GROUP, "assize")]


def test_every_command_is_made_of_a_promised_function() -> None:
    assert set(TYPED) - {typed for typed, _, _ in function_rows(GROUP)} == set()


def test_each_command_has_the_name_of_its_function_or_a_reason() -> None:
    others = {
        typed
        for typed, function, _ in function_rows(GROUP)
        if typed in TYPED and typed.replace(" ", ".").replace("-", "_") != function
    }
    assert others == set(EXCEPTIONS)
