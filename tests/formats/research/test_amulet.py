from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Pair
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


def written(tmp_path: Path, value: Any) -> Path:
    path = tmp_path / "amulet.jsonl"
    path.write_text(json.dumps(value) + "\n")
    return path


def judged(path: Path) -> dict[tuple[str, str | None], Judgment]:
    rows = [one for one in iter_records(path) if isinstance(one, Judgment)]
    assert all(parse(to_json(row)) == row for row in rows)
    return {(row.judge, row.order): row for row in rows}


def test_the_chosen_response_is_a_and_gold(tmp_path: Path) -> None:
    (paired,) = iter_records(written(tmp_path, INSTANCE))
    assert isinstance(paired, Pair)
    assert (paired.a[0].text, paired.b[0].text, paired.gold) == ("Four.", "Five.", "A")
    assert parse(to_json(paired)) == paired


def test_both_orders_are_mapped_back_to_the_real_responses(tmp_path: Path) -> None:
    rows = judged(written(tmp_path, OUTPUTS))
    model = "openai:gpt-4o-2024-08-06"
    assert len(rows) == 8
    assert rows[f"da@{model}", "AB"].answer == "A"
    assert rows[f"da@{model}", "BA"].answer == "B"
    assert rows[f"da@{model}", "BA"].explanation == "1 is short."
    assert rows[f"da@{model}", "AB"].details == {"text": "Human: .."}
    assert rows[f"explained@{model}", "BA"].answer == "A"
    assert rows[f"explained@{model}", "BA"].details is None


def test_maxims_are_mapped_back_too(tmp_path: Path) -> None:
    rows = judged(written(tmp_path, OUTPUTS))
    assert rows["maxim@openai:gpt-4o-2024-08-06", "AB"].details == {
        "record_keys": "maxim_pred",
        "maxims": {"Quantity-1": "B", "Quality": "both", "Manner-1": "A"},
    }


def test_an_absent_output_is_unscored_in_every_order_it_lacks(tmp_path: Path) -> None:
    rows = judged(written(tmp_path, OUTPUTS))
    unscored = {key: row.unscored.reason for key, row in rows.items() if row.unscored is not None}
    model = "openai:gpt-4o-2024-08-06"
    assert unscored == {
        (f"maxim@{model}", "BA"): "missing",
        (f"io@{model}", "AB"): "missing",
        (f"io@{model}", "BA"): "missing",
    }


def test_the_higher_reward_wins_equal_ones_tie_and_a_missing_one_is_unscored(
    tmp_path: Path,
) -> None:
    value = {
        "id": "t1",
        "P": {"chosen": -1.5, "rejected": -2.5},
        "Q": {"chosen": 0, "rejected": 0},
        "R": {"chosen": None, "rejected": 1.0},
    }
    rows = {row.judge: row for row in judged(written(tmp_path, value)).values()}
    assert rows["reward@hf:P"].answer == "A"
    assert rows["reward@hf:P"].details == {"scores": {"A": -1.5, "B": -2.5}}
    assert rows["reward@hf:Q"].answer == "tie"
    assert rows["reward@hf:Q"].details == {"scores": {"A": 0, "B": 0}}
    assert rows["reward@hf:R"].unscored is not None


def test_a_reward_whose_key_differs_in_blanks_is_read_only_when_repaired(tmp_path: Path) -> None:
    value = {
        "id": "t1",
        "P": {"chosen": 2, "rejected": 1, "key_matched_by_whitespace_only": True},
    }
    path = written(tmp_path, value)
    (as_released,) = judged(path).values()
    assert as_released.unscored is not None
    assert as_released.unscored.reason == "missing"
    assert as_released.details is not None
    assert as_released.details["scores"] == {"A": 2, "B": 1}
    (repaired,) = (one for one in iter_records(path, ReadOptions(values={"keys": "repaired"})))
    assert isinstance(repaired, Judgment)
    assert repaired.answer == "A"


def test_other_models_are_named_by_the_file_or_by_an_option(tmp_path: Path) -> None:
    path = tmp_path / "outputs-claude-3.5.jsonl"
    value = {"id": "t1", "da": {"chosen_first": {"answer": "tie"}, "rejected_first": {}}}
    path.write_text(json.dumps(value) + "\n")
    rows = judged(path)
    assert rows["da@claude-3.5", "AB"].answer == "tie"
    assert rows["da@claude-3.5", "BA"].unscored is not None
    (named, _) = iter_records(path, ReadOptions(values={"model": "anthropic:claude"}))
    assert isinstance(named, Judgment)
    assert named.judge == "da@anthropic:claude"


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
    with pytest.raises(DataError) as caught:
        list(iter_records(written(tmp_path, value)))
    assert problem in str(caught.value)
