from __future__ import annotations

from assize.web._forms import When


def test_a_condition_holds_where_one_of_several_answers_does() -> None:
    when = When("x", ("b",))
    assert when.holds({"x": ["a", "b"]})
    assert not when.holds({"x": ["a"]})
    assert not when.holds({})
