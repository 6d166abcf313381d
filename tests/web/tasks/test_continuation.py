from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import USER, first, form_of, make_task, rows, sent, taken

from assize.base.errors import DataError
from assize.web._forms import keys
from assize.web._tasks import Task, check_task, examples_of, kind_of

ONE = {
    "id": "k1",
    "conversation": "c9",
    "turn": 1,
    "context": [USER],
    "references": ["", "Like so."],
    "candidate": "As an AI, I cannot.",
    "source": "gpt-4o",
}


def task_of(folder: Path, *records: dict[str, Any], **settings: Any) -> Task:
    return make_task(folder, "continuation", records or [ONE], settings=settings)


@pytest.mark.parametrize(
    ("record", "settings", "problem"),
    [
        ({**ONE, "references": [" "]}, {}, "'k1' has no reference"),
        (ONE, {"scales": ["style", "style"]}, "stands twice"),
    ],
)
def test_a_task_that_cannot_be_is_refused(
    tmp_path: Path, record: dict[str, Any], settings: dict[str, Any], problem: str
) -> None:
    with pytest.raises(DataError, match=problem):
        check_task(task_of(tmp_path, record, **settings))


def test_five_people_rate_each_by_default(tmp_path: Path) -> None:
    assert task_of(tmp_path).raters_per_item == 5
    assert make_task(tmp_path, "continuation", [ONE], raters_per_item=2).raters_per_item == 2


def test_scales_are_those_of_the_paper_and_the_table_of_judgments_has_one_for_all(
    task: Task,
) -> None:
    found = {one.name: one.question.answers for one in form_of(task).fields}
    assert found == {
        "content": ("1", "2", "3", "4", "5"),
        "style": ("1", "3", "5"),
        "reasonableness": ("1", "5"),
    }
    assert {one.answers for one in kind_of(task).questions(task)} == {found["content"]}


def test_a_is_the_person_and_b_the_candidate_and_nothing_says_so(task: Task) -> None:
    shown = kind_of(task).shown(task, first(task), None)
    assert shown["options"] == [("Option A", "Like so."), ("Option B", "As an AI, I cannot.")]
    assert "gpt-4o" not in repr(shown)
    asked = form_of(task).fields
    assert not any(
        "person" in one.question.text and "one person" not in one.question.text for one in asked
    )


def test_texts_can_be_shown_as_they_were_written(tmp_path: Path) -> None:
    marked = {**ONE, "context": [{"role": "user", "text": "**Hello** <b>"}], "candidate": "- so"}
    task = task_of(tmp_path, marked, markdown=False)
    one = kind_of(task)
    shown = one.shown(task, first(task), None)
    assert shown["plain"] is True
    assert str(shown["turns"][0].html) == '<p class="plain">**Hello** &lt;b&gt;</p>'
    assert one.shown(task_of(tmp_path, marked), first(task), None)["turns"][0].html is None


@pytest.mark.parametrize(
    ("scale", "rule"),
    [
        (0, "wordier or more detailed: at most 3"),
        (0, "cannot be read or makes no sense: 3"),
        (0, "cut short as it stands"),
        (0, "that lowers nothing"),
        (1, "Neither content nor length counts"),
        (2, "about Option B alone"),
        (2, "It cannot be read"),
    ],
)
def test_rules_stand_with_the_scale_that_they_are_about(task: Task, scale: int, rule: str) -> None:
    rules = form_of(task).sections[scale].instructions
    assert rule in rules
    assert rules in kind_of(task).instructions(task)


def test_what_is_easily_forgotten_stands_above_the_answers_and_its_numbers_are_keys(
    task: Task,
) -> None:
    content, _, reasonable = form_of(task).fields
    assert "wordier: at most 3. Cannot be read: 3." in content.note
    assert "Cannot be read: 1." in reasonable.note
    assert "Naming itself an AI lowers nothing." in reasonable.note
    assert content.question.labels["3"] == "3: neutral"
    assert keys(content)["3"] == "3"


def test_each_scale_has_a_row(task: Task) -> None:
    answers = taken(task, {"content": "2", "style": "3", "reasonableness": "5"})
    found = [(one.item, one.question, one.answer) for one in rows(task, answers)]
    assert found == [("k1", "content", "2"), ("k1", "style", "3"), ("k1", "reasonableness", "5")]


def test_a_style_between_the_steps_is_refused(tmp_path: Path) -> None:
    filled = sent(task_of(tmp_path), {"content": "2", "style": "2", "reasonableness": "5"})
    assert filled.problems.keys() == {"style"}


def test_fewer_scales_can_be_asked(tmp_path: Path) -> None:
    task = task_of(tmp_path, scales=["style"])
    assert [one.id for one in kind_of(task).questions(task)] == ["style"]
    assert [one.answers for one in examples_of(task)][1] == {"style": "1"}


def test_the_shipped_examples_follow_the_rules(tmp_path: Path) -> None:
    wordier = examples_of(task_of(tmp_path))[1]
    assert wordier.answers == {"content": "3", "style": "1", "reasonableness": "5"}
    assert "at most 3" in wordier.why
