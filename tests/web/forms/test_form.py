from __future__ import annotations

from assize.base.judgment import Question
from assize.web._forms import Field, Form, FormSection, When

ONE = Question("one", kind="text")


def test_fields_stand_in_the_order_of_the_sections() -> None:
    form = Form((FormSection("a", (Field("x", ONE),)), FormSection("b", (Field("y", ONE),))))
    assert [one.name for one in form.fields] == ["x", "y"]


def test_fields_beside_a_turn_are_found() -> None:
    fields = (Field("x", ONE, turn=0), Field("y", ONE, turn=1), Field("z", ONE))
    form = Form((FormSection("", fields),))
    assert [one.name for one in form.beside(0)] == ["x"]


def test_a_condition_holds_where_one_of_several_answers_does() -> None:
    when = When("x", ("b",))
    assert when.holds({"x": ["a", "b"]})
    assert not when.holds({"x": ["a"]})
    assert not when.holds({})
