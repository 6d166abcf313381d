"""One word for the values of several flags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from tests.cli.conftest import make_command, shown_json

from assize.base.errors import ConfigError
from assize.cli.preset import Preset
from assize.results import Result

PAPER = Preset(
    "paper",
    "Own, or paper: dry and long.",
    values={"weather": "dry", "hours": None},
    otherwise={"map": "shipped"},
    needs={"guide": 1, "friends": 2},
)
ENOUGH = ("--preset", "paper", "--guide", "Ann", "--friends", "Bob", "--friends", "Cy")


@dataclass(frozen=True)
class Hike(Result):
    """What came of it."""

    weather: str
    hours: int | None
    map: str | None
    friends: Sequence[str]


def hike(
    *,
    weather: str = "any",
    hours: int | None = 3,
    map: str | None = None,
    guide: str | None = None,
    friends: str | Sequence[str] = (),
) -> Hike:
    """Hikes."""
    return Hike(weather, hours, map, list(friends))


@pytest.fixture
def run() -> Callable[..., Any]:
    return make_command(hike, "hike", preset=PAPER)


def test_the_word_stands_for_its_values(run: Any) -> None:
    assert shown_json(run("--json"))["hours"] == 3
    paper = shown_json(run(*ENOUGH, "--json"))
    assert (paper["weather"], paper.get("hours"), paper["map"]) == ("dry", None, "shipped")
    assert (
        shown_json(run(*ENOUGH, "--map", "own.png", "--weather", "dry", "--json"))["map"]
        == "own.png"
    )
    assert "Own, or paper: dry and long." in run("--help").stdout


def test_what_the_preset_decides_is_refused_beside_it(run: Any) -> None:
    error = run(*ENOUGH, "--weather", "wet").exception
    assert isinstance(error, ConfigError)
    assert str(error) == "--weather: preset paper decides that; leave one out"


def test_what_the_preset_needs_must_be_typed(run: Any) -> None:
    assert str(run("--preset", "paper").exception) == "preset paper: give --guide"
    assert str(run(*ENOUGH[:-2]).exception) == "preset paper: give --friends 2 times or more"
