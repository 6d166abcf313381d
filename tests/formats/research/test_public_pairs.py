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


def records_reward_bench(path: Path, *rows: dict[str, Any], name: str) -> list[Any]:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with open_records(path) as opened:
        assert opened.format.name == name
        return [record for _, record in opened.records]


ROW = {
    "prompt": "2+2?",
    "chosen": "4",
    "chosen_model": "m1",
    "rejected": "5",
    "rejected_model": "m2",
    "subset": "hep-go",
    "id": 3,
}


def test_a_row_is_a_pair_of_its_subset_and_section(tmp_path: Path) -> None:
    (pair,) = records_reward_bench(tmp_path / "a.jsonl", ROW, name="reward-bench")
    assert isinstance(pair, Pair)
    assert (pair.id, pair.gold, pair.a[0].text) == ("hep-go-3", "A", "4")
    assert pair.metadata == {
        "subset": "hep-go",
        "section": "Reasoning",
        "system_a": "m1",
        "system_b": "m2",
    }


def test_one_id_in_two_subsets_is_two_pairs(tmp_path: Path) -> None:
    rows = [ROW, ROW | {"subset": "donotanswer"}]
    found = records_reward_bench(tmp_path / "a.jsonl", *rows, name="reward-bench")
    assert len({one.id for one in found}) == 2


def test_of_lists_every_chosen_meets_every_rejected(tmp_path: Path) -> None:
    row = {
        "id": "7",
        "prompt": "p",
        "chosen": ["c", "d"],
        "rejected": ["r", "s", "t"],
        "subset": "Ties",
    }
    found = records_reward_bench(tmp_path / "a.jsonl", row, name="reward-bench")
    assert len(found) == 6
    assert found[5].id == "Ties-7/1-2"
    assert {one.metadata["group"] for one in found} == {"Ties-7"}


def test_a_response_that_is_missing_is_a_bad_record(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a response"):
        records_reward_bench(tmp_path / "a.jsonl", ROW | {"chosen": ""}, name="reward-bench")


def test_every_subset_stands_in_one_section() -> None:
    from assize.formats.research.public_pairs import SECTIONS

    subsets = [one for several in SECTIONS.values() for one in several]
    assert len(subsets) == len(set(subsets)) == 23


def records_safe_rlhf(path: Path, *rows: dict[str, Any], name: str) -> list[Any]:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with open_records(path) as opened:
        assert opened.format.name == name
        return [record for _, record in opened.records]


ROW_SAFE_RLHF = {
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


def test_better_and_safer_are_two_questions(tmp_path: Path) -> None:
    (pair,) = records_safe_rlhf(tmp_path / "a.jsonl", ROW_SAFE_RLHF, name="safe-rlhf")
    assert isinstance(pair, Pair)
    assert pair.gold == {"preference": "B", "safety": "A"}
    assert pair.metadata == {
        "is_response_0_safe": True,
        "is_response_1_safe": False,
        "system_a": "m1",
        "system_b": "m2",
    }


def test_better_alone_is_the_preference(tmp_path: Path) -> None:
    row = {name: one for name, one in ROW_SAFE_RLHF.items() if name != "safer_response_id"}
    (pair,) = records_safe_rlhf(tmp_path / "a.jsonl", row, name="safe-rlhf")
    assert pair.gold == "B"


def test_another_number_is_a_bad_record(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected 0 or 1"):
        records_safe_rlhf(
            tmp_path / "a.jsonl", ROW_SAFE_RLHF | {"better_response_id": 2}, name="safe-rlhf"
        )
