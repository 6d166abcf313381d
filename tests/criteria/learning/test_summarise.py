"""Summarising a mini-batch: fresh criteria, and what earlier ones cover already."""

from __future__ import annotations

import json
from typing import Any

import pytest

from assize.base.errors import AnswerError
from assize.criteria._criterion import Criterion, Pattern
from assize.criteria._learning.settings import Learning, Rubicon, Spur
from assize.criteria._learning.summarise import added, batch_call, merge, updated
from assize.criteria._reading import id_of

LEARNING = Learning()
PATTERNS = [Pattern(f"c{n}/1", f"c{n}", "sat", f"Pattern {n}.", "Because.") for n in range(1, 5)]
EARLIER = (Criterion("sat-old", "It is old.", "sat", patterns=("c0/1",), conversations=("c0",)),)


def said(text: str, *patterns: int, maxim: str = "Manner") -> dict[str, Any]:
    return {"criterion": text, "patterns": list(patterns), "about": "user", "maxim": maxim}


def take_in(value: dict[str, Any], earlier: tuple[Criterion, ...] = EARLIER) -> Any:
    answer = batch_call("sat", 2, PATTERNS, earlier, LEARNING).check(value)
    return added(earlier, "sat", 2, answer, PATTERNS)


def test_a_fresh_criterion_keeps_where_it_comes_from() -> None:
    old, new = take_in({"criteria": [said("It is new.", 2, 1, 2)], "known": []})
    assert old == EARLIER[0]
    assert (new.patterns, new.conversations) == (("c1/1", "c2/1"), ("c1", "c2"))
    assert (new.about, new.maxim, new.batch, new.author) == ("user", "Manner", 2, "learnt")


def test_the_same_words_are_the_same_criterion() -> None:
    fresh = {"criteria": [said("It is\n new.", 1), said("It is new.", 2)], "known": []}
    _, new = take_in(fresh)
    assert new.patterns == ("c1/1", "c2/1")


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
    call: Any = batch_call("dsat", 1, PATTERNS, (), LEARNING)
    assert set(call.schema["properties"]) == {"criteria"}
    assert len(json.loads(call.likely())["criteria"]) == 2


def test_without_the_principles_no_maxim_is_asked_for() -> None:
    call = batch_call("sat", 1, PATTERNS, (), Learning(Rubicon(design_principles=False)))
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


SPUR = Learning(Spur(size=2))
SPUR_PATTERNS = [Pattern(f"c{n}/1", f"c{n}", "sat", f"Pattern {n}.") for n in range(1, 4)]
SPUR_EARLIER = tuple(
    Criterion(
        id_of("sat", f"It is {n}."),
        f"It is {n}.",
        "sat",
        batch=1,
        patterns=(f"b{n}/1",),
        conversations=(f"b{n}",),
    )
    for n in range(2)
)


def listed(text: str, patterns: list[int], sources: list[int]) -> dict[str, Any]:
    return {"criterion": text, "patterns": patterns, "from": sources, "about": "user"}


def bring_up(*criteria: dict[str, Any]) -> tuple[Criterion, ...]:
    answer = batch_call("sat", 2, SPUR_PATTERNS, SPUR_EARLIER, SPUR).check(
        {"criteria": list(criteria)}
    )
    return updated(SPUR_EARLIER, "sat", 2, answer, SPUR_PATTERNS)


def test_provenance_is_handed_on() -> None:
    kept, joined = bring_up(listed("It is 0.", [1], [1]), listed("It is all.", [2, 3], [1, 2]))
    assert (kept.batch, kept.patterns) == (1, ("b0/1", "c1/1"))
    assert joined.batch == 2
    assert joined.conversations == ("b0", "b1", "c2", "c3")


def test_what_is_dropped_is_gone() -> None:
    (only,) = bring_up(listed("It is new.", [], []))
    assert (only.patterns, only.text) == ((), "It is new.")


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        [listed(f"It is {n}.", [], []) for n in range(3)],
        [listed("It is.", [], []), listed("It is.", [], [])],
        [listed("It is.", [], [3])],
        [listed("It is.", [4], [])],
    ],
)
def test_a_list_that_cannot_be_is_refused(wrong: Any) -> None:
    with pytest.raises(AnswerError):
        bring_up(*wrong)


def test_the_first_list_comes_from_nothing() -> None:
    call = batch_call("sat", 1, SPUR_PATTERNS, (), SPUR)
    assert "from" not in call.schema["properties"]["criteria"]["items"]["properties"]
    answer = call.check({"criteria": [{"criterion": "N.", "patterns": [1], "about": "tool"}]})
    (one,) = updated((), "sat", 1, answer, SPUR_PATTERNS)
    assert (one.about, one.patterns) == ("tool", ("c1/1",))
