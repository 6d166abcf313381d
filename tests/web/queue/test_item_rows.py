from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.queue.rounds import conversations, known, task_in

from assize.base.errors import DataError
from assize.web._queue.item_rows import data_hash, item_rows, version_hash
from assize.web._tasks.definition import Gold, Qualification, Suggestions


def test_rows_say_what_each_item_is_for(tmp_path: Path) -> None:
    conversations(tmp_path, ["a", "b"])
    conversations(tmp_path, ["q"], "first.jsonl")
    known(tmp_path, ["b"], "gold.jsonl", "2")
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
        ("q", True): ("qualify", {"warm": "3"}),
    }


def test_a_judges_suggestions_stand_with_the_items(tmp_path: Path) -> None:
    conversations(tmp_path, ["a", "b"])
    lines = [
        {"item": "a", "judge": judge, "question": "warm", "answer": answer}
        for judge, answer in (("io@x", "2"), ("other", "3"))
    ]
    (tmp_path / "said.jsonl").write_text("\n".join(map(json.dumps, lines)))
    task = task_in(
        tmp_path,
        suggestions=Suggestions.model_validate({"judgments": ["said.jsonl"], "judge": "io@x"}),
    )
    rows = item_rows(task)
    assert rows["a", False]["suggestion"] == {"warm": "2"}
    assert rows["b", False]["suggestion"] is None


def test_what_is_served_as_right_is_what_is_checked(tmp_path: Path) -> None:
    conversations(tmp_path, ["a", "b"])
    said = [
        {"item": "a", "judge": "gold", "question": "warm", "score": 2},
        {"item": "a", "judge": "gold", "question": "wet", "answer": "1"},
        {"item": "b", "judge": "gold", "question": "warm", "answer": "1"},
    ]
    (tmp_path / "gold.jsonl").write_text("\n".join(map(json.dumps, said)))
    task = task_in(tmp_path, gold=Gold.model_validate({"judgments": ["gold.jsonl"]}))
    found = {item: row["expected"] for (item, _), row in item_rows(task).items()}
    assert found == {"a": {"warm": "2"}, "b": {"warm": "1"}}


@pytest.mark.parametrize("said", [{"score": 2}, {"distribution": {"1": 0.3, "2": 0.7}}])
def test_what_is_served_as_a_suggestion_is_what_is_checked(
    tmp_path: Path, said: dict[str, object]
) -> None:
    conversations(tmp_path, ["a"])
    row = {"item": "a", "judge": "io@x", "question": "warm", **said}
    (tmp_path / "said.jsonl").write_text(json.dumps(row))
    task = task_in(
        tmp_path,
        suggestions=Suggestions.model_validate({"judgments": ["said.jsonl"], "judge": "io@x"}),
    )
    assert item_rows(task)["a", False]["suggestion"] == {"warm": "2"}


def test_two_items_of_one_id_are_refused(tmp_path: Path) -> None:
    conversations(tmp_path, ["a", "a"])
    with pytest.raises(DataError, match="the id 'a'"):
        item_rows(task_in(tmp_path))


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
