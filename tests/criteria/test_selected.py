"""The record of a selection as JSON, notes and lines."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.criteria.simulated import simulated

from assize.criteria.selecting import Selecting, select
from assize.criteria.selection import Budget
from assize.criteria.selection.policies import Settings

FOUND = select(*simulated(), Selecting(settings=Settings(Budget(2, 2)), samples=3))


def test_json_holds_every_figure() -> None:
    told = json.loads(json.dumps(FOUND.to_json(), allow_nan=False))
    assert [one["id"] for one in told["criteria"]] == [one.id for one in FOUND.criteria.criteria]
    assert told["objective"]["weight"] == FOUND.weight
    assert len(told["weights"]) == 11
    assert set(told["held_out"]) == set(told["training"])
    assert (told["n"], told["good"], told["pool"], told["left_out"]) == (80, 40, 24, [])


def test_notes_begin_with_the_labels_and_end_with_the_file() -> None:
    assert FOUND.notes[0].startswith("labels by made: 40 good (50%), 40 bad")
    assert replace(FOUND, out="c.yaml").notes[-1] == "c.yaml: 4 criteria"
    assert FOUND.lines == [FOUND.signature]
