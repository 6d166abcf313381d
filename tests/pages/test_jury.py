"""The page of `assize jury`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.pages.conftest import page_of

from assize._doors.plot import charts_of
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Cascade, Jury, Panel, Reliability
from assize.juries.decide import decide
from assize.pages.jury import draw_jury

ROWS = [
    Judgment(f"p{n}", judge, "preference", answer=answers[n % len(answers)])
    for judge, answers in {"<b>x</b>@m": "AAB", "y@m": "ABB", "z@m": "AAA"}.items()
    for n in range(12)
]
GOLD = [Judgment(f"p{n}", "gold", "preference", answer="tie" if n > 9 else "A") for n in range(11)]


def test_a_cascade_shows_where_decisions_fell_and_its_cost(tmp_path: Path) -> None:
    result = decide(JudgmentTable.of([*ROWS, *GOLD]), Cascade(("y", "z"), unscored="loss"))
    said = page_of(result, tmp_path, reproduce=["assize jury x"])
    for part in ("Where each decision fell", "a tie passes on", "votes read of", "assize jury x"):
        assert part in said
    assert "1 with a tie as gold: outside win and loss" in said
    assert "1 without gold: decided, not counted" in said
    assert "last in the jury, is among the losses" in said
    assert result.signature in said


@pytest.mark.parametrize(
    ("composition", "note"),
    [
        (Panel(), "All judges are heard"),
        (Reliability(), "Each vote is weighed"),
    ],
)
def test_how_a_decision_falls_is_said(composition: Jury, note: str, tmp_path: Path) -> None:
    said = page_of(decide(JudgmentTable.of([*ROWS, *GOLD]), composition), tmp_path)
    assert note in said
    assert ("alpha" in said) == isinstance(composition, Reliability)


def test_names_are_escaped_and_without_gold_answers_are_shown(tmp_path: Path) -> None:
    said = page_of(decide(JudgmentTable.of(ROWS), Panel()), tmp_path)
    assert "<b>x</b>" not in said
    assert "&lt;b&gt;x" in said
    assert "Right, jury wrong" not in said


def test_reliabilities_are_drawn_a_panel_a_question(tmp_path: Path) -> None:
    rows = [replace(row, question=name) for row in ROWS for name in ("Overall", "Safety")]
    result = decide(JudgmentTable.of(rows), Reliability())
    said = page_of(result, tmp_path)
    assert "Sensitivity and specificity of each judge" in said
    assert "What the votes alone tell" in said
    spec = charts_of(result)["reliabilities"]
    assert [one["title"]["text"] for one in spec["vconcat"][0]["hconcat"]] == ["Overall", "Safety"]
    assert result.learnt is not None
    assert charts_of(result.learnt)["reliabilities"] == spec
    alone = decide(JudgmentTable.of(rows[::2]), Panel(), question="Overall")
    assert "reliabilities" not in charts_of(alone)


def test_the_jury_s_bar_stands_beside_each_judge_s() -> None:
    result = decide(JudgmentTable.of([*ROWS, *GOLD]), Cascade(("y", "z")))
    (piece,) = draw_jury(result)["judges"]
    assert isinstance(piece, tuple)
    assert {row["name"] for row in piece[0]["data"]["values"]} == {"jury", "y", "z"}
