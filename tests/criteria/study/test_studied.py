"""The record of a study as JSON, notes and lines."""

from __future__ import annotations

import json

from tests.criteria.study.test_comparing import FOUND

from assize.criteria.study.measures import MEASURES


def test_json_holds_every_figure_of_every_row() -> None:
    told = json.loads(json.dumps(FOUND.to_json(), allow_nan=False))
    assert len(told["rows"]) == 6
    assert set(told["rows"][0]["figures"]) == set(MEASURES)
    assert told["rows"][0]["less_first_method"] is None
    assert set(told["rows"][2]["less_first_method"]) == set(MEASURES)
    assert (told["train"], told["splits"]) == ({"good": 20, "bad": 20}, 1)


def test_notes_begin_with_the_labels() -> None:
    assert FOUND.notes[0].startswith("labels by made: 40 good (50%), 40 bad")


def test_one_line_makes_it_reproducible() -> None:
    (line,) = FOUND.lines
    assert line.startswith("criteria study|methods=3|rubicon+ucb|4+4|n=80|splits=1|resamples=100")


def test_methods_are_in_the_order_given() -> None:
    assert FOUND.methods == ["ours", "weak", "hand"]
