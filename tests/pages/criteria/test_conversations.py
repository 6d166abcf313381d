"""What was said of each conversation."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.pages.criteria.conftest import GIVEN, rows_of, table

from assize.judgments import JudgmentTable
from assize.pages.criteria.conversations import verdicts


def test_a_verdict_has_the_answer_and_why_it_is_unscored() -> None:
    found = verdicts(table(), GIVEN, ["a", "b", "e"])
    helps, again = found["a"]
    assert (helps.value, helps.answer) == (10.0, "Strongly Agree")
    assert (helps.speaks, again.speaks) == (5.0, 5.0)
    assert found["b"][0].note == "does not apply, counts as neutral"
    assert found["e"][1].note == "unscored: timeout"
    assert math.isnan(found["e"][1].value)
    assert found["e"][1].speaks == 0.0


def test_what_was_not_asked_is_unscored() -> None:
    rows = JudgmentTable.of(rows_of("a")[:2], GIVEN.questions)
    _, again = verdicts(rows, GIVEN, ["a"])["a"]
    assert again.note == "unscored: not asked"


def test_of_several_judges_a_verdict_has_the_mean_and_no_word() -> None:
    rows = [*rows_of("a"), *[replace(row, judge="k") for row in rows_of("a")]]
    rows[1] = replace(rows[1], answer="Neutral")
    helps, _ = verdicts(JudgmentTable.of(rows, GIVEN.questions), GIVEN, ["a"])["a"]
    assert (helps.value, helps.answer) == (7.5, "")
