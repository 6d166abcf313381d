"""Conversations as the page of scores lists them."""

from __future__ import annotations

from dataclasses import replace

from tests.pages.criteria.conftest import CHATS, GIVEN, table

from assize.base.judgment import Judgment, Unscored
from assize.criteria._criterion import CriteriaSet, Criterion
from assize.criteria._scoring import NAME
from assize.judgments import JudgmentTable
from assize.pages.criteria.conversations import verdicts
from assize.pages.criteria.listed import MOST_VERDICTS, heading, listed, shown_of, sides
from assize.pages.criteria.scored import Scored

SCORED = Scored.of(table(), GIVEN)
TEXTS = {one.id: one for one in CHATS}
SAID = verdicts(table(), GIVEN, list(TEXTS))


def test_a_conversation_has_its_label_and_how_far_it_is() -> None:
    found = shown_of(SCORED, 3, GIVEN, TEXTS, SAID)
    assert (found.label, found.level) == ("bad", "low")
    # odds of 0.5 * -7.5: a probability of 1 / (1 + e^3.75) = 0.023
    assert found.facts == ("7.5 below the threshold", "probability of good 2%")
    assert [one.criterion.id for one in found.verdicts] == ["helps", "again"]
    assert [turn.number for turn in found.text.parts[0].turns] == [0, 1]


def test_of_many_criteria_the_clearest_are_shown_and_all_that_are_unscored() -> None:
    many = tuple(Criterion(f"k{at}", f"Statement {at}.", "sat") for at in range(40))
    given = CriteriaSet("many", many)
    rows = [Judgment("a", NAME, one.id, answer="Neutral") for one in many[:30]]
    rows += [Judgment("a", NAME, one.id, answer="Strongly Agree") for one in many[30:39]]
    rows += [Judgment("a", NAME, "k39", unscored=Unscored("timeout", ""))]
    net = Judgment("a", NAME, "NetSAT", score=1.0)
    judged = JudgmentTable.of([net, *rows], given.questions)
    found = shown_of(Scored.of(judged, given), 0, given, {}, verdicts(judged, given, ["a"]))
    ids = [one.criterion.id for one in found.verdicts]
    assert len(ids) == MOST_VERDICTS
    assert ids[-10:] == [f"k{at}" for at in range(30, 40)]
    assert found.left_out == 16
    assert found.text.parts == ()


def test_the_criteria_that_tell_two_apart_most_come_first() -> None:
    shown = {at: shown_of(SCORED, at, GIVEN, TEXTS, SAID) for at in (0, 1)}
    said = str(sides((0, 1), shown, SAID, SCORED))
    assert said.index("The assistant helps.") < said.index("The user asks again.")  # SAT first
    assert sides(None, {}, {}, SCORED) == ""


def test_the_heading_says_what_comes_first() -> None:
    assert heading(SCORED) == "Uncertain conversations first"
    assert heading(replace(SCORED, middle=None)) == "Lowest conversations first"
    assert listed(SCORED, []) == ""
    shown = [shown_of(SCORED, 2, GIVEN, TEXTS, SAID)]
    lead = "1 of 4 scored conversations; 2 are left open, and stand before the others, each nearest"
    assert lead in str(listed(SCORED, shown))
