"""What a jury came to on one item: its path, its result, the judgment it is written as."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assize.judgments import JudgmentTable
from assize.juries import Composition, Verdict
from assize.juries.decide import decide
from assize.juries.verdict import identical_verdict, result

Make = Callable[[dict[str, dict[str, str]]], JudgmentTable]

SAID = {"da": {"p1": "AA", "p2": "AB"}, "maxim": {"p1": "BB", "p2": "AA"}}


def test_a_verdict_as_a_judgment_holds_every_vote(table: Make) -> None:
    (row, *_) = decide(table(SAID), Composition(("da", "maxim"))).judgments()
    assert (row.judge, row.answer) == ("jury:da > maxim", "A")
    assert row.details is not None
    assert row.details["by"] == "da"
    assert row.details["ballots"][0]["votes"][1] == {"order": "BA", "answer": "A"}


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("A", "A", "win"),
        ("A", "B", "loss"),
        ("tie", "A", "tie"),
        (None, "A", "unscored"),
        ("B", None, "B"),
        ("B", "tie", "B"),  # gold ties stand outside win and loss
        (None, None, "unscored"),
    ],
)
def test_an_answer_is_a_result_against_gold_and_itself_without(
    answer: str | None, gold: str | None, expected: str
) -> None:
    assert result(answer, gold) == expected
    assert Verdict("p", answer, None, ()).result(gold) == expected


@pytest.mark.parametrize(
    ("answer", "decided"), [("A", True), ("B", True), ("tie", False), (None, False)]
)
def test_a_side_is_decided_and_a_tie_is_not(answer: str | None, decided: bool) -> None:
    assert Verdict("p", answer, None, ()).decided is decided


def test_two_identical_responses_are_a_tie_that_nobody_was_asked_about() -> None:
    found = identical_verdict("p")
    assert (found.answer, found.by, found.ballots) == ("tie", "identical", ())
    assert found.path("A") == "identical"


@pytest.mark.parametrize(("reason", "told"), [("refused", "refused"), (None, "missing")])
def test_no_answer_is_an_unscored_judgment_with_its_reason(reason: str | None, told: str) -> None:
    row = Verdict("p", None, None, (), reason).to_judgment("jury:x", "preference", "abc")
    assert row.unscored is not None
    assert (row.answer, row.unscored.reason, row.signature) == (None, told, "abc")


def test_only_a_panel_s_judgment_has_a_weight() -> None:
    rows = [
        Verdict("p", "A", "majority", (), weight=weight).to_judgment("jury:x", "q", "abc")
        for weight in (0.5, None)
    ]
    assert [(row.details or {}).get("weight") for row in rows] == [0.5, None]
