"""`io`: the answer alone."""

from __future__ import annotations

import asyncio
import math
from dataclasses import replace
from typing import Any

import pytest
from tests.judging.conftest import why_unscored

from assize.base.conversation import Pair, Turn
from assize.judging.judge import JudgeSettings, Task
from assize.judging.judges.explained import EXPLAINED_PAPER, EXPLAINED_PAPER_FEWSHOT
from assize.judging.judges.io import IO_PAPER, IO_PAPER_FEWSHOT, read_numbered
from assize.judging.method import Method
from assize.judging.prompt_judge import PromptJudge
from assize.judging.prompting import load_examples
from assize.models import Reply, Scripted, Token

PAIR = Pair("p1", (Turn("user", "Hi"),), (Turn("assistant", "one"),), (Turn("assistant", "two"),))
PAPER = (IO_PAPER, IO_PAPER_FEWSHOT, EXPLAINED_PAPER, EXPLAINED_PAPER_FEWSHOT)
CRITERIA = ("helpfulness", "relevance", "accuracy", "depth", "creativity", "level of detail")


def asked(method: Method, said: Any, order: Any = "AB", **model: Any) -> Any:
    judge = PromptJudge(method, Scripted(lambda _: said, **model), JudgeSettings())
    (row,) = asyncio.run(judge.judge(Task(PAIR, order)))
    return row


@pytest.mark.parametrize(
    ("said", "order", "vote"),
    [("1", "AB", "A"), ("2", "AB", "B"), ("1", "BA", "B"), (2, "BA", "A")],
)
def test_the_papers_response_1_is_the_one_that_was_shown_first(
    said: str, order: Any, vote: str
) -> None:
    assert asked(IO_PAPER, f'{{"answer": {said}}}', order).answer == vote
    assert [one.answer for one in read_numbered({"answer": "2"})] == ["B"]


@pytest.mark.parametrize("method", PAPER, ids=lambda one: one.name)
@pytest.mark.parametrize("answer", ["tie", "A", "both", "0"])
def test_a_forced_choice_that_is_not_made_is_unscored(method: Method, answer: str) -> None:
    row = asked(method, f'{{"answer": "{answer}", "explanation": "They are alike."}}')
    assert row.answer is None
    assert (why_unscored(row), row.attempts) == ("parse", 6)


@pytest.mark.parametrize("method", PAPER, ids=lambda one: one.name)
def test_no_tie_is_offered_or_shown_and_the_papers_criteria_are_named(method: Method) -> None:
    messages = PromptJudge(method, Scripted(str), JudgeSettings()).messages(PAIR, "K7")
    said = "\n".join(one.text for one in messages).casefold()
    assert "tie" not in said.replace("properties", "")
    assert all(f"- {one}: " in said for one in CRITERIA)
    assert "response 1:" in said
    assert method.schema["properties"]["answer"]["enum"] == ["1", "2"]


def test_the_papers_examples_choose_each_side_once() -> None:
    examples, _ = load_examples("pairs-paper")
    assert [one.answer["answer"] for one in examples] == ["1", "2"]
    assert all(len(one.item.context) > 2 for one in examples if isinstance(one.item, Pair))


@pytest.mark.parametrize(("order", "first"), [("AB", 0.75), ("BA", 0.25)])
def test_probabilities_are_of_the_real_responses(order: Any, first: float) -> None:
    top = (("1", math.log(0.75)), ("2", math.log(0.25)))
    pieces = (Token('{"answer": "', 0.0), Token("1", top[0][1], top), Token('"}', 0.0))
    reply = Reply('{"answer": "1"}', tokens=pieces)
    row = asked(IO_PAPER, reply, order, capabilities=frozenset({"logprobs"}))
    assert row.distribution == pytest.approx({"A": first, "B": 1 - first})


def test_a_choice_that_stands_before_its_reasons_has_probabilities_too() -> None:
    assert list(EXPLAINED_PAPER.schema["properties"]) == ["answer", "explanation"]
    text = '{"answer": "2", "explanation": "So."}'
    split = ('{"answer": "', "2", '", "explanation": "So."}')
    tokens = [Token(one, 0.0) for one in split]
    tokens[1] = replace(tokens[1], logprob=-0.1, top=(("2", -0.1), ("1", -2.4)))
    row = asked(
        EXPLAINED_PAPER, Reply(text, tokens=tuple(tokens)), capabilities=frozenset({"logprobs"})
    )
    assert (row.answer, row.explanation) == ("B", "So.")
    assert row.distribution["B"] > row.distribution["A"] > 0
