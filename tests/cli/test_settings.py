"""Records of settings as flags: one record, none, or one of several kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.cli.conftest import make_command, shown_json

from assize.base.errors import ConfigError
from assize.cli.settings import settings_of
from assize.formats import ItemsLike
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


RUN = make_command(travel, "travel rome", ("rome",), arguments=["to"])


def test_only_parameters_that_are_records_or_a_plain_value_are_settings() -> None:
    def other(a: str | Path | Walk, b: int, c: Sequence[Walk] = ()) -> None: ...

    assert settings_of(other) == {}
    assert list(settings_of(travel)) == ["by", "guide", "rest"]


WALK = {"speed": 5.0, "shoes": "sandals"}  # as the function has it, not the record


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("", {"settings": WALK}),
        ("--by ride --horse Ada", {"by": "Ride", "settings": {"horse": "Ada", "speed": 15.0}}),
        ("--speed 15", {"settings": WALK | {"speed": 15.0}}),
        ("", {"guide": None, "rest": None}),
        ("--who Ann", {"guide": {"who": "Ann", "pay": 10}}),
        ("--rest", {"rest": {"hours": 1}}),
        ("--hours 3", {"rest": {"hours": 3}}),
    ],
)
def test_flags_are_the_fields_of_the_records_that_are_meant(
    words: str, facts: dict[str, Any]
) -> None:
    done = shown_json(RUN(*words.split(), "--json"))
    assert {name: done.get(name) for name in facts} == facts


def test_only_a_record_that_needs_nothing_has_a_switch() -> None:
    assert "--guide" not in RUN("--help").stdout


def rest_at(
    *, place: str | Guide | None = None, rest: bool | Rest = False, by: tuple[str, str] | Ride
) -> Journey:
    """Rests.

    Args:
        place: where, or who knows.
        rest: whether.
        by: horse.
    """
    return Journey(repr(place), {"rest": repr(rest)}, None, None)


REST = make_command(rest_at, "rest", ("--horse", "Ada"), named={"who": "--ask"})


@pytest.mark.parametrize(
    ("words", "by", "rested"),
    [
        ("", "None", "False"),
        ("--place inn", "'inn'", "False"),
        ("--ask Ann", "Guide(who='Ann', pay=10)", "False"),
        ("--rest", "None", "True"),
        ("--hours 2", "None", "Rest(hours=2)"),
    ],
)
def test_a_plain_value_may_stand_in_place_of_a_record(words: str, by: str, rested: str) -> None:
    facts = {"by": by, "settings": {"rest": rested}}
    assert facts.items() <= shown_json(REST(*words.split(), "--json")).items()


@dataclass(frozen=True)
class ByRail:
    """On rails.

    Args:
        seat: number.
        speed: km an hour.
    """

    word: ClassVar = "train"

    seat: int = 1
    speed: float = 90.0


@dataclass(frozen=True)
class BySleeper:
    """On rails, at night.

    Args:
        bed: its name.
        books: to be read.
    """

    word: ClassVar = "train"

    bed: str
    books: ItemsLike | None = None


@dataclass(frozen=True)
class OnFoot:
    """On foot.

    Args:
        speed: km an hour.
    """

    word: ClassVar = "foot"

    speed: float = 5.0


@dataclass(frozen=True)
class Trip(Result):
    """What came of it."""

    by: str


def go(*, by: OnFoot | ByRail | BySleeper = OnFoot()) -> Trip:
    """Goes.

    Args:
        by: foot or train.
    """
    return Trip(repr(by))


GO = make_command(go, "go", named={"books": "--books -b"})


@pytest.mark.parametrize(
    ("words", "by"),
    [
        ("", "OnFoot(speed=5.0)"),
        ("--by train", "ByRail(seat=1, speed=90.0)"),
        ("--by train --speed 80", "ByRail(seat=1, speed=80.0)"),
        ("--by train --bed low", "BySleeper(bed='low', books=None)"),
        # Files of a record are read as all files are.
        ("--by train --bed low --books x.jsonl --format trl", "BySleeper(bed='low', books=Items"),
    ],
)
def test_two_kinds_of_one_word_are_told_apart_by_what_is_typed(words: str, by: str) -> None:
    assert shown_json(GO(*words.split(), "--json"))["by"].startswith(by)


def test_without_a_word_the_first_kind_that_has_every_flag_is_meant() -> None:
    run = make_command(go, "go", hidden=["by"])
    assert shown_json(run("--json"))["by"] == "OnFoot(speed=5.0)"
    assert shown_json(run("--seat", "4", "--json"))["by"] == "ByRail(seat=4, speed=90.0)"
    assert "no such option" in run("--by", "train").output.lower()


@pytest.mark.parametrize(
    ("command", "words", "said"),
    [
        (RUN, "--horse Ada", "--horse: walk has none; leave it out, or give --by ride"),
        (RUN, "--by ride --shoes boots", "--shoes: ride has none; leave it out, or give --by walk"),
        (REST, "--place inn --ask Ann", "--ask and --place do not go together; leave one out"),
        (GO, "--by train --seat 4 --bed low", "--seat and --bed do not go together; leave one out"),
        (GO, "--seat 4", "--seat: foot has none; leave it out, or give --by train"),
    ],
)
def test_flags_of_different_records_do_not_go_together(
    command: Callable[..., Any], words: str, said: str
) -> None:
    error = command(*words.split()).exception
    assert (type(error), str(error)) == (ConfigError, said)


@pytest.mark.parametrize(
    ("command", "words", "needed"),
    [(RUN, "--pay 20", "--who"), (REST, "--pay 3", "--ask"), (GO, "--by train -b x", "--bed")],
)
def test_a_record_is_asked_for_what_it_needs(
    command: Callable[..., Any], words: str, needed: str
) -> None:
    done = command(*words.split())
    assert (done.exit_code, f"name {needed}" in done.stderr) == (2, True)
