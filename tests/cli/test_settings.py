"""Records of settings as flags: one record, none, or one of several kinds."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from assize.cli.command import from_function
from assize.cli.settings import settings_of
from assize.errors import ConfigError
from assize.results import Result


@dataclass(frozen=True)
class Walk:
    """On foot.

    Args:
        speed: km an hour.
        shoes: what is worn.
    """

    speed: float = 5.0
    shoes: str = "boots"


@dataclass(frozen=True)
class Ride:
    """On a horse.

    Args:
        horse: its name.
        speed: km an hour.
    """

    horse: str | None = None
    speed: float = 15.0


@dataclass(frozen=True)
class Guide:
    """Somebody who knows the way.

    Args:
        who: the guide.
        pay: of the guide.
    """

    who: str
    pay: int = 10


@dataclass(frozen=True)
class Rest:
    """A stop on the way.

    Args:
        hours: that it lasts.
    """

    hours: int = 1


@dataclass(frozen=True)
class Journey(Result):
    """What came of it."""

    by: str
    settings: dict[str, Any]
    guide: dict[str, Any] | None
    rest: dict[str, Any] | None


def travel(
    to: str,
    *,
    by: Walk | Ride = Walk(shoes="sandals"),
    guide: Guide | None = None,
    rest: Rest | None = None,
) -> Journey:
    """Travels.

    Args:
        to: where.
        by: walk or ride.
        guide: who knows the way.
        rest: stop on the way.
    """
    others = [None if record is None else asdict(record) for record in (guide, rest)]
    return Journey(type(by).__name__, asdict(by), *others)


@pytest.fixture
def run() -> Callable[..., Any]:
    app = typer.Typer()
    app.command()(from_function(travel, "travel rome", arguments=["to"]))
    return lambda *words: CliRunner().invoke(app, ["rome", *words])


def journey(done: Any) -> Any:
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def test_only_parameters_that_are_records_alone_are_settings() -> None:
    def other(a: str | Walk, b: int, c: Sequence[Walk] = ()) -> None: ...

    assert settings_of(other) == {}
    assert list(settings_of(travel)) == ["by", "guide", "rest"]


def test_a_word_says_which_record_and_flags_are_its_fields(run: Any) -> None:
    walk = {"speed": 5.0, "shoes": "sandals"}  # as the function has it, not the record
    assert journey(run("--json"))["settings"] == walk
    ride = journey(run("--by", "ride", "--horse", "Ada", "--json"))
    assert (ride["by"], ride["settings"]) == ("Ride", {"horse": "Ada", "speed": 15.0})
    assert journey(run("--speed", "15", "--json"))["settings"] == walk | {"speed": 15.0}


def test_a_flag_of_another_record_is_refused(run: Any) -> None:
    error = run("--horse", "Ada").exception
    assert isinstance(error, ConfigError)
    assert str(error) == "--horse: walk has none; leave it out, or give --by ride"
    assert str(run("--by", "ride", "--shoes", "boots").exception).startswith("--shoes: ride")


def test_a_record_that_may_be_absent_is_made_of_what_is_typed(run: Any) -> None:
    assert journey(run("--json")).get("guide") is None
    assert journey(run("--who", "Ann", "--json"))["guide"] == {"who": "Ann", "pay": 10}
    done = run("--pay", "20")
    assert done.exit_code == 2
    assert "name --who" in done.stderr


def test_a_record_that_needs_nothing_has_a_switch(run: Any) -> None:
    assert journey(run("--json")).get("rest") is None
    assert journey(run("--rest", "--json"))["rest"] == {"hours": 1}
    assert journey(run("--hours", "3", "--json"))["rest"] == {"hours": 3}
    assert "--guide" not in run("--help").stdout
