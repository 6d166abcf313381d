"""What single judges may be told."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields

import pytest

from assize.base.errors import ConfigError
from assize.judging.options import (
    LEAST,
    OPTIONS,
    RubricOptions,
    declared_options,
    known,
    option,
    own,
    read_settings,
)
from assize.judging.table import JUDGES


def test_every_option_is_of_a_judge_has_a_help_text_and_one_meaning() -> None:
    assert OPTIONS.keys() <= JUDGES.keys()
    declared = [one for kind in set(OPTIONS.values()) for one in fields(kind)]
    assert declared
    assert len({one.name for one in declared}) == len(declared)
    assert all(one.metadata["help"] for one in declared)


def test_options_are_found_by_the_judge_however_it_is_written() -> None:
    for written in ("rubric", "rubric@openai:m", "rubric/reasons@openai:m"):
        assert known(written) == ("rubric", "adaptive", "answered", "least")
    assert known("io@openai:m") == ()
    given = {"corpus": "c.jsonl", "rubric": "general"}
    assert own("factscore@openai:m", given) == {"corpus": "c.jsonl"}


@pytest.mark.parametrize("given", [{"answered": ("run",)}, {"least": 0.5}])
def test_what_goes_with_adaptive_is_refused_without_it(given: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="go with adaptive"):
        RubricOptions(**given)  # type: ignore[arg-type]
    assert RubricOptions(adaptive="c", **given).adaptive == "c"  # type: ignore[arg-type]
    assert RubricOptions().least == LEAST


@dataclass(frozen=True)
class BarometerOptions:
    station: str = option("brest", "Where it stands")
    reading_rate: float = option(1.0, "Readings an hour", min=0.5)
    tags: tuple[str, ...] = option((), "What is noted")


@pytest.fixture
def _barometers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two judges of one class of options, and one of another."""
    monkeypatch.setitem(OPTIONS, "barometer", BarometerOptions)
    monkeypatch.setitem(OPTIONS, "aneroid", BarometerOptions)


@pytest.mark.usefixtures("_barometers")
def test_settings_have_the_types_that_are_declared() -> None:
    settings = ["station=dover", "reading_rate=2", "tags=a", "tags=b=c"]
    found = read_settings(["barometer@openai:m"], settings)
    assert found == {
        "station": "dover",
        "reading_rate": 2.0,
        "tags": ("a", "b=c"),
    }
    assert BarometerOptions(**found).station == "dover"
    assert read_settings([], []) == {}


@pytest.mark.usefixtures("_barometers")
def test_a_name_that_two_judges_declare_goes_to_both() -> None:
    judges = ["barometer@openai:m", "aneroid/fine@openai:m", "io@openai:m"]
    found = read_settings(judges, ["station=dover"])
    assert [own(judge, found) for judge in judges] == [found, found, {}]
    assert declared_options(judges)["station"].judges == ("barometer", "aneroid")


@pytest.mark.usefixtures("_barometers")
@pytest.mark.parametrize(
    ("judge", "settings", "said"),
    [
        ("barometer@openai:m", ["station"], "--set station: write NAME=VALUE"),
        ("barometer@openai:m", ["=dover"], "--set =dover: write NAME=VALUE"),
        ("barometer@openai:m", ["station="], "--set station=: write NAME=VALUE"),
        ("barometer@openai:m", ["sation=x"], "sation is not known; did you mean 'station'?"),
        ("barometer@openai:m", ["reading-rate=2"], "did you mean 'reading_rate'?"),
        (
            "barometer@openai:m",
            ["zzz=2"],
            "zzz is not known; barometer@openai:m has station, reading_rate",
        ),
        (
            "barometer@openai:m",
            ["corpus=x"],
            "corpus is for factscore and not for barometer@openai:m; leave it out",
        ),
        (
            "barometer@openai:m",
            ["reading_rate=fast"],
            "reading_rate=fast: it is a number of at least 0.5",
        ),
        (
            "barometer@openai:m",
            ["reading_rate=0.1"],
            "reading_rate=0.1: it is a number of at least 0.5",
        ),
        (
            "barometer@openai:m",
            ["reading_rate=nan"],
            "reading_rate=nan: it is a number of at least 0.5",
        ),
        (
            "barometer@openai:m",
            ["reading_rate=inf"],
            "reading_rate=inf: it is a number of at least 0.5",
        ),
        ("barometer@openai:m", ["station=a", "station=b"], "station: it is given twice"),
        ("io@openai:m", ["zzz=2"], "io@openai:m has no options; leave it out"),
        ("rubric/p.jinja@openai:m", ["zzz=2"], "p.jinja@openai:m has no options"),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(judge: str, settings: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=re.escape(said)):
        read_settings([judge], settings)
