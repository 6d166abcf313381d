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
    (pair,) = records(tmp_path / "a.jsonl", ROW, name="safe-rlhf")
    assert isinstance(pair, Pair)
    assert pair.gold == {"preference": "B", "safety": "A"}
    assert pair.metadata == {
        "is_response_0_safe": True,
        "is_response_1_safe": False,
        "system_a": "m1",
        "system_b": "m2",
    }


def test_better_alone_is_the_preference(tmp_path: Path) -> None:
    row = {name: one for name, one in ROW.items() if name != "safer_response_id"}
    (pair,) = records(tmp_path / "a.jsonl", row, name="safe-rlhf")
    assert pair.gold == "B"


def test_another_number_is_a_bad_record(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected 0 or 1"):
        records(tmp_path / "a.jsonl", ROW | {"better_response_id": 2}, name="safe-rlhf")
