from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Pair
from assize.base.errors import DataError
from assize.formats.reading import open_records


def records(path: Path, *rows: dict[str, Any], name: str) -> list[Any]:
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
    (pair,) = records(tmp_path / "a.jsonl", ROW, name="reward-bench")
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
    found = records(tmp_path / "a.jsonl", *rows, name="reward-bench")
    assert len({one.id for one in found}) == 2


def test_of_lists_every_chosen_meets_every_rejected(tmp_path: Path) -> None:
    row = {
        "id": "7",
        "prompt": "p",
        "chosen": ["c", "d"],
        "rejected": ["r", "s", "t"],
        "subset": "Ties",
    }
    found = records(tmp_path / "a.jsonl", row, name="reward-bench")
    assert len(found) == 6
    assert found[5].id == "Ties-7/1-2"
    assert {one.metadata["group"] for one in found} == {"Ties-7"}


def test_a_response_that_is_missing_is_a_bad_record(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a response"):
        records(tmp_path / "a.jsonl", ROW | {"chosen": ""}, name="reward-bench")


def test_every_subset_stands_in_one_section() -> None:
    from assize.formats.research.reward_bench import SECTIONS

    subsets = [one for several in SECTIONS.values() for one in several]
    assert len(subsets) == len(set(subsets)) == 23
