"""SPUR's update: a list that never has more than N criteria."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import AnswerError
from assize.criteria._criterion import Criterion, Pattern
from assize.criteria._learning.settings import Learning
from assize.criteria._learning.update import update, updated
from assize.criteria._reading import id_of

LEARNING = Learning("spur", size=2).resolved()
PATTERNS = [Pattern(f"c{n}/1", f"c{n}", "sat", f"Pattern {n}.") for n in range(1, 4)]
EARLIER = tuple(
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


def said(text: str, patterns: list[int], sources: list[int]) -> dict[str, Any]:
    return {"criterion": text, "patterns": patterns, "from": sources, "about": "user"}


def take_in(*criteria: dict[str, Any]) -> tuple[Criterion, ...]:
    answer = update("sat", 2, PATTERNS, EARLIER, LEARNING).check({"criteria": list(criteria)})
    return updated(EARLIER, "sat", 2, answer, PATTERNS)


def test_provenance_is_handed_on() -> None:
    kept, joined = take_in(said("It is 0.", [1], [1]), said("It is all.", [2, 3], [1, 2]))
    assert (kept.batch, kept.patterns) == (1, ("b0/1", "c1/1"))
    assert joined.batch == 2
    assert joined.conversations == ("b0", "b1", "c2", "c3")


def test_what_is_dropped_is_gone() -> None:
    (only,) = take_in(said("It is new.", [], []))
    assert (only.patterns, only.text) == ((), "It is new.")


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        [said(f"It is {n}.", [], []) for n in range(3)],
        [said("It is.", [], []), said("It is.", [], [])],
        [said("It is.", [], [3])],
        [said("It is.", [4], [])],
    ],
)
def test_what_cannot_be_is_refused(wrong: Any) -> None:
    with pytest.raises(AnswerError):
        take_in(*wrong)


def test_the_first_list_comes_from_nothing() -> None:
    call = update("sat", 1, PATTERNS, (), LEARNING)
    assert "from" not in call.schema["properties"]["criteria"]["items"]["properties"]
    answer = call.check({"criteria": [{"criterion": "N.", "patterns": [1], "about": "tool"}]})
    (one,) = updated((), "sat", 1, answer, PATTERNS)
    assert (one.about, one.patterns) == ("tool", ("c1/1",))
