"""Summarising a mini-batch: fresh criteria, and what earlier ones cover already."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assize.base.errors import AnswerError
from assize.criteria._criterion import Criterion, Pattern
from assize.criteria._learning.settings import Learning
from assize.criteria._learning.summarise import added, merge, summary

LEARNING = Learning().resolved()
PATTERNS = [Pattern(f"c{n}/1", f"c{n}", "sat", f"Pattern {n}.", "Because.") for n in range(1, 5)]
EARLIER = (Criterion("sat-old", "It is old.", "sat", patterns=("c0/1",), conversations=("c0",)),)


def said(text: str, *patterns: int, maxim: str = "Manner") -> dict[str, Any]:
    return {"criterion": text, "patterns": list(patterns), "about": "user", "maxim": maxim}


def take_in(value: dict[str, Any], earlier: tuple[Criterion, ...] = EARLIER) -> Any:
    answer = summary("sat", 2, PATTERNS, earlier, LEARNING).check(value)
    return added(earlier, "sat", 2, answer, PATTERNS)


def test_a_fresh_criterion_keeps_where_it_comes_from() -> None:
    old, new = take_in({"criteria": [said("It is new.", 2, 1, 2)], "known": []})
    assert old == EARLIER[0]
    assert (new.patterns, new.conversations) == (("c1/1", "c2/1"), ("c1", "c2"))
    assert (new.about, new.maxim, new.batch, new.author) == ("user", "Manner", 2, "learnt")


def test_what_an_earlier_criterion_covers_is_added_to_it() -> None:
    (old,) = take_in({"criteria": [], "known": [{"pattern": 3, "criterion": 1}]})
    assert (old.patterns, old.conversations) == (("c0/1", "c3/1"), ("c0", "c3"))


def test_the_same_words_are_the_same_criterion() -> None:
    fresh = {"criteria": [said("It is\n new.", 1), said("It is new.", 2)], "known": []}
    _, new = take_in(fresh)
    assert new.patterns == ("c1/1", "c2/1")


def test_no_maxim_is_none() -> None:
    _, new = take_in({"criteria": [said("It is new.", 1, maxim="none")], "known": []})
    assert new.maxim is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"criteria": [said("It is new.")], "known": []},
        {"criteria": [said("It is new.", 9)], "known": []},
        {"criteria": [said(" ", 1)], "known": []},
        {"criteria": [said(f"It is {n}.", 1) for n in range(9)], "known": []},
        {"criteria": [], "known": [{"pattern": 1, "criterion": 2}]},
    ],
)
def test_numbers_and_texts_that_cannot_be_are_refused(wrong: Any) -> None:
    with pytest.raises(AnswerError):
        take_in(wrong)


def test_the_first_batch_knows_no_earlier_criteria() -> None:
    call = summary("dsat", 1, PATTERNS, (), LEARNING)
    assert set(call.schema["properties"]) == {"criteria"}
    assert call.likely is not None
    assert len(json.loads(call.likely())["criteria"]) == 2


def test_without_the_principles_no_maxim_is_asked_for() -> None:
    call = summary("sat", 1, PATTERNS, (), Learning(design_principles=False).resolved())
    assert "maxim" not in call.schema["properties"]["criteria"]["items"]["properties"]
    (one,) = call.check({"criteria": [{k: v for k, v in said("N.", 1).items() if k != "maxim"}]})[
        "criteria"
    ]
    assert "maxim" not in one


def test_merging_unites_provenance_and_remembers_all_that_went() -> None:
    first, second, third = (
        Criterion(
            f"sat-{n}",
            f"It is {n}.",
            "sat",
            patterns=(f"c{n}/1", "c9/1"),
            conversations=(f"c{n}", "c9"),
        )
        for n in range(3)
    )
    inner = merge(second, [third])
    whole = merge(first, [inner])
    assert whole.patterns == ("c0/1", "c9/1", "c1/1", "c2/1")
    assert whole.conversations == ("c0", "c9", "c1", "c2")
    assert [gone.id for gone in whole.merged] == ["sat-1", "sat-2"]
