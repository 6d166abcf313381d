"""`run.json`: whose folder it is, and in which format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.errors import ConfigError
from assize.running.runfile import FORMAT, differences, read_run, write_run


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    assert read_run(tmp_path / "run.json") is None
    write_run(tmp_path / "run.json", {"votes": 2}, {"versions": {"assize": "1"}})
    assert read_run(tmp_path / "run.json") == {
        "command": {"votes": 2},
        "format": FORMAT,
        "versions": {"assize": "1"},
    }


def test_a_run_that_names_no_format_is_the_first(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"command": {}}')
    assert read_run(tmp_path / "run.json") == {"command": {}}


@pytest.mark.parametrize("found", [FORMAT + 1, 0, "2", None, 1.5])
def test_an_unknown_format_is_refused_and_says_what_to_do(tmp_path: Path, found: Any) -> None:
    (tmp_path / "run.json").write_text(json.dumps({"command": {}, "format": found}))
    with pytest.raises(ConfigError, match=r"knows formats up to 2: go on with the version that"):
        read_run(tmp_path / "run.json")


@pytest.mark.parametrize("text", ["[1]", "{}", "no JSON"])
def test_what_is_no_runs_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(ConfigError, match="is not a run's"):
        read_run(tmp_path / "run.json")


def test_differences_name_the_first_thing_that_differs_and_cut_long_ones() -> None:
    assert differences({"a": 1}, {"a": 1}) is None
    assert differences({"a": 1}, {"a": 1, "b": 2}) == "b was null and is 2"
    long = differences({"a": "x" * 500}, {"a": ""})
    assert long is not None
    assert len(long) < 250
