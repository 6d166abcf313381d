"""How often each judge said what: MTDEval's table 5."""

from __future__ import annotations

from dataclasses import replace

from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored
from assize.evaluator._study.vote_counts import vote_counts
from assize.judgments import JudgmentTable

ASKED = [PREFERENCE, replace(PREFERENCE, id="Accuracy"), Question("nice", kind="number")]


def test_votes_are_counted_by_judge_and_question() -> None:
    rows = [
        Judgment("p", "j", "preference", answer="A", order="AB"),
        Judgment("p", "j", "preference", answer="B", order="BA"),
        Judgment("q", "j", "preference", unscored=Unscored("parse", "")),
        Judgment("p", "k", "Accuracy", answer="tie"),
        Judgment("p", "gold", "preference", answer="A"),
        Judgment("p", "j", "nice", score=1.0),
    ]
    found = vote_counts(JudgmentTable.of(rows, ASKED))
    assert [(one.judge, one.question, one.a, one.b, one.tie, one.unscored) for one in found] == [
        ("j", "preference", 1, 1, 0, 1),
        ("k", "Accuracy", 0, 0, 1, 0),
    ]
