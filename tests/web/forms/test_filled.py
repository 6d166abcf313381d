from __future__ import annotations

import pytest

from assize.base.judgment import Question
from assize.web._forms import (
    END,
    LONGEST,
    MOST,
    Field,
    Form,
    FormSection,
    PassedOver,
    When,
    fill,
    passed_over,
)

YES_NO = Question("q", kind="nominal", answers=("yes", "no"))
FREE = Question("free", kind="text")


def form(*fields: Field, passed: PassedOver = "NA", **more: object) -> Form:
    return Form((FormSection("", fields),), passed_over=passed, **more)  # type: ignore[arg-type]


def asked(*names: str) -> tuple[Field, ...]:
    return tuple(Field(name, YES_NO) for name in names)


def test_answers_are_taken_by_field() -> None:
    assert fill(form(*asked("a", "b")), {"a": ["yes"], "b": ["no"]}).answers == {
        "a": "yes",
        "b": "no",
    }


def test_a_required_field_without_an_answer_is_a_problem() -> None:
    filled = fill(form(*asked("a", "b")), {"a": ["yes"], "b": ["  "]})
    assert list(filled.problems) == ["b"]


def test_an_answer_that_is_not_offered_is_a_problem() -> None:
    assert fill(form(*asked("a")), {"a": ["maybe"]}).problems.keys() == {"a"}


def test_two_answers_where_one_is_asked_are_a_problem() -> None:
    assert fill(form(*asked("a")), {"a": ["yes", "no"]}).problems.keys() == {"a"}


def test_na_is_an_answer_only_where_it_is_offered() -> None:
    both = form(Field("a", YES_NO), Field("b", YES_NO, not_applicable=True))
    filled = fill(both, {"a": ["NA"], "b": ["NA"]})
    assert (filled.answers, list(filled.problems)) == ({"b": "NA"}, ["a"])


def test_names_that_the_form_does_not_have_are_passed_over() -> None:
    assert fill(form(), {"csrf": ["x"]}).answers == {}


def test_checks_keep_every_answer_once() -> None:
    one = form(Field("a", YES_NO, "checks", required=False))
    assert fill(one, {"a": ["no", "yes", "no"]}).answers == {"a": ["no", "yes"]}


def test_what_is_picked_must_stand_in_the_list() -> None:
    filled = fill(form(Field("a", YES_NO, "pick")), {"a": ["yes", "", "yess"]})
    assert filled.problems == {"a": "“yess” is not in the list."}


def test_more_answers_than_a_person_gives_are_refused() -> None:
    many = Question("q", kind="nominal", answers=tuple(map(str, range(MOST + 1))))
    filled = fill(form(Field("a", many, "pick")), {"a": list(many.answers)})
    assert filled.problems.keys() == {"a"}


def test_too_long_a_text_is_refused() -> None:
    filled = fill(form(Field("a", FREE, "lines")), {"a": ["x" * (LONGEST + 1)]})
    assert "At most 20,000 characters" in filled.problems["a"]


def test_line_ends_of_browsers_become_plain_ones() -> None:
    assert fill(form(Field("a", FREE, "lines")), {"a": ["x\r\ny\r\n"]}).answers == {"a": "x\ny"}


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("7", None),
        ("7.5", None),
        ("11", "Please give a number from 1 to 10."),
        ("many", "Please give a number."),
        ("nan", "Please give a number from 1 to 10."),
    ],
)
def test_a_number_lies_in_its_range(said: str, problem: str | None) -> None:
    number = Question("n", kind="number", range=(1, 10))
    filled = fill(form(Field("a", number, "number")), {"a": [said]})
    assert filled.problems.get("a") == problem


@pytest.mark.parametrize("said", ["nan", "inf"])
def test_a_number_without_a_range_is_finite(said: str) -> None:
    filled = fill(form(Field("a", Question("n"), "number")), {"a": [said]})
    assert filled.problems.keys() == {"a"}


def test_an_answer_that_ends_the_form_passes_over_the_rest() -> None:
    ends = form(*asked("a", "b", "c"), skips={"a": {"no": END}})
    filled = fill(ends, {"a": ["no"], "b": ["yes"]})
    assert (filled.answers, filled.problems, filled.passed_over) == ({"a": "no"}, {}, ("b", "c"))


def test_an_answer_that_goes_on_later_passes_over_what_is_between() -> None:
    skips = form(*asked("a", "b", "c"), skips={"a": {"no": "c"}})
    filled = fill(skips, {"a": ["no"]})
    assert (filled.passed_over, list(filled.problems)) == (("b",), ["c"])


def test_a_later_question_that_does_not_apply_passes_over_nothing() -> None:
    skips = form(*asked("a", "b"), skips={"a": {"no": "gone"}})
    assert fill(skips, {"a": ["no"]}).passed_over == ()


def test_a_field_is_asked_only_after_the_answers_that_it_names() -> None:
    dependent = form(*asked("a"), Field("b", FREE, "text", when=When("a", ("no",))))
    assert fill(dependent, {"a": ["yes"], "b": ["x"]}).answers == {"a": "yes"}
    assert fill(dependent, {"a": ["no"]}).problems.keys() == {"b"}


def test_what_must_hold_between_fields_is_asked_once_each_is_right() -> None:
    checked = form(*asked("a", "b"), check=lambda answers: {"b": f"not {answers['b']}"})
    assert fill(checked, {"a": ["yes"]}).problems.keys() == {"b"}
    assert fill(checked, {"a": ["yes"], "b": ["no"]}).problems == {"b": "not no"}


def test_passed_over_says_what_is_na_and_what_has_no_row() -> None:
    skips = {"a": {"no": "c"}, "c": {"no": END}}
    fields = (*asked("a", "b", "c"), Field("d", FREE, "text", when=When("a", ("yes",))))
    ends = form(*fields, passed="nothing", skips=skips)
    assert passed_over(ends, {"a": "no", "c": "no"}) == {"b": "NA", "d": "nothing"}
    assert passed_over(ends, {"a": "no", "c": "yes"}) == {"b": "NA", "d": "nothing"}
    assert passed_over(ends, {"a": "yes", "b": "no", "c": "yes"}) == {}
