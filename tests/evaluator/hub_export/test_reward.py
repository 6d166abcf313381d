"""The contract of TRL's trainers: prompts and completions by name, a list of rewards back."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from dialogue_evaluator import evaluator_on
from letters import Letters
from tests.evaluator.talks import scores_of

import assize
from assize.base.conversation import Continuation, Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.evaluator import Evaluator, reward_function

EVALUATOR = evaluator_on(Letters())
REWARD = reward_function(EVALUATOR)
COLUMNS: dict[str, Any] = {"completion_ids": [[1], [2]], "trainer_state": None, "topic": ["x", "y"]}


def say(role: str, text: Any) -> list[dict[str, Any]]:
    return [{"role": role, "content": text}]


def scored(evaluator: Evaluator, item: Any, question: str = "Overall") -> float | None:
    (found,) = scores_of(evaluator, [item], question)
    return found


def talk(*texts: str) -> Conversation:
    """The user speaks first."""
    roles = itertools.cycle(("user", "assistant"))
    turns = (Turn(role, text) for role, text in zip(roles, texts, strict=False))  # type: ignore[arg-type]
    return Conversation("c", tuple(turns))


@pytest.mark.parametrize("question", [None, "Relevance"])
def test_the_reward_is_the_score_of_the_whole_dialogue(question: str | None) -> None:
    asked = question or "Overall"
    reward = reward_function(EVALUATOR, question=question)
    longer = [*say("user", "bad"), *say("assistant", "fed"), *say("user", "cab")]
    prompts = [say("user", "abc de"), longer]
    completions = [say("assistant", "face"), say("assistant", "deed")]
    found = reward(prompts=prompts, completions=completions, **COLUMNS)
    talks = [talk("abc de", "face"), talk("bad", "fed", "cab", "deed")]
    assert found == [scored(EVALUATOR, one, asked) for one in talks]
    assert len(set(found)) == 2
    assert reward.__name__ == f"assize_{asked}"  # TRL logs it


def test_plain_texts_and_messages_are_the_same_dialogue() -> None:
    plain = REWARD(prompts=["abc", "d"], completions=["f\nee", "cab"])
    parts = [{"type": "text", "text": "f"}, {"type": "image"}, {"type": "text", "text": "ee"}]
    said = REWARD(
        prompts=[say("user", "abc"), say("user", "d")], completions=[say("assistant", parts), "cab"]
    )
    assert plain == said


def test_a_turn_is_scored_in_its_context() -> None:
    reward = reward_function(EVALUATOR, level="turn")
    called: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": []},
        {"role": "tool", "content": "deaf"},
    ]
    fee, context = say("assistant", "fee"), (Turn("user", "abc"),)
    tools = (Turn("assistant", ""), Turn("tool", "deaf"))
    # the last one ends with a tool, and no turn of the assistant is there
    found = reward(prompts=[say("user", "abc")] * 3, completions=[fee, [*called, *fee], called])
    expected = [Continuation("c", before, "fee") for before in (context, (*context, *tools))]
    assert found == [*(scored(EVALUATOR, one) for one in expected), None]


def test_what_cannot_be_scored_has_no_reward_and_not_a_reward_of_zero() -> None:
    found = REWARD(prompts=["abc", "abc"], completions=["  ", "d"])
    assert found[0] is None
    assert isinstance(found[1], float)
    assert REWARD(prompts=[], completions=[]) == []


@pytest.mark.parametrize(
    ("evaluator", "question", "message"),
    [
        (EVALUATOR, "Safety", r"no question 'Safety'; it answers \['Overall'"),
        ("default", "safe", "no question 'safe'"),  # of pairs alone
    ],
)
def test_a_question_that_is_not_answered_is_refused_at_once(
    evaluator: Evaluator | str, question: str, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        reward_function(evaluator, question=question)


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
    with pytest.raises(DataError, match=message):
        REWARD(prompts=prompts, completions=completions)


def test_the_shipped_evaluator_rewards_by_default() -> None:
    helpful, rude = assize.evaluator.reward_function()(
        prompts=["How do I reset my router?"] * 2,
        completions=[
            "Hold the small button on the back for ten seconds, then wait for the green light.",
            "No idea.",
        ],
    )
    assert float(helpful or 0) > float(rude or 1)
