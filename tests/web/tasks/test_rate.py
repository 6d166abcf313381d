from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import BARE, TALK, first, form_of, make_task, rows, sent, taken

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.rubric import load_rubric
from assize.web._tasks import Task, kind_of

PEOPLE = "information-seeking-people"
MADE = {**TALK, "metadata": {"topic": "rotate keys", "simulated": {"recipe": "DS4"}}}
RUBRIC = """
rubric: own
main: solved
sections:
  - title: First
    instructions: A definition.
    questions:
      - id: solved
        text: Solved?
        answers: {1: no, 2: yes}
        skip: {1: remark}
      - id: tone
        text: Polite?
        answers: {1: no, 2: yes}
      - id: machine
        text: For models
        for: models
        answers: {1: no, 2: yes}
      - id: remark
        text: Anything else?
        kind: text
        for: people
      - id: minutes
        text: How many minutes?
        kind: number
        range: [0, 60]
        for: people
"""


def task_of(folder: Path, **settings: object) -> Task:
    (folder / "own.yaml").write_text(RUBRIC)
    return make_task(folder, "rate", [BARE], settings={"rubric": "own.yaml", **settings})


def asked(task: Task, item: Item | None = None) -> list[str]:
    found = kind_of(task).form(task, first(task) if item is None else item)
    return [one.name for one in found.fields]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"rubric": "gone"}, r"task\.yaml:\d+: .*rubric.*no rubric 'gone'; shipped are"),
        (
            {"not_applicable": ["machine"]},
            "no question 'machine'; people are asked solved",
        ),
    ],
)
def test_settings_that_cannot_be_are_refused(
    tmp_path: Path, settings: dict[str, object], problem: str
) -> None:
    task = task_of(tmp_path, **settings)
    with pytest.raises(DataError, match=problem):
        kind_of(task).check(task)


@pytest.mark.parametrize(
    ("record", "first_asked"), [(MADE, ["DQQ0", "DQQ1", "DQQ2", "Q1"]), (TALK, ["Q1"])]
)
def test_generated_dialogues_alone_are_screened_first(
    tmp_path: Path, record: dict[str, Any], first_asked: list[str]
) -> None:
    names = asked(make_task(tmp_path, "rate", [record], settings={"rubric": PEOPLE}))
    assert names[: len(first_asked)] == first_asked


def test_people_are_asked_what_the_rubric_asks_people(tmp_path: Path) -> None:
    assert asked(task_of(tmp_path)) == ["solved", "tone", "remark", "minutes"]


def test_sections_carry_their_definitions(task: Task) -> None:
    section = form_of(task).sections[0]
    assert (section.title, section.instructions) == ("First", "A definition.")


def test_a_free_text_may_stay_empty_and_then_has_no_row(task: Task) -> None:
    answers = taken(task, {"solved": "2", "tone": "2", "minutes": "3.5"})
    found = {one.question: (one.answer, one.score) for one in rows(task, answers)}
    assert found == {"solved": ("2", None), "tone": ("2", None), "minutes": ("3.5", 3.5)}


def test_what_is_passed_over_on_the_way_to_a_later_question_is_na(task: Task) -> None:
    answers = taken(task, {"solved": "1", "tone": "2", "remark": "none", "minutes": "1"})
    found = {one.question: one for one in rows(task, answers)}
    assert found["tone"].answer == "NA"
    assert found["tone"].details["passed_over"] is True


def test_questions_about_sources_are_na_where_there_are_none(tmp_path: Path) -> None:
    task = make_task(tmp_path, "rate", [BARE], settings={"rubric": "information-seeking"})
    assert {"Q2", "Q3", "Q4", "Q5"}.isdisjoint(asked(task))
    found = {one.question: one for one in rows(task, {"Q0": "4"})}
    assert (found["Q2"].answer, found["Q2"].details["applies"]) == ("NA", "has_references")


def test_no_to_the_screening_ends_the_form_and_nothing_else_has_a_row(tmp_path: Path) -> None:
    task = make_task(tmp_path, "rate", [MADE], settings={"rubric": PEOPLE})
    filled = sent(task, {"DQQ0": "2", "Q0": "4"})
    assert [(one.question, one.answer) for one in rows(task, filled.answers)] == [("DQQ0", "2")]


def test_what_would_not_have_applied_has_no_row_behind_the_end_either(tmp_path: Path) -> None:
    bare = {**BARE, "metadata": MADE["metadata"]}
    task = make_task(tmp_path, "rate", [bare], settings={"rubric": PEOPLE})
    assert "Q2" not in asked(task)
    assert [one.question for one in rows(task, {"DQQ0": "2"})] == ["DQQ0"]
    found = {one.question: one.answer for one in rows(task, {"DQQ0": "1", "Q0": "4"})}
    assert (found["Q2"], found["Q0"]) == ("NA", "4")


def test_what_ends_the_form_may_make_the_rest_na(tmp_path: Path) -> None:
    settings = {"rubric": PEOPLE, "ended": "NA"}
    task = make_task(tmp_path, "rate", [MADE], settings=settings)
    found = {one.question: one.answer for one in rows(task, {"DQQ0": "2"})}
    assert found["Q0"] == "NA"


def test_the_raters_rubric_asks_what_models_are_asked() -> None:
    people, models = load_rubric(PEOPLE), load_rubric("information-seeking")
    theirs = {one.id: one for one in people.questions}
    assert {id: one for id, one in theirs.items() if not id.startswith("DQQ")} == {
        one.id: one for one in models.questions
    }


def test_sections_of_the_raters_rubric_are_those_of_the_paper() -> None:
    sections = [[one.id for one in part.questions] for part in load_rubric(PEOPLE).sections]
    assert sections == [
        ["DQQ0", "DQQ1", "DQQ2", "Q1"],
        ["Q2", "Q3", "Q4", "Q5"],
        ["Q6", "Q7", "Q8"],
        ["Q0"],
    ]


def test_na_is_offered_where_the_settings_say(tmp_path: Path) -> None:
    task = task_of(tmp_path, not_applicable=["tone"])
    fields = {one.name: one.not_applicable for one in form_of(task).fields}
    assert [name for name, offered in fields.items() if offered] == ["tone"]


def test_the_rubrics_own_examples_are_worked(tmp_path: Path) -> None:
    task = make_task(tmp_path, "rate", [TALK], settings={"rubric": "information-seeking"})
    examples = kind_of(task).examples(task)
    assert examples[0].answers["Q0"] == "4"
    assert examples[0].reasons["Q1"] == "Two plain, well-formed sentences."
