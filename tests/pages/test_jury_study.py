"""The page of `assize study juries`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries
from assize.pages.result_page import write_result

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


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    pytest.importorskip("vl_convert")
    path = tmp_path_factory.mktemp("page") / "study.html"
    write_result(path, studied(), title="Mine", reproduce=["assize study juries x"])
    return path.read_text()


def test_the_page_has_a_section_for_each_question(page: str) -> None:
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
    ):
        assert said in page
    assert "Against the printed figures" not in page
    assert studied().signature in page


def test_names_from_files_are_text_on_the_page(page: str) -> None:
    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_with_paper_the_printed_tables_stand_on_the_page(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    studied(paper=True).report(str(tmp_path / "paper.html"))
    said = (tmp_path / "paper.html").read_text()
    for part in ("Table 2: Accuracy", "Table 30: What becomes of ties", "as printed", "exchanged"):
        assert part in said
