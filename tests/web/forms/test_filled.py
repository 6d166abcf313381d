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


MANY = Question("q", kind="nominal", answers=tuple(map(str, range(MOST + 1))))
TEN = Question("n", kind="number", range=(1, 10))
NOT_OFFERED = "Please choose one of the answers."
FIELDS: dict[str, tuple[Field, list[str], object, str]] = {
    "an answer": (Field("a", YES_NO), ["yes"], "yes", ""),
    "none where one is required": (
        Field("a", YES_NO),
        ["  "],
        None,
        "Please answer this question.",
    ),
    "one that is not offered": (Field("a", YES_NO), ["maybe"], None, NOT_OFFERED),
    "two where one is asked": (Field("a", YES_NO), ["yes", "no"], None, "Please give one answer."),
    "NA that is not offered": (Field("a", YES_NO), ["NA"], None, NOT_OFFERED),
    "NA": (Field("a", YES_NO, not_applicable=True), ["NA"], "NA", ""),
    "checks, each once": (Field("a", YES_NO, "checks"), ["no", "yes", "no"], ["no", "yes"], ""),
    "one that is not in the list": (
        Field("a", YES_NO, "pick"),
        ["yes", "", "yess"],
        None,
        "“yess” is not in the list.",
    ),
    "more than a person gives": (
        Field("a", MANY, "pick"),
        list(MANY.answers),
        None,
        "At most 40 answers, not 41.",
    ),
    "too long a text": (
        Field("a", FREE, "lines"),
        ["x" * (LONGEST + 1)],
        None,
        "At most 20,000 characters, not 20,001.",
    ),
    "line ends of browsers": (Field("a", FREE, "lines"), ["x\r\ny\r\n"], "x\ny", ""),
    "a number": (Field("a", TEN, "number"), ["7.5"], "7.5", ""),
    "the lowest and no lower": (Field("a", TEN, "number"), ["1"], "1", ""),
    "the highest": (Field("a", TEN, "number"), ["10"], "10", ""),
    "too high a number": (
        Field("a", TEN, "number"),
        ["11"],
        None,
        "Please give a number from 1 to 10.",
    ),
    "no number": (Field("a", TEN, "number"), ["many"], None, "Please give a number."),
    "nan": (Field("a", TEN, "number"), ["nan"], None, "Please give a number from 1 to 10."),
    "nan without a range": (
        Field("a", Question("n"), "number"),
        ["nan"],
        None,
        "Please give a number.",
    ),
    "inf": (Field("a", Question("n"), "number"), ["inf"], None, "Please give a number."),
}


@pytest.mark.parametrize("case", FIELDS)
def test_what_is_posted_is_an_answer_or_a_problem(case: str) -> None:
    field, posted, answer, problem = FIELDS[case]
    filled = fill(form(field), {"a": posted, "csrf": ["x"]})
    assert filled.answers == ({} if answer is None else {"a": answer})
    assert filled.problems == ({"a": problem} if problem else {})


@pytest.mark.parametrize(
    ("target", "over", "missing"),
    [(END, ("b", "c"), []), ("c", ("b",), ["c"]), ("gone", (), ["b", "c"])],
    ids=["the rest", "what is between", "nothing, for the target does not apply"],
)
def test_an_answer_passes_over_what_its_rule_says(
    target: str, over: tuple[str, ...], missing: list[str]
) -> None:
    filled = fill(form(*asked("a", "b", "c"), skips={"a": {"no": target}}), {"a": ["no"]})
    assert (filled.answers, filled.passed_over) == ({"a": "no"}, over)
    assert list(filled.problems) == missing


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
