"""Flags are made from the declarations of judges' options, and nothing else names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from assize.cli import app
from assize.cli.command import from_function
from assize.cli.judge_options import judge_options
from assize.judging.options import OPTIONS, option
from assize.tables import Result


@dataclass(frozen=True)
class BarometerOptions:
    station: str = option("brest", "Where it stands", flag="-s")
    reading_rate: float | None = option(None, "Readings an hour", min=0.5)
    tags: tuple[str, ...] = option((), "What is noted")
    dry: bool = option(False, "Nothing is noted")


class Read(Result):
    tables = {}  # noqa: RUF012


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs a command with these options, and returns what its function was given."""
    monkeypatch.setitem(OPTIONS, "barometer", BarometerOptions)
    made, seen = typer.Typer(), list[Any]()

    def read(file: str, *, options: Mapping[str, Any] | None = None) -> Read:
        seen.append((file, options))
        return Read()

    more = judge_options("barometer")
    made.command()(from_function(read, "read x", arguments=["file"], more=more))

    def run(*arguments: str) -> Any:
        done = CliRunner().invoke(made, arguments)
        return seen[-1] if done.exit_code == 0 and seen else done.output

    return run


def test_a_command_gets_what_was_given_and_no_defaults(given: Any) -> None:
    assert given("x") == ("x", {})
    found = given("x", "-s", "dover", "--reading-rate", "2", "--tags", "a", "--tags", "b", "--dry")
    options: dict[str, Any] = {
        "station": "dover",
        "reading_rate": 2.0,
        "tags": ("a", "b"),
        "dry": True,
    }
    assert found == ("x", options)
    assert BarometerOptions(**options).station == "dover"


def test_what_is_declared_stands_in_the_help_and_is_checked(given: Any) -> None:
    said = " ".join(given("--help").replace("│", " ").split())
    assert "--station" in said
    assert "Where it stands; brest by default." in said
    assert "Invalid value for '--reading-rate'" in given("x", "--reading-rate", "0.1")


def test_an_option_of_no_judge_that_is_asked_is_told(tmp_path: Any) -> None:
    (tmp_path / "x.jsonl").write_text(
        '{"id": "c", "turns": [{"role": "user", "text": "Hi"}]}\n', encoding="utf-8"
    )
    command = ["judge", str(tmp_path / "x.jsonl"), "-j", "rubric@scripted:any", "--dry-run"]
    done = CliRunner().invoke(app, [*command, "--corpus", "y.jsonl"])
    assert "option corpus is for factscore and not for rubric@scripted:any" in str(done.exception)


def test_the_values_of_an_option_complete_in_the_shell() -> None:
    done = CliRunner().invoke(
        app,
        [],
        env={
            "_ASSIZE_COMPLETE": "complete_bash",
            "COMP_WORDS": "assize rubric ask --rubric inf",
            "COMP_CWORD": "4",
        },
        prog_name="assize",
    )
    assert "information-seeking" in done.output
