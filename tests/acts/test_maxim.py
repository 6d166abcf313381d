"""The judge `maxim`: what it reads, refuses and maps back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from acts_asked import PAIR, ask
from tests.judging.conftest import why_unscored

from assize.acts._maxim import MAXIM, MAXIM_ZEROSHOT
from assize.acts._maxims import MAXIMS
from assize.judging.judge import JudgeSettings
from assize.judging.prompt_judge import PromptJudge
from assize.judging.prompting import load_examples
from assize.models import Scripted


def held(**changed: str) -> dict[str, str]:
    return dict.fromkeys(MAXIMS, "both") | changed


def test_maxims_are_read_and_mapped_back() -> None:
    said = held(Quality="A", **{"Quantity-1": "B", "Manner-2": "neither"})
    turned = {**said, "Quality": "B", "Quantity-1": "A"}
    orders: list[tuple[Any, str, object]] = [("AB", "B", said), ("BA", "A", turned)]
    reply = json.dumps({**said, "explanation": "So.", "answer": "B"})
    for order, answer, maxims in orders:
        (row,) = ask(lambda _: reply, order=order, method=MAXIM)
        assert row.answer == answer
        assert row.details == {"maxims": maxims}


def test_a_final_answer_is_an_answer() -> None:
    said = {**held(), "explanation": "So.", "Final Answer": "A"}
    (row,) = ask(lambda _: json.dumps(said), method=MAXIM)
    assert (row.answer, row.attempts) == ("A", 1)


@pytest.mark.parametrize("said", [{"answer": "tie"}, {"Quality": "equal"}, {"Quality": None}])
def test_a_maxim_answer_of_another_shape_is_unscored(said: dict[str, Any]) -> None:
    value = {**held(), "explanation": "", "answer": "A"} | said
    (row,) = ask(lambda _: json.dumps(value), method=MAXIM)
    assert why_unscored(row) == "parse"


def test_three_judged_pairs_are_shown_and_none_without() -> None:
    shown, zero = (
        PromptJudge(one, Scripted(str), JudgeSettings()) for one in (MAXIM, MAXIM_ZEROSHOT)
    )
    assert len(shown.messages(PAIR, "K7")) == 2 + 2 * 3
    assert len(zero.messages(PAIR, "K7")) == 2
    assert shown.signature != zero.signature
    names = "maxim@scripted:function", "maxim-zeroshot@scripted:function"
    assert (shown.name, zero.name) == names


def test_the_examples_answer_every_maxim_and_show_what_both_and_neither_mean() -> None:
    examples, _ = load_examples("maxim", None, MAXIM.home)
    assert len(examples) == 3
    answers = [example.answer for example in examples]
    for example in examples:
        written = MAXIM.write(example.answer, MAXIM, example.item)
        found: Any = MAXIM.find
        assert found(written, MAXIM, example.item, []) == dict(example.answer)
    limits = [[one[f"Transparency-{part}"] for part in (1, 2, 3)] for one in answers]
    assert limits[0] == ["both"] * 3  # no limit of knowledge or ability is at issue
    assert limits[1][1] == "B"  # what the assistant can do is
    assert "neither" in answers[2].values()
    assert {one["answer"] for one in answers} == {"A", "B"}


@pytest.mark.parametrize(
    ("maxim", "told"),
    [
        ("Quality", ("true", "bears it out", "both are asked for")),
        ("Relevance-1", ("directly", "helps", "both are asked for")),
        ("Manner-2", ("able to understand",)),
        ("Benevolence-1", ("user", "speaker", "others")),
    ],
)
def test_a_maxim_asks_for_all_that_the_papers_does(maxim: str, told: tuple[str, ...]) -> None:
    assert all(part in MAXIMS[maxim] for part in told)


def test_the_prompt_says_that_both_keep_to_a_maxim_that_is_not_at_issue() -> None:
    system = PromptJudge(MAXIM, Scripted(str), JudgeSettings()).messages(PAIR, "K7")[0].text
    assert "Both keep to a maxim that is not at issue" in system
