"""Qualifiers and relations, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from acts_voted import ISO, PAIR, ours, row

from assize.dialogue_acts.qualifiers import OfQualifiers, led
from assize.dialogue_acts.qualifiers import _Place as Place
from assize.dialogue_acts.study import study_all
from assize.judgments import JudgmentTable

ASKS = Place("user", frozenset({"Set Question"}))
TELLS = Place("assistant", frozenset({"Inform"}))
FUNCTIONAL, FEEDBACK = "functional dependence", "feedback dependence"


@pytest.mark.parametrize(
    ("relation", "function", "turn", "role", "where"),
    [
        (FUNCTIONAL, "Answer", 0, "assistant", "right"),
        (FUNCTIONAL, "Answer", 1, "user", "another act"),  # an inform is no question
        (FUNCTIONAL, "Answer", 1, "assistant", "own turn"),
        (FUNCTIONAL, "Answer", 2, "assistant", "no earlier turn"),
        (FUNCTIONAL, "Answer", -1, "assistant", "no earlier turn"),
        (FUNCTIONAL, "Answer", "0", "assistant", "no earlier turn"),
        (FUNCTIONAL, "Answer", True, "assistant", "no earlier turn"),
        (FUNCTIONAL, "Agreement", 1, "user", "right"),
        (FUNCTIONAL, "Suggest", 0, "assistant", "right"),  # may respond to anything
        (FEEDBACK, "Auto-Positive", 1, "user", "right"),
        (FEEDBACK, "Auto-Positive", 0, "user", "own turn"),
        (FEEDBACK, "Allo-Positive", 0, "user", "right"),  # how one's own words were taken
    ],
)
def test_where_a_relation_leads(
    relation: str, function: str, turn: Any, role: str, where: str
) -> None:
    assert led(relation, function, turn, (ASKS, TELLS), role) == where


def marked(function: str, *qualifiers: str, **relations: int) -> list[Any]:
    names = {"functional": FUNCTIONAL, "feedback": FEEDBACK}
    more: dict[str, Any] = {"qualifiers": list(qualifiers)}
    more["relations"] = [[names[name], turn] for name, turn in relations.items()]
    return ["Task", function, more]


def studied(details: Any, order: Any = "AB") -> OfQualifiers | None:
    (found,) = study_all(JudgmentTable.of([row("da@m", details, order)]), {"p": PAIR}, ISO)
    return found.qualifiers


def test_marks_are_shares_of_the_acts_of_each_speaker_and_of_each_function() -> None:
    # user: a question, and an uncertain inform; assistant: an answer to it;
    # chosen: an answer that leads nowhere; rejected: an uncertain inform
    found = studied(
        ours(
            [marked("Set Question")],
            [marked("Answer", functional=0)],
            [marked("Inform", "uncertain")],
            a=[marked("Answer", functional=9)],
            b=[marked("Inform", "uncertain", "conditional")],
        )
    )
    assert found is not None
    assert (found.acts, found.by_speaker) == (
        5, {"user": 2, "assistant": 1, "chosen": 1, "rejected": 1},
    )  # fmt: skip
    assert list(found.qualifiers) == ["uncertain", "conditional"]
    uncertain, depends = found.qualifiers["uncertain"], found.relations[FUNCTIONAL]
    assert uncertain.of_acts.estimate == 2 / 5
    assert {who: one.estimate for who, one in uncertain.by_speaker.items()} == {
        "user": 0.5, "assistant": 0, "chosen": 0, "rejected": 1,
    }  # fmt: skip
    assert {name: one.estimate for name, one in uncertain.by_function.items()} == {"Inform": 1}
    assert uncertain.by_dimension["Task"].estimate == 2 / 5
    assert uncertain.led == {}
    assert {where: one.estimate for where, one in depends.led.items()} == {
        "right": 0.5, "another act": 0, "own turn": 0, "no earlier turn": 0.5,
    }  # fmt: skip


def test_without_marks_there_is_nothing_to_show() -> None:
    plain = ["Task", "Inform"]
    assert studied(ours([plain], [plain], [plain], a=[plain], b=[plain])) is None


def test_marks_that_are_none_are_passed_over() -> None:
    odd: list[Any] = ["Task", "Inform", {"qualifiers": ["uncertain"], "relations": [["x"], "y"]}]
    other: list[Any] = ["Task", "Inform", "no object"]
    found = studied(ours([odd], [other], [["Task"]], a=[other], b=[other]))
    assert found is not None
    assert (found.acts, list(found.relations)) == (4, [])
