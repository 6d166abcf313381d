"""The record of a comparison: JSON, and tables that fit a terminal and hide nothing."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.versions.two_versions import chats_of, two_versions

from assize.base.conversation import Turn
from assize.versions.comparing import Comparing, compare_all
from assize.versions.version import Version

QUICK = Comparing(permutations=499)
OLD, NEW = two_versions()
RESULT = compare_all([OLD, NEW], how=replace(QUICK, detect=0.2))


def test_json_holds_the_pairing_and_every_row() -> None:
    content = json.loads(json.dumps(RESULT.to_json(), allow_nan=False))
    assert content["baseline"] == "old"
    assert content["pairing"]["new"].items() >= {"by": "id", "left_over": [0, 0]}.items()
    (row,) = content["differences"]
    assert row["verdict"] == "better"
    assert row["paired"] is True
    shares = [row[name]["estimate"] for name in ("better", "equal", "worse")]
    assert abs(sum(shares) - 1) < 1e-9
    assert row["more"] == max(0, row["needed"] - 90)
    assert content["regressions"][0]["change"] < 0
    assert RESULT.worse == []
    assert RESULT.sentence.startswith("new is better than old on helpful: +0.22 [")
    assert "Better in" not in RESULT.sentence  # of a single comparison
    assert "needed   more" in str(RESULT)
    assert "Needed: conversations a version that show a difference of 0.2" in str(RESULT)


def test_the_alarm_names_what_is_worse_than_the_baseline() -> None:
    assert RESULT.alarm is None  # better, though German is worse
    fallen = compare_all([NEW, OLD], how=QUICK)
    assert str(fallen.alarm).startswith("worse than new: helpful -0.22 [-0.42, -0.02], p 0.0")


def test_what_a_reader_needs_fits_80_columns() -> None:
    result = compare_all([OLD, NEW], how=QUICK)
    assert list(result.tables) == ["differences", "regressions"]
    text = str(result)
    assert "new against old, judged by rating@m: Better or worse\n" in text  # in one piece
    for name in ("unscored", "before", "after", "difference", "verdict"):
        assert name in text
    assert "Not shown (too wide): better, equal, worse, detectable;" in text
    assert "90 pairs, paired by id (their prompts agree); none left over." in text
    page = result.tables["differences"].to_html()
    assert all(f">{name}<" in page for name in ("better", "equal", "worse", "detectable"))


def test_versions_that_cannot_be_told_apart_are_said_to_be_below_the_table() -> None:
    assert "new cannot be told" not in str(RESULT)
    same = Version("same", OLD.table, OLD.items)
    result = compare_all([OLD, same], how=QUICK)
    assert "same cannot be told from old on helpful: +0.00" in str(result)


def test_versions_are_named_where_there_are_several() -> None:
    result = compare_all([OLD, NEW, Version("newest", NEW.table, NEW.items)], how=QUICK)
    assert "newest, judged" in str(result.tables["differences"])
    assert "corrected for 2 comparisons (Holm)" in str(result.tables["differences"])


def test_a_terminal_sequence_in_a_prompt_is_shown_as_text() -> None:
    versions = [
        Version(
            version.name,
            version.table,
            {
                name: replace(item, turns=(Turn("user", "\x1b[31mred"), *item.turns[1:]))
                for name, item in chats_of(version).items()
            },
        )
        for version in two_versions()
    ]
    result = compare_all(versions, how=QUICK)
    assert "\x1b" not in str(result)
    assert "\\x1b[31mred" in str(result)
