from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.queue.rounds import conversations, known, task_in
from tests.web.tasks.making import lines

from assize.web._queue.item_rows import data_hash, item_rows, version_hash
from assize.web._tasks.definition import Gold, Qualification, Suggestions


def test_rows_say_what_each_item_is_for_and_what_is_right(tmp_path: Path) -> None:
    conversations(tmp_path, ["a", "b", "c"])
    conversations(tmp_path, ["q"], "first.jsonl")
    gold: list[dict[str, object]] = [
        {"item": "b", "judge": "gold", "question": "warm", "score": 2},
        {"item": "b", "judge": "gold", "question": "wet", "answer": "1"},
        {"item": "c", "judge": "gold", "question": "warm", "answer": "1"},
    ]
    lines(tmp_path / "gold.jsonl", gold)
    known(tmp_path, ["q"], "pass.jsonl", "3")
    task = task_in(
        tmp_path,
        gold=Gold.model_validate({"judgments": ["gold.jsonl"]}),
        qualification=Qualification.model_validate(
            {"items": ["first.jsonl"], "judgments": ["pass.jsonl"]}
        ),
    )
    found = {key: (row["purpose"], row["expected"]) for key, row in item_rows(task).items()}
    assert found == {
        ("a", False): ("rate", None),
        ("b", False): ("gold", {"warm": "2"}),
        ("c", False): ("gold", {"warm": "1"}),
        ("q", True): ("qualify", {"warm": "3"}),
    }


@pytest.mark.parametrize(
    "said", [{"answer": "2"}, {"score": 2}, {"distribution": {"1": 0.3, "2": 0.7}}]
)
def test_what_is_served_as_a_suggestion_is_what_is_checked(
    tmp_path: Path, said: dict[str, object]
) -> None:
    conversations(tmp_path, ["a", "b"])
    row = {"item": "a", "judge": "io@x", "question": "warm", **said}
    lines(tmp_path / "said.jsonl", [row, {**row, "judge": "other", "answer": "3"}])
    asked = Suggestions.model_validate({"judgments": ["said.jsonl"], "judge": "io@x"})
    found = item_rows(task_in(tmp_path, suggestions=asked))
    assert [found[key, False]["suggestion"] for key in "ab"] == [{"warm": "2"}, None]


def test_a_rubric_that_changes_makes_another_version_and_data_do_not(tmp_path: Path) -> None:
    conversations(tmp_path, ["a"])
    task = task_in(tmp_path)
    version, data = version_hash(task), data_hash(task)
    conversations(tmp_path, ["a", "b"])
    assert (version_hash(task), data_hash(task) != data) == (version, True)
    rubric = tmp_path / "warmth.yaml"
    rubric.write_text(rubric.read_text().replace("How warm", "How very warm"))
    assert version_hash(task) != version


def test_settings_that_name_no_file_change_nothing(tmp_path: Path) -> None:
    conversations(tmp_path, ["a"])
    task = replace(task_in(tmp_path), settings={"a": ["../outside", "x" * 5000, "\0", 3]})
    assert version_hash(task) == version_hash(task)
