"""The page of `assize study juries`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.pages.conftest import page_of

from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries

pytest.importorskip("vl_convert")
ROWS = [
    Judgment(f"p{n}", judge, "preference", answer=answers[n % len(answers)])
    for judge, answers in {
        "da@openai:one-two-x": "AAB",
        "da@openai:one-two-y": "ABB",
        "maxim@openai:one-two-x": "AB",
        "reward@hf:<b>x</b>-1": "AAA",
    }.items()
    for n in range(12)
]
GOLD = [Judgment(f"p{n}", "gold", "preference", answer="A") for n in range(12)]
AGAIN = [replace(row, repeat=1, answer="A") for row in ROWS[:12]]


def studied(paper: bool = False) -> JuryStudy:
    data = DataSet("HH-TEST", JudgmentTable.of([*ROWS, *AGAIN, *GOLD]))
    return study_juries(
        [data], cascades=["da > maxim", "da > reward"], settings=StudySettings(paper=paper)
    )


def test_the_page_has_a_section_for_each_question_and_names_from_files_are_text(
    tmp_path: Path,
) -> None:
    page = page_of(studied(), tmp_path, title="Mine", reproduce=["assize study juries x"])
    for said in (
        "Mine",
        "How often each jury is right",
        "Win, tie and loss",
        "Whether juries differ",
        "Differences on the same pairs",
        "What becomes of ties",
        "Asked again",
        "assize study juries x",
        "is right most often",
        "there is no judgment by maxim@openai:one-two-y",
        "&lt;b&gt;x&lt;/b&gt;",
        studied().signature,
    ):
        assert said in page
    assert "<b>x</b>" not in page
    assert "Against the printed figures" not in page


def test_with_paper_the_printed_tables_stand_on_the_page(tmp_path: Path) -> None:
    studied(paper=True).report(str(tmp_path / "paper.html"))
    said = (tmp_path / "paper.html").read_text()
    for part in ("Table 2: Accuracy", "Table 30: What becomes of ties", "as printed", "exchanged"):
        assert part in said
