from __future__ import annotations

from dataclasses import replace

from tests.web.tasks.making import ANNA

from assize.base.judgment import Question
from assize.web._forms import Field, Form, FormSection
from assize.web._tasks.rows import answered, judgment, rows_of

ONE = Question("one", kind="nominal", answers=("x", "y"))
OTHER = Question("other", kind="nominal", answers=("x", "y"), applies="has_references")


def test_a_judgment_carries_how_it_came_about() -> None:
    rating = replace(ANNA, pilot=True, suggestion={"one": "x"}, chosen="gold", repeat=1)
    row = judgment("i", "one", "x", rating, details={"more": 1})
    assert row.details == {
        "seconds": 12.3,
        "version": 1,
        "chosen": "gold",
        "pilot": True,
        "suggestion": {"one": "x"},
        "more": 1,
    }
    assert (row.repeat, row.kind) == (1, "person")


def test_a_question_that_the_form_does_not_have_does_not_apply() -> None:
    form = Form((FormSection("", (Field("one", ONE),)),))
    found = list(rows_of([ONE, OTHER], form, "i", {"one": "x"}, ANNA))
    assert [one.answer for one in found] == ["x", "NA"]
    assert found[1].details is not None
    assert found[1].details["applies"] == "has_references"


def test_a_number_is_its_own_score() -> None:
    number = Question("n", kind="number")
    assert answered(number, "i", "2.5", ANNA).score == 2.5
    assert answered(number, "i", "NA", ANNA).score is None
