"""The contract of TRL's trainers: prompts and completions by name, a list of rewards back."""

from __future__ import annotations

from typing import Any

import pytest
from dialogue_evaluator import evaluator_on
from letters import Letters

import assize
from assize.base.conversation import Continuation, Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.evaluator import Evaluator, reward_function

COLUMNS: dict[str, Any] = {"completion_ids": [[1], [2]], "trainer_state": None, "topic": ["x", "y"]}


def user(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": text}]


def assistant(text: Any) -> list[dict[str, Any]]:
    return [{"role": "assistant", "content": text}]


def scored(evaluator: Evaluator, item: Any, question: str) -> float | None:
    (row,) = [
        one
        for one in assize.scoring.iter_score([item], evaluator=evaluator)
        if one.question == question
    ]
    assert isinstance(row, Judgment)
    return row.score


def talk(*lines: tuple[str, str]) -> Conversation:
    return Conversation("c", tuple(Turn(role, text) for role, text in lines))  # type: ignore[arg-type]


@pytest.mark.parametrize("question", [None, "Relevance"])
def test_the_reward_is_the_score_of_the_whole_dialogue(question: str | None) -> None:
    evaluator = evaluator_on(Letters())
    reward = reward_function(evaluator, question=question)
    prompts = [user("abc de"), [*user("bad"), *assistant("fed"), *user("cab")]]
    completions = [assistant("face"), assistant("deed")]
    found = reward(prompts=prompts, completions=completions, **COLUMNS)
    asked = question or "Overall"
    assert found == [
        scored(evaluator, talk(("user", "abc de"), ("assistant", "face")), asked),
        scored(
            evaluator,
            talk(("user", "bad"), ("assistant", "fed"), ("user", "cab"), ("assistant", "deed")),
            asked,
        ),
    ]
    assert all(isinstance(one, float) and 0 < one < 1 for one in found)
    assert len(set(found)) == 2
    assert reward.__name__ == f"assize_{asked}"  # TRL logs it


def test_plain_texts_and_messages_are_the_same_dialogue() -> None:
    reward = reward_function(evaluator_on(Letters()))
    plain = reward(prompts=["abc", "d"], completions=["f\nee", "cab"])
    parts = [{"type": "text", "text": "f"}, {"type": "image"}, {"type": "text", "text": "ee"}]
    said = reward(prompts=[user("abc"), user("d")], completions=[assistant(parts), "cab"])
    assert plain == said


def test_a_turn_is_scored_in_its_context() -> None:
    evaluator = evaluator_on(Letters())
    reward = reward_function(evaluator, level="turn")
    called: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "deaf"},
    ]
    completions: list[list[dict[str, Any]]] = [
        assistant("fee"),
        [*called, *assistant("fee")],
        called,
    ]
    found = reward(
        prompts=[user("abc"), user("abc"), user("abc")],
        completions=completions,
    )
    context = (Turn("user", "abc"),)
    tools = (Turn("assistant", ""), Turn("tool", "deaf"))
    assert found[:2] == [
        scored(evaluator, Continuation("c", context, "fee"), "Overall"),
        scored(evaluator, Continuation("c", (*context, *tools), "fee"), "Overall"),
    ]
    assert found[2] is None  # it ends with a tool, and no turn of the assistant is there


def test_what_cannot_be_scored_has_no_reward_and_not_a_reward_of_zero() -> None:
    reward = reward_function(evaluator_on(Letters()))
    found = reward(prompts=["abc", "abc"], completions=["  ", "d"])
    assert found[0] is None
    assert isinstance(found[1], float)
    assert reward(prompts=[], completions=[]) == []


def test_a_question_that_is_not_answered_is_refused_at_once() -> None:
    with pytest.raises(ConfigError, match=r"no question 'Safety'; it answers \['Overall'"):
        reward_function(evaluator_on(Letters()), question="Safety")
    with pytest.raises(ConfigError, match="no question 'safe'"):  # of pairs alone
        reward_function("default", question="safe")


@pytest.mark.parametrize(
    ("prompts", "completions", "message"),
    [
        (["a"], [], "1 prompts and 0 completions"),
        ([[{"content": "a"}]], ["b"], r"messages\[0\].role: received None"),
        ([["a"]], ["b"], "received 'a'; expected an object"),
        (
            [[{"role": "judge", "content": "a"}]],
            ["b"],
            r"role: received 'judge'; known names of roles are user",
        ),
        ([[{"role": "user", "content": 3}]], ["b"], "received 3; expected text, a list or null"),
    ],
)
def test_what_is_no_message_is_refused(prompts: Any, completions: Any, message: str) -> None:
    reward = reward_function(evaluator_on(Letters()))
    with pytest.raises(DataError, match=message):
        reward(prompts=prompts, completions=completions)


def test_the_shipped_evaluator_rewards_by_default() -> None:
    reward = assize.evaluator.reward_function()
    helpful, rude = reward(
        prompts=["How do I reset my router?"] * 2,
        completions=[
            "Hold the small button on the back for ten seconds, then wait for the green light.",
            "No idea.",
        ],
    )
    assert helpful is not None
    assert rude is not None
    assert helpful > rude
