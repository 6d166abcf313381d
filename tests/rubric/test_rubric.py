"""Who is asked what: audiences, conditions, skips."""

from __future__ import annotations

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError
from assize.rubric import Rubric


def ids(questions: object) -> list[str]:
    return [one.id for one in questions]  # type: ignore[attr-defined]


def test_models_are_not_asked_what_is_for_people(small: Rubric) -> None:
    assert "note" not in ids(small.asked("models"))
    assert "note" in ids(small.asked("people"))


def test_what_is_open(small: Rubric, sourced: Conversation, talk: Conversation) -> None:
    rest = ["sourced", "length", "note", "overall"]
    assert ids(small.open_questions("people", sourced, {"talk": "no"})) == []
    assert ids(small.open_questions("people", sourced, {"talk": "yes"})) == rest
    assert "sourced" not in ids(small.open_questions("models", talk, {}))


def test_a_skip_to_a_question_passes_over_what_stands_between(text: str) -> None:
    from assize.rubric import parse_rubric

    rubric = parse_rubric(text.replace("{no: end}", "{no: overall}"), "r")
    assert rubric.passed_over("talk", "no") == ("sourced", "length", "note")
    assert rubric.passed_over("talk", "yes") == rubric.passed_over("talk", None) == ()


def test_an_unknown_question_lists_the_known(small: Rubric) -> None:
    with pytest.raises(ConfigError, match="it has talk, sourced"):
        small.question("nothing")
