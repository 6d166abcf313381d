"""How a source is read, checked once."""

from __future__ import annotations

from pathlib import Path

from assize.formats.any_log.mapping import NO_MAPPING
from assize.formats.format import Options
from assize.formats.read_options import ReadOptions, read_options


def test_nothing_said_is_the_usual_way() -> None:
    assert read_options() == ReadOptions() == ReadOptions(None, NO_MAPPING, "fail", None, {})
    assert ReadOptions().settings == {"format": None}


def test_what_a_caller_says_is_parsed(tmp_path: Path) -> None:
    values = {"rater_column": "who"}
    found = read_options("upheld", "columns=rater", "client=user", "skip", "1 kB", values)
    assert (found.format, found.on_error, found.max_bytes) == ("upheld", "skip", 1000)
    assert found.parsing == Options(values, {"client": "user"}, "rater")
    assert found.settings == {
        "format": "upheld",
        "map": {"columns": "rater"},
        "roles": {"client": "user"},
    }
    values["rater_column"] = "changed"
    assert found.values == {"rater_column": "who"}


def test_of_a_mapping_judgments_take_the_columns_and_roles_and_all_of_one_of_pairs() -> None:
    found = read_options(map="text=t,role=r,columns=rater", roles="client=user", on_error="skip")
    for_judgments = found.for_judgments
    assert for_judgments.mapping.settings == {
        "map": {"columns": "rater"},
        "roles": {"client": "user"},
    }
    assert for_judgments.on_error == "skip"
    pairs = read_options(map="id=i,context=q,a=x,b=y,gold=w")
    assert pairs.for_judgments == pairs
