from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Pair
from assize.base.errors import DataError
from assize.formats.reading import iter_records, open_records


def records(path: Path, *rows: dict[str, Any], name: str) -> list[Any]:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with open_records(path) as opened:
        assert opened.format.name == name
        return [record for _, record in opened.records]


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


def test_a_battle_is_a_pair_of_dialogues(tmp_path: Path) -> None:
    (pair,) = records(tmp_path / "a.jsonl", BATTLE, name="arena-texts")
    assert isinstance(pair, Pair)
    assert [turn.text for turn in pair.context] == ["Hi"]
    assert [turn.text for turn in pair.a] == ["A1", "More", "A2"]
    assert [turn.text for turn in pair.b] == ["B1", "More", ""]
    assert (pair.id, pair.gold, pair.metadata) == (
        "30192",
        "tie",
        {"model_a": "m1", "model_b": "m2"},
    )


def test_as_csv_it_is_the_same(tmp_path: Path) -> None:
    import csv

    path = tmp_path / "train.csv"
    with path.open("w", newline="") as stream:
        table = csv.DictWriter(stream, list(BATTLE))
        table.writeheader()
        table.writerow(BATTLE)
    (pair,) = iter_records(path)
    assert isinstance(pair, Pair)
    assert (pair.gold, len(pair.a)) == ("tie", 3)


@pytest.mark.parametrize(
    ("label", "gold"), [("A", "A"), ("response_b", "B"), ("tie", "tie"), (None, None)]
)
def test_two_responses_and_a_label_are_a_pair(tmp_path: Path, label: Any, gold: Any) -> None:
    row = {"prompt": "Hi", "response_a": "x", "response_b": "y", "label": label, "lang": "en"}
    (pair,) = records(tmp_path / "a.jsonl", row, name="arena-texts")
    assert (pair.gold, pair.context[0].text, pair.metadata) == (gold, "Hi", {"lang": "en"})


def test_a_number_needs_a_word_for_it(tmp_path: Path) -> None:
    row = {"prompt": "Hi", "response_a": "x", "response_b": "y", "label": 0}
    with pytest.raises(DataError, match=r"context=prompt,.*gold:0=A,gold:1=B"):
        records(tmp_path / "a.jsonl", row, name="arena-texts")


def test_two_winners_are_a_bad_record(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="more than one side"):
        records(tmp_path / "a.jsonl", BATTLE | {"winner_model_b": 1}, name="arena-texts")
