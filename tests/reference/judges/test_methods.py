"""What each judge is shown, and what it may answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.reference.judges.asked import ANSWERS, ATTACK, UNREFERENCED, K, ask, judge_of, saying

from assize.base.conversation import Turn
from assize.formats.research.upheld import QUESTIONS
from assize.judging.judge import Task


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("guidelines-style", [1, 3, 5]),
        ("guidelines-reasonableness", [1, 5]),
        ("equivalence", [1, 2, 3, 4, 5]),
    ],
)
def test_only_the_points_that_people_had_can_be_answered(name: str, allowed: list[int]) -> None:
    judge = judge_of(name, saying(2 if 2 not in allowed else 6))
    assert judge.method.schema["properties"]["answer"]["enum"] == allowed
    row: Any = ask(judge)
    assert row.unscored.reason == "parse"


@pytest.mark.parametrize("name", ANSWERS)
def test_whatever_is_judged_stands_between_marks(name: str) -> None:
    item = replace(
        K,
        context=(Turn("user", ATTACK),),
        candidate=f"{ATTACK} B",
        references=(f"{ATTACK} A", f"{ATTACK} C"),
    )
    request = judge_of(name, saying(1)).request(item, Task(item))
    system, user = request.messages
    assert ATTACK not in system.text
    inside, kept = False, []
    for line in user.text.splitlines():
        if line.startswith(f"[{request.boundary}]"):
            inside = "BEGIN" in line or ("END" not in line and inside)
        elif ATTACK in line:
            kept.append(inside)
    assert kept == [True] * (2 if name in UNREFERENCED else 4)


@pytest.mark.parametrize("name", sorted(ANSWERS.keys() - UNREFERENCED))
def test_all_references_are_shown_and_an_empty_one_is_none(name: str) -> None:
    item = replace(K, references=("Bus 4.", " ", "Walk down the hill."))
    user = judge_of(name, saying(1)).request(item, Task(item)).messages[1].text
    for shown in ("Bus 4.", "Walk down the hill.", " 2, turn 1, assistant:"):
        assert shown in user
    assert " 3, turn 1, assistant:" not in user
    closest = "let the one that comes closest decide"
    assert (closest in user) == (name != "natural-explained")
    alone = replace(K, references=("Bus 4.",))
    assert closest not in judge_of(name, saying(1)).request(alone, Task(alone)).messages[1].text


@pytest.mark.parametrize(
    "control", [("equivalent", "equivalent-explained"), ("equivalence", "equivalence-explained")]
)
def test_a_control_differs_in_nothing_but_the_explanation(control: tuple[str, str]) -> None:
    def lines(name: str) -> set[str]:
        request = judge_of(name, saying(1)).request(K, Task(K))
        return {line for one in request.messages for line in one.text.splitlines()}

    plain, explained = (lines(name) for name in control)
    for line in (plain ^ explained) - {""}:
        assert "JSON object" in line or "explanation" in line or line.startswith("from it, is ")


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        (
            "guidelines-content",
            [
                "wordier or goes into more detail: at most 3",
                "its language makes no sense: 3",
                "that lowers nothing",
                "a lower score",
                "cut short is rated as it stands",
            ],
        ),
        (
            "guidelines-style",
            ["Content does not count", "Length does not count", "vocabulary, tone"],
        ),
        (
            "guidelines-reasonableness",
            [
                "cannot be read, or makes no sense",
                "far too wordy",
                "adds nothing helpful",
                "rude or aggressive",
                "gets off the topic",
                "lowers nothing",
                "cut short",
            ],
        ),
    ],
)
def test_the_raters_rules_are_the_models_rules(name: str, rules: list[str]) -> None:
    system = judge_of(name, saying(1)).request(K, Task(K)).messages[0].text
    for rule in rules:
        assert rule in system


@pytest.mark.parametrize("name", ANSWERS)
def test_a_first_message_has_no_conversation_to_show(name: str) -> None:
    item = replace(K, context=())
    user = judge_of(name, saying(1)).request(item, Task(item)).messages[1].text
    assert user.startswith("There is no conversation so far")


def test_ratings_on_the_raters_scale_answer_the_raters_own_questions() -> None:
    asked = {}
    for name in ANSWERS:
        (asked[name],) = judge_of(name, saying("yes")).questions
    content, style, reasonableness = QUESTIONS
    assert asked["equivalence"] is asked["equivalence-explained"] is content
    assert asked["guidelines-content"] is content
    assert asked["guidelines-style"] is style
    assert asked["guidelines-reasonableness"] is reasonableness
    own = [one for one in asked.values() if one.kind == "binary"]
    assert {one.id for one in own} == {"equivalent", "natural", "reasonable"}
    for one in own:
        assert (one.answers, one.values, one.higher) == (("no", "yes"), (0, 1), "better")
