"""Who is asked what: audiences, conditions, skips."""

from __future__ import annotations

import pytest

from assize.conversation import Conversation, Turn
from assize.errors import ConfigError
from assize.rubric import CONDITIONS, Rubric, applies


def ids(questions: object) -> list[str]:
    return [one.id for one in questions]  # type: ignore[attr-defined]


def test_models_are_not_asked_what_is_for_people(small: Rubric) -> None:
    assert "note" not in ids(small.asked("models"))
    assert "note" in ids(small.asked("people"))


def test_a_screening_answer_ends_the_form(small: Rubric, sourced: Conversation) -> None:
    assert ids(small.open_questions("people", sourced, {"talk": "no"})) == []
    assert ids(small.open_questions("people", sourced, {"talk": "yes"})) == [
        "sourced",
        "length",
        "note",
        "overall",
    ]


def test_what_does_not_apply_is_not_open(small: Rubric, talk: Conversation) -> None:
    assert "sourced" not in ids(small.open_questions("models", talk, {}))


def test_a_skip_to_a_question_passes_over_what_stands_between(text: str) -> None:
    from assize.rubric import parse_rubric

    rubric = parse_rubric(text.replace("{no: end}", "{no: overall}"), "r")
    assert rubric.passed_over("talk", "no") == ("sourced", "length", "note")
    assert rubric.passed_over("talk", "yes") == rubric.passed_over("talk", None) == ()


def test_an_unknown_question_lists_the_known(small: Rubric) -> None:
    with pytest.raises(ConfigError, match="it has talk, sourced"):
        small.question("nothing")


HOLDS = {
    "always": Conversation("c", (Turn("user", "a"),)),
    "several_exchanges": Conversation("c", (Turn("user", "a"), Turn("user", "b"))),
    "has_system_message": Conversation("c", (Turn("system", "a"),)),
    "uses_tools": Conversation("c", (Turn("tool", "a"),)),
}


@pytest.mark.parametrize("name", [name for name in CONDITIONS if name != "has_references"])
def test_every_condition_holds_where_it_should(name: str) -> None:
    assert applies(name, HOLDS[name])


@pytest.mark.parametrize("name", [name for name in CONDITIONS if name != "always"])
def test_every_condition_fails_where_it_should(name: str) -> None:
    assert not applies(name, HOLDS["always"])


def test_references_on_any_turn_count(sourced: Conversation) -> None:
    assert applies("has_references", sourced)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("metadata.rated=true", True),
        ("metadata.rated=True", False),
        ("metadata.rated", True),
        ("metadata.user.language=de", True),
        ("metadata.user.language", True),
        ("metadata.user.age", False),
        ("metadata.user.language.code", False),
        ("metadata.turns=3", True),
        ("metadata.none=None", False),
    ],
)
def test_metadata_are_compared_as_json_writes_them_along_a_path(
    condition: str, holds: bool
) -> None:
    metadata = {"rated": True, "user": {"language": "de"}, "turns": 3, "none": None}
    assert applies(condition, Conversation("c", (), metadata=metadata)) is holds


@pytest.mark.parametrize("condition", ["metadata.", "metadata.=x", "metadata.a..b", "metadata"])
def test_a_condition_on_no_field_is_not_known(condition: str) -> None:
    from assize.rubric.conditions import known

    assert not known(condition)
