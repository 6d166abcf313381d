"""What a jury comes to: by a cascade, by a panel, and as judgments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.juries.conftest import SAID, table_of

from assize.base.errors import ConfigError
from assize.juries import Cascade, Jury, Panel, Verdicts, collect_decisions, evaluate
from assize.juries.decide import decide
from assize.juries.rules import cascade, panel


def judgments_of(said: dict[str, dict[str, str]], jury: Jury) -> list[Any]:
    """What a jury comes to, as judgments."""
    return list(decide(table_of(said), jury).judgments())


def verdicts_of(said: dict[str, dict[str, str]], judges: tuple[str, ...]) -> Verdicts:
    decisions = collect_decisions(table_of(said), "preference")
    return cascade(decisions.select(judges, decisions.items))


def answers(verdicts: Verdicts) -> list[tuple[str | None, str]]:
    return list(zip(verdicts.answers, verdicts.deciders.tolist(), strict=True))


def paths(verdicts: Verdicts) -> list[str]:
    """Without gold."""
    found: list[str] = evaluate(verdicts, {}).path_of.tolist()
    return found


def test_a_tie_and_an_unscored_judge_pass_on() -> None:
    verdicts = verdicts_of(SAID, ("da", "maxim"))
    assert answers(verdicts) == [("A", "da"), ("A", "maxim"), ("tie", ""), (None, ""), ("B", "da")]
    outcome = evaluate(verdicts, dict.fromkeys(SAID["da"], "A"))
    paths = ["win", "tie-win", "tie-tie", "unscored-unscored", "loss"]
    assert outcome.path_of.tolist() == paths
    assert verdicts.reasons[3] == "refused"
    assert verdicts.read[:, 0].tolist() == [True, False]  # the next judge is not read


LETTERS = st.sampled_from(["AA", "BB", "AB", "tt", "Ax", "xx"])


@given(st.lists(st.tuples(LETTERS, LETTERS, LETTERS), min_size=1, max_size=12))
@settings(max_examples=60)
def test_a_longer_cascade_never_unmakes_a_decision(said: list[tuple[str, str, str]]) -> None:
    judges = ("j0", "j1", "j2")
    rows = {
        judge: {f"p{n}": row[at] for n, row in enumerate(said)} for at, judge in enumerate(judges)
    }
    shorter, longer = verdicts_of(rows, judges[:2]), verdicts_of(rows, judges)
    for item in np.flatnonzero(np.abs(shorter.values) == 1).tolist():
        assert answers(longer)[item] == answers(shorter)[item]
    for one, more in zip(paths(shorter), paths(longer), strict=True):
        assert more.startswith(one)


@pytest.mark.parametrize("letters", ["tt xx", "xx tt"], ids=["tie first", "tie last"])
def test_one_tie_makes_an_undecided_item_a_tie_wherever_it_stands(letters: str) -> None:
    x, y = letters.split()
    found = verdicts_of({"x": {"p": x}, "y": {"p": y}}, ("x", "y"))
    assert (answers(found), found.reasons[0]) == ([("tie", "")], "")


def test_without_any_tie_the_last_reason_is_told() -> None:
    found = verdicts_of({"x": {"p": "A-", "q": "AA"}, "y": {"p": "xx"}}, ("x", "y"))
    at = found.decisions.items.index("p")
    assert (found.answers[at], found.reasons[at]) == (None, "refused")


def test_a_judge_who_was_not_asked_passes_on() -> None:
    found = verdicts_of({"x": {"q": "AA"}, "y": {"p": "BB"}}, ("x", "y"))
    at = found.decisions.items.index("p")
    assert (*answers(found)[at], paths(found)[at]) == ("B", "y", "unscored-B")


PANEL = {
    "x": {"p1": "AA", "p2": "AA", "p3": "AA", "p4": "AB", "p5": "xx"},
    "y": {"p1": "AA", "p2": "BB", "p3": "xx", "p4": "AB", "p5": "Ax"},
    "z": {"p1": "AA", "p2": "BB", "p3": "BB", "p4": "BB", "p5": "xx"},
}


def panel_of(said: dict[str, dict[str, str]], *weights: float) -> Verdicts:
    decisions = collect_decisions(table_of(said), "preference")
    return panel(decisions.select(list(said), list(said["x"])), weights)


def test_the_majority_of_who_was_scored_wins() -> None:
    found: Any = panel_of(PANEL, 1, 1, 1)
    deciders = ["unanimous", "majority", "", "plurality, ties aside", ""]
    assert answers(found) == list(zip(["A", "B", "tie", "B", None], deciders, strict=True))
    assert found.weights[:4].tolist() == pytest.approx([1.0, 1 / 3, 0.0, 1 / 3])
    assert found.read.all()


def test_a_panel_is_unanimous_only_where_all_of_it_answered() -> None:
    votes = {"x": {"p": "AA"}, "y": {"p": "AA"}, "z": {"p": "xx"}}
    assert answers(panel_of(votes, 1, 1, 1)) == [("A", "all who answered")]


def test_a_majority_is_more_than_half_of_the_weight_that_was_scored() -> None:
    votes = {"x": {"p": "AA"}, "y": {"p": "AB"}, "z": {"p": "xx"}}
    assert answers(panel_of(votes, 1, 1, 1)) == [("A", "plurality, ties aside")]
    assert answers(panel_of(votes, 1.5, 1, 1)) == [("A", "majority")]


def test_a_heavy_judge_outvotes_two_light_ones() -> None:
    assert panel_of(PANEL, 2.5, 1, 1).answers[1] == "A"
    assert panel_of(PANEL, 0.3, 0.1, 0.2).answers[1] == "tie"  # 0.1 + 0.2


def test_a_weight_of_zero_is_refused() -> None:
    with pytest.raises(ConfigError, match="above 0"):
        panel_of(PANEL, 0, 1, 1)


ORDERS = {"da": {"p1": "AA", "p2": "AB"}, "maxim": {"p1": "BB", "p2": "AA"}}


def test_a_verdict_as_a_judgment_holds_every_vote() -> None:
    (row, *_) = judgments_of(ORDERS, Cascade(("da", "maxim")))
    assert (row.judge, row.answer) == ("jury:da > maxim", "A")
    assert row.details["by"] == "da"
    assert row.details["ballots"][0]["votes"][1] == {"order": "BA", "answer": "A"}


def test_no_answer_is_an_unscored_judgment_with_its_reason() -> None:
    (row,) = judgments_of({"x": {"p": "xx"}}, Cascade("x"))
    assert (row.answer, row.unscored.reason) == (None, "refused")


def test_only_a_panel_s_judgment_has_a_weight() -> None:
    rows = [judgments_of({"x": {"p": "AA"}}, jury)[0] for jury in (Panel(), Cascade("x"))]
    assert [row.details.get("weight") for row in rows] == [1.0, None]
