"""A source's key changes when what it reads does."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.dashboard.project import conversations, predictions, table, write_project

from assize.base.errors import DataError
from assize.formats import questions_path
from assize.judgments import JudgmentTable
from assize.web._dashboard.definition import read_dashboards
from assize.web._dashboard.sources import OWN, file_source, ratings_source


def test_files_are_read_with_their_questions(tmp_path: Path) -> None:
    write_project(tmp_path)
    read, items = file_source(read_dashboards(tmp_path)[0]).load()
    assert len(read) == len(table())
    assert read.questions["Q0"] == table().questions["Q0"]
    assert list(items) == conversations()


def test_another_definition_of_a_question_is_another_key(tmp_path: Path) -> None:
    write_project(tmp_path)
    before = file_source(read_dashboards(tmp_path)[0]).key
    questions = Path(questions_path(str(tmp_path / "judgments.jsonl")))
    questions.write_text(questions.read_text() + "\n", encoding="utf-8")
    assert file_source(read_dashboards(tmp_path)[0]).key != before


def test_ratings_have_a_dashboard_of_their_own() -> None:
    one, two = (ratings_source("t", "T", lambda: (table(predictions()), []), at) for at in "12")
    assert one.dashboard.name == f"{OWN}.t"
    assert one.key != two.key


def test_without_a_rating_there_is_nothing_to_show() -> None:
    with pytest.raises(DataError, match="nobody has rated anything yet"):
        ratings_source("t", "T", lambda: (JudgmentTable.of([]), []), "0").load()
