"""`assize.study.juries`: one data set or several, in memory and in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conversations import pair, votes

import assize
from assize import Cascade, Panel
from assize.base.errors import AssizeError

PAIRS = [pair(f"p{n}") for n in range(1, 4)]
VOTES = [
    *votes("p1", "da@m", "A", "A"),
    *votes("p2", "da@m", "A", "B"),
    *votes("p3", "da@m", "B", "B"),
    *votes("p1", "maxim@m", "B", "B"),
    *votes("p2", "maxim@m", "A", "A"),
    *votes("p3", "maxim@m", "A", "A"),
]
DA = Cascade("da")
TABLE = assize.JudgmentTable.of(VOTES)


def wins(study: Any) -> dict[tuple[str, str], float]:
    return {
        (place.data, place.method): one.share().estimate
        for place, one in study.grid.sittings.items()
    }


def test_votes_in_memory_are_one_data_set_and_several_cascades_are_compared() -> None:
    found = assize.study.juries(
        VOTES, items=PAIRS, juries=[Cascade("da > maxim"), Cascade("maxim > da")]
    )
    assert wins(found) == {
        ("all pairs", "da"): 1 / 3,
        ("all pairs", "maxim"): 2 / 3,
        ("all pairs", "da > maxim"): 2 / 3,
        ("all pairs", "maxim > da"): 2 / 3,
    }
    assert len(found.comparisons) == 6
    assert "da > maxim" in str(found)


def test_data_sets_have_names_and_their_pairs_stand_among_them_or_apart() -> None:
    inside: dict[str, Any] = {"one": [*VOTES, *PAIRS], "two": [TABLE, *PAIRS[:1]]}
    found = assize.study.juries(sets=inside, juries=[Cascade("da > maxim")])
    assert wins(found)["one", "da > maxim"] == 2 / 3
    assert wins(found)["two", "da > maxim"] == 1.0
    apart = {"one": VOTES, "two": [row for row in VOTES if row.item == "p3"]}
    found = assize.study.juries(sets=apart, items=PAIRS, juries=[DA])
    assert wins(found) == {("one", "da"): 1 / 3, ("two", "da"): 0.0}


def test_a_run_s_pairs_are_found_and_a_live_cascade_s_selection_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assize.write(tmp_path / "pairs.jsonl", PAIRS)
    jury, out = Cascade("io > explained", "scripted:any"), tmp_path / "live"
    live = assize.jury(str(tmp_path / "pairs.jsonl"), jury, out=out, quiet=True)
    found = assize.study.juries(str(out), juries=[Cascade("io > explained")])
    rest: Any = {place.method: one for place, one in found.grid.sittings.items()}
    assert rest["io > explained"].result.to_json()["paths"] == live.to_json()["paths"]
    assert rest["explained"].reason == (
        "explained@scripted:any was not asked about 1 of 3 pairs that were left to it"
    )
    assert "its later judges have no figures of their own" in caplog.text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "give judgments, or data sets by name"),
        ({"judgments": VOTES, "paper": True}, "here is 'all pairs'; name it among the sets"),
        ({"sets": {"mine": VOTES}, "paper": True}, "HH-TRAIN, and here is 'mine'"),
        ({"judgments": VOTES, "sets": {"all pairs": VOTES}}, "two data sets are called"),
        ({"judgments": VOTES, "unscored": "win"}, "unscored win: allowed are skip and loss"),
        ({"judgments": VOTES, "turns": 0}, "turns: received 0, allowed is at least 1"),
        ({"judgments": VOTES, "juries": [Cascade("io")]}, "no judge 'io' among these judgments"),
        ({"judgments": VOTES, "juries": ["da"]}, "juries: received 'da' .str.; give a Cascade"),
        ({"judgments": VOTES, "juries": [Cascade("da", "m")]}, "or a Panel without a model"),
        (
            {"judgments": VOTES, "items": [*PAIRS, pair("p1", gold="B")]},
            "two pairs have the id 'p1'",
        ),
        ({"judgments": VOTES, "items": PAIRS, "against": "io"}, "no jury 'io' to compare with"),
    ],
)
def test_what_cannot_be_is_said(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        assize.study.juries(**given)


def test_a_panel_is_compared_by_its_own_weights() -> None:
    found = assize.study.juries(VOTES, items=PAIRS, juries=[Panel({"da": 2.0, "maxim": 0.3}), DA])
    methods = {place.method for place in found.grid.sittings}
    assert methods == {"da", "maxim", "panel of da=2, maxim=0.3"}
    assert wins(found)["all pairs", "panel of da=2, maxim=0.3"] == 2 / 3


def test_lengths_are_columns_beside_all_pairs() -> None:
    found = assize.study.juries(VOTES, items=PAIRS, juries=[DA], turns=[1, 2])
    reasons = {place.least: one.reason for place, one in found.grid.sittings.items()}
    assert reasons == {0: None, 1: None, 2: "no pair has 2 user turns or more"}
