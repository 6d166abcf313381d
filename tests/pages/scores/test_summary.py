"""The tables of the page for scores."""

from __future__ import annotations

from dataclasses import replace

from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored
from assize.pages.scores.score_report import ScoreReport
from assize.pages.scores.summary import by_question, preferences

OVERALL = Question("overall", kind="number", range=(0, 100))


def test_each_question_has_the_decimals_of_its_own_scale() -> None:
    report = ScoreReport([OVERALL, Question("share", kind="number", range=(0, 1))])
    for name, value in (("a", 20.0), ("b", 60.0)):
        rows = [Judgment(name, "j", "overall", score=value)]
        report.add(name, [*rows, Judgment(name, "j", "share", score=value / 100)])
    report.add("c", [Judgment("c", "j", "overall", unscored=Unscored("parse"))])
    table = by_question(report.summary())
    shown = {row[0][0]: [first for first, _ in row] for row in table.texts()[1]}
    assert shown["overall"][:5] == ["overall", "2", "1", "0", "40.0"]
    assert shown["overall"][-3:] == ["30.0", "40.0", "50.0"]
    assert shown["share"][4] == "0.400"


def test_preferences_are_counts_and_shares_of_all_items() -> None:
    report = ScoreReport([PREFERENCE])
    for place, answer in enumerate(["A", "A", "B", "tie"]):
        row = Judgment(f"p{place}", "j", "preference", answer=answer, order="AB")
        report.add(f"p{place}", [row, replace(row, order="BA")])
    (shown,) = preferences(report.summary()).texts()[1]
    assert [first for first, _ in shown] == [
        "j",
        "4",
        "2 (50.0%)",
        "1 (25.0%)",
        "1 (25.0%)",
        "0",
        "0",
    ]
    assert shown[2][1] == "15.0..85.0"


def test_items_in_other_languages_are_flagged() -> None:
    report = ScoreReport([OVERALL])
    report.add("a", [Judgment("a", "j", "overall", score=1.0, details={"language": "fr"})])
    (note,) = report.summary().notes
    assert "flags as not its own (fr 1)" in note
