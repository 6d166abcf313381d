"""A command that asks models gets every option of theirs under one keyword."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from assize.cli.model_options import ModelOptions, takes_model_options


@pytest.fixture
def given() -> Any:
    """Runs a command with these options, and returns what it was given."""
    made, seen = typer.Typer(), list[Any]()

    @made.command()
    @takes_model_options
    def read(file: str, *, asking: Mapping[str, Any], loud: bool = False) -> None:
        seen.append((file, asking, loud))

    def run(*arguments: str) -> Any:
        done = CliRunner().invoke(made, arguments)
        return seen[-1] if done.exit_code == 0 and seen else done.output

    return run


def test_what_is_not_given_is_what_is_declared(given: Any) -> None:
    assert given("x", "--loud") == ("x", asdict(ModelOptions()), True)


def test_what_is_given_arrives_by_name(given: Any) -> None:
    usual = asdict(ModelOptions())
    found = given("x", "--timeout", "3", "--no-cache")
    assert found == ("x", usual | {"timeout": 3.0, "no_cache": True}, False)


def test_the_flags_stand_in_the_help_in_the_place_of_the_keyword(given: Any) -> None:
    said = given("--help")
    assert said.index("--base-url") < said.index("--no-cache") < said.index("--loud")
