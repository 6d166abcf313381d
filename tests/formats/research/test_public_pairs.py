from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.formats.conftest import only_record, records_as, turn_texts

from assize.base.errors import DataError
from assize.formats.research.public_pairs import SECTIONS

BATTLE = {
    "id": 30192,
    "model_a": "m1",
    "model_b": "m2",
    "prompt": json.dumps(["Hi", "More"]),
    "response_a": json.dumps(["A1", "A2"]),
    "response_b": json.dumps(["B1", None]),
    "winner_model_a": 0,
    "winner_model_b": 0,
    "winner_tie": 1,
}
LABELLED = {"prompt": "Hi", "response_a": "x", "response_b": "y", "lang": "en"}
ROW = {
    "prompt": "2+2?",
    "chosen": "4",
    "chosen_model": "m1",
    "rejected": "5",
    "rejected_model": "m2",
    "subset": "hep-go",
    "id": 3,
}
SAFE = {
    "prompt": "p",
    "response_0": "r",
    "response_1": "s",
    "is_response_0_safe": True,
    "is_response_1_safe": False,
    "better_response_id": 1,
    "safer_response_id": 0,
    "response_0_source": "m1",
    "response_1_source": "m2",
}


def test_a_battle_is_a_pair_of_dialogues(tmp_path: Path) -> None:
    (pair,) = records_as("arena-texts", tmp_path / "a.jsonl", BATTLE)
    assert [turn.text for turn in pair.context] == ["Hi"]
    assert [turn.text for turn in pair.a] == ["A1", "More", "A2"]
    assert [turn.text for turn in pair.b] == ["B1", "More", ""]
    assert (pair.id, pair.gold) == ("30192", "tie")
    assert pair.metadata == {"model_a": "m1", "model_b": "m2"}
    pd.DataFrame([BATTLE]).to_csv(tmp_path / "train.csv", index=False)
    assert only_record(tmp_path / "train.csv") == pair


@pytest.mark.parametrize(
    ("label", "gold"), [("A", "A"), ("response_b", "B"), ("tie", "tie"), (None, None)]
)
def test_two_responses_and_a_label_are_a_pair(tmp_path: Path, label: Any, gold: Any) -> None:
    (pair,) = records_as("arena-texts", tmp_path / "a.jsonl", LABELLED | {"label": label})
    assert (pair.gold, turn_texts(pair), pair.metadata) == (gold, ["Hi", "x", "y"], {"lang": "en"})


@pytest.mark.parametrize(
    ("name", "row", "words"),
    [
        ("arena-texts", LABELLED | {"label": 0}, r"context=prompt,.*gold:0=A,gold:1=B"),
        ("arena-texts", BATTLE | {"winner_model_b": 1}, "more than one side"),
        ("reward-bench", ROW | {"chosen": ""}, "expected a response"),
        ("safe-rlhf", SAFE | {"better_response_id": 2}, "expected 0 or 1"),
    ],
)
def test_a_bad_record_says_what_is_wrong(
    name: str, row: dict[str, Any], words: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=words):
        records_as(name, tmp_path / "a.jsonl", row)


def test_a_row_is_a_pair_of_its_subset_and_section(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"subset": "donotanswer"}]
    pair, other = records_as("reward-bench", tmp_path / "a.jsonl", *rows)
    assert (pair.id, pair.gold, turn_texts(pair)) == ("hep-go-3", "A", ["2+2?", "4", "5"])
    assert pair.metadata == {
        "subset": "hep-go",
        "section": "Reasoning",
        "system_a": "m1",
        "system_b": "m2",
    }
    assert other.id != pair.id


def test_of_lists_every_chosen_meets_every_rejected(tmp_path: Path) -> None:
    row = ROW | {"id": "7", "chosen": ["c", "d"], "rejected": ["r", "s", "t"], "subset": "Ties"}
    found = records_as("reward-bench", tmp_path / "a.jsonl", row)
    assert [turn_texts(one)[1:] for one in found] == [[c, r] for c in "cd" for r in "rst"]
    assert found[5].id == "Ties-7/1-2"
    assert {one.metadata["group"] for one in found} == {"Ties-7"}


def test_every_subset_stands_in_one_section() -> None:
    subsets = [one for several in SECTIONS.values() for one in several]
    assert len(subsets) == len(set(subsets)) == 23


@pytest.mark.parametrize(
    ("lacks", "gold"),
    [((), {"preference": "B", "safety": "A"}), (("safer_response_id",), "B")],
)
def test_better_and_safer_are_two_questions(tmp_path: Path, lacks: Any, gold: Any) -> None:
    row = {name: value for name, value in SAFE.items() if name not in lacks}
    (pair,) = records_as("safe-rlhf", tmp_path / "a.jsonl", row)
    assert pair.gold == gold
    assert pair.metadata == {
        "is_response_0_safe": True,
        "is_response_1_safe": False,
        "system_a": "m1",
        "system_b": "m2",
    }
