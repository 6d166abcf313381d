from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored
from assize.formats import read
from assize.formats.reading import open_records


def records(path: Path, *rows: dict[str, Any], name: str) -> list[Any]:
    path.write_text("".join(json.dumps(one) + "\n" for one in rows))
    with open_records(path) as opened:
        assert opened.format.name == name
        return [record for _, record in opened.records]


ROW = {
    "source": "evol",
    "instruction": "i",
    "models": ["m1", "m2"],
    "completions": [
        {
            "model": "m1",
            "response": "r",
            "overall_score": 7.5,
            "fine-grained_score": 4.25,
            "annotations": {
                "helpfulness": {"Rating": "4", "Rationale": "why"},
                "honesty": {"Rating": "N/A"},
                "truthfulness": {"Rating": None},
            },
        },
        {"model": "m2", "response": "s", "annotations": {}},
    ],
}


def test_every_answer_is_a_conversation_of_one_group(tmp_path: Path) -> None:
    found = records(tmp_path / "a.jsonl", ROW, name="ultrafeedback")
    chats = [one for one in found if isinstance(one, Conversation)]
    assert [(one.id, one.system, one.metadata["group"]) for one in chats] == [
        ("a-1/0", "m1", "a-1"),
        ("a-1/1", "m2", "a-1"),
    ]


def test_a_rating_that_does_not_apply_is_no_failure(tmp_path: Path) -> None:
    found = records(tmp_path / "a.jsonl", ROW, name="ultrafeedback")
    told = {one.question: one for one in found if isinstance(one, Judgment)}
    assert (told["helpfulness"].answer, told["helpfulness"].explanation) == ("4", "why")
    assert told["honesty"].answer == "NA"
    assert told["truthfulness"].unscored == Unscored("missing", "the source holds no answer")
    assert told["overall"].score == 7.5


def test_an_answer_that_is_no_text_is_a_bad_record(tmp_path: Path) -> None:
    row = {"instruction": "i", "completions": [{"response": 5}]}
    with pytest.raises(DataError, match="expected text"):
        records(tmp_path / "a.jsonl", row, name="ultrafeedback")
    assert read is not None
