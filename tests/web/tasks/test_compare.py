from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.web.tasks.making import (
    ANNA,
    BARE,
    PAIR,
    TALK,
    form_of,
    make_task,
    rows,
    sent,
    taken,
)

from assize.base.errors import DataError
from assize.base.judgment import Order
from assize.judging.judges.dimensions import NAMES
from assize.web._tasks import kind_of

DIALOGUES = {
    "id": "d1",
    "context": [],
    "a": TALK["turns"],
    "b": BARE["turns"],
    "shared_user": True,
}


def compared(folder: Path, **settings: Any) -> Any:
    return make_task(folder, "compare", [PAIR, DIALOGUES], settings=settings)


@pytest.mark.parametrize(
    ("order", "said", "meant"),
    [
        ("AB", "A", "A"),
        ("BA", "A", "B"),
        ("BA", "B", "A"),
        ("BA", "tie", "tie"),
        ("BA", "NA", "NA"),
    ],
)
def test_one_overall_preference_of_the_real_sides_is_asked_by_default(
    tmp_path: Path, order: Order, said: str, meant: str
) -> None:
    found = rows(compared(tmp_path), {"preference": said}, replace(ANNA, order=order))
    assert [(one.question, one.answer, one.order) for one in found] == [
        ("preference", meant, order)
    ]


def test_each_of_mtdevals_ten_dimensions_and_overall_has_its_own_row(tmp_path: Path) -> None:
    task = compared(tmp_path, questions="dimensions", why="no")
    found = rows(task, taken(task, dict.fromkeys(NAMES, "tie")))
    assert [(one.question, one.answer) for one in found] == [(name, "tie") for name in NAMES]


def test_a_rubric_can_be_compared_on_with_its_main_question_last(tmp_path: Path) -> None:
    task = compared(tmp_path, rubric="information-seeking")
    ids = [one.id for one in kind_of(task).questions(task)]
    assert (ids[-1], "Q8" in ids) == ("Q0", False)
    assert all(one.kind == "preference" for one in kind_of(task).questions(task))


def test_own_questions_carry_their_notes(tmp_path: Path) -> None:
    own = [{"id": "warmer", "text": "Which is warmer?", "note": "Tone alone."}]
    field = form_of(compared(tmp_path, questions=own)).fields[0]
    assert (field.name, field.question.text, field.note) == (
        "warmer",
        "Which is warmer?",
        "Tone alone.",
    )


def test_a_tie_is_refused_where_one_must_be_chosen(tmp_path: Path) -> None:
    assert sent(compared(tmp_path, ties=False), {"preference": "tie"}).problems


def test_the_reason_explains_the_last_row_alone(tmp_path: Path) -> None:
    own = [{"id": "x", "text": "X?"}, {"id": "y", "text": "Y?"}]
    task = compared(tmp_path, questions=own)
    found = rows(task, {"x": "A", "y": "B", "why": "It is shorter."})
    assert [one.explanation for one in found] == [None, "It is shorter."]


def test_whole_dialogues_are_told_apart_from_responses(tmp_path: Path) -> None:
    task = compared(tmp_path)
    kind = kind_of(task)
    whole = [kind.shown(task, one, None)["dialogues"] for one in kind.items(task)]
    assert whole == [False, True]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"questions": "dimensions", "rubric": "general"}, "give questions or a rubric"),
        ({"questions": [{"id": "x", "text": "?"}, {"id": "x", "text": "?"}]}, "ids that differ"),
        ({"questions": [{"id": "why", "text": "?"}]}, "field of the reason"),
        ({"questions": []}, "one at least"),
    ],
)
def test_settings_that_cannot_be_are_refused(
    tmp_path: Path, settings: dict[str, Any], problem: str
) -> None:
    task = compared(tmp_path, **settings)
    with pytest.raises(DataError, match=problem):
        kind_of(task).check(task)
