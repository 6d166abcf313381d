from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, only_record, turn_texts

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats import parse, to_json
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records

INSTANCE = {
    "id": "t1",
    "turns": [{"role": "user", "text": "Two plus two?"}],
    "chosen": "Four.",
    "rejected": "Five.",
}
OUTPUTS = {
    "id": "t1",
    "da": {
        "chosen_first": {"answer": "chosen", "explanation": "1 is right.", "text": "Human: .."},
        "rejected_first": {"answer": "rejected", "explanation": "1 is short.", "text": "Human: .."},
    },
    "maxim": {
        "chosen_first": {
            "answer": "chosen",
            "explanation": "x",
            "maxims": {"Quantity-1": "rejected", "Quality": "both", "Manner-1": "chosen"},
            "record_keys": "maxim_pred",
        },
        "rejected_first": None,
    },
    "io": None,
    "w-expl": {
        "chosen_first": {"answer": "chosen", "explanation": "y"},
        "rejected_first": {"answer": "chosen", "explanation": "z"},
    },
}


def judged(path: Path, **values: str) -> dict[tuple[str, str | None], Judgment]:
    rows = [
        one for one in iter_records(path, ReadOptions(values=values)) if isinstance(one, Judgment)
    ]
    assert [parse(to_json(row)) for row in rows] == rows
    return {(row.judge, row.order): row for row in rows}


def test_the_chosen_response_is_a_and_gold(tmp_path: Path) -> None:
    paired = only_record(lines(tmp_path / "a.jsonl", INSTANCE))
    assert (turn_texts(paired), paired.gold) == (["Two plus two?", "Four.", "Five."], "A")
    assert parse(to_json(paired)) == paired


def test_both_orders_are_mapped_back_to_the_real_responses(tmp_path: Path) -> None:
    rows = judged(lines(tmp_path / "amulet.jsonl", OUTPUTS))
    model = "openai:gpt-4o-2024-08-06"
    found = {key: row.unscored.reason if row.unscored else row.answer for key, row in rows.items()}
    assert found == {
        (f"da@{model}", "AB"): "A",
        (f"da@{model}", "BA"): "B",
        (f"maxim@{model}", "AB"): "A",
        (f"maxim@{model}", "BA"): "missing",
        (f"io@{model}", "AB"): "missing",
        (f"io@{model}", "BA"): "missing",
        (f"explained@{model}", "AB"): "A",
        (f"explained@{model}", "BA"): "A",
    }
    assert rows[f"da@{model}", "BA"].explanation == "1 is short."
    assert rows[f"da@{model}", "AB"].details == {"text": "Human: .."}
    assert rows[f"explained@{model}", "BA"].details is None
    assert rows[f"maxim@{model}", "AB"].details == {
        "record_keys": "maxim_pred",
        "maxims": {"Quantity-1": "B", "Quality": "both", "Manner-1": "A"},
    }


@pytest.mark.parametrize(
    ("scores", "answer", "details"),
    [
        ({"chosen": -1.5, "rejected": -2.5}, "A", {"A": -1.5, "B": -2.5}),
        ({"chosen": 0, "rejected": 0}, "tie", {"A": 0, "B": 0}),
        ({"chosen": None, "rejected": 1.0}, None, None),
        # A key that differs in blanks is read only when repaired.
        (
            {"chosen": 2, "rejected": 1, "key_matched_by_whitespace_only": True},
            None,
            {"A": 2, "B": 1},
        ),
    ],
)
def test_the_higher_reward_wins_equal_ones_tie_and_a_missing_one_is_unscored(
    scores: Any, answer: str | None, details: Any, tmp_path: Path
) -> None:
    (row,) = judged(lines(tmp_path / "amulet.jsonl", {"id": "t1", "P": scores})).values()
    assert (row.judge, row.answer) == ("reward@hf:P", answer)
    assert (row.unscored is None) == (answer is not None)
    assert details is None or (row.details or {})["scores"] == details


def test_a_reward_whose_key_differs_in_blanks_is_read_only_when_repaired(tmp_path: Path) -> None:
    scores = {"chosen": 2, "rejected": 1, "key_matched_by_whitespace_only": True}
    path = lines(tmp_path / "amulet.jsonl", {"id": "t1", "P": scores})
    (repaired,) = judged(path, keys="repaired").values()
    assert repaired.answer == "A"


def test_other_models_are_named_by_the_file_or_by_an_option(tmp_path: Path) -> None:
    value = {"id": "t1", "da": {"chosen_first": {"answer": "tie"}, "rejected_first": {}}}
    path = lines(tmp_path / "outputs-claude-3.5.jsonl", value)
    rows = judged(path)
    assert rows["da@claude-3.5", "AB"].answer == "tie"
    assert rows["da@claude-3.5", "BA"].unscored is not None
    assert ("da@anthropic:claude", "AB") in judged(path, model="anthropic:claude")


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (OUTPUTS | {"io": {"chosen_first": {"answer": "first"}}}, "answer: received 'first'"),
        (INSTANCE | {"chosen": None}, "chosen: received None; expected text"),
        ({"id": "t1", "P": {"chosen": "high", "rejected": 1}}, "chosen: received 'high'"),
    ],
)
def test_what_cannot_be_read_is_an_error_with_its_field(
    value: Any, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=problem):
        list(iter_records(lines(tmp_path / "amulet.jsonl", value)))
