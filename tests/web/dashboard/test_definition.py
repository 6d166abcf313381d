"""Dashboard files say what is watched; mistakes are told with their place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.web.dashboard.project import YAML, write_project

from assize.base.errors import DataError
from assize.web._dashboard.definition import read_dashboards, sources_hash, without_answers
from assize.web._dashboard.figures.resampling import SOURCES, Drawing


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path)
    return tmp_path


def wrong(project: Path, old: str, new: str) -> str:
    """What is said of the file with a part exchanged."""
    assert old in YAML
    path = project / "dashboards" / "satisfaction.yaml"
    path.write_text(YAML.replace(old, new), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        read_dashboards(project)
    return str(caught.value)


def test_a_file_is_read_with_paths_from_the_project(project: Path) -> None:
    (found,) = read_dashboards(project)
    assert found.judgments == (str(project / "judgments.jsonl"),)
    assert (found.name, found.main, found.by) == (
        "satisfaction",
        "Q0",
        ("system", "metadata.topic"),
    )
    assert found.drawing == Drawing(SOURCES, 40, 0.95)


def test_an_unknown_field_is_told_with_its_line(project: Path) -> None:
    said = wrong(project, "main: Q0", "mian: Q0")
    assert "satisfaction.yaml:7" in said
    assert "mian" in said


def test_a_file_that_is_not_there_is_told(project: Path) -> None:
    assert "no 'gone.jsonl'" in wrong(project, "[judgments.jsonl]", "[gone.jsonl]")


def test_a_wrong_source_of_replicates_is_told(project: Path) -> None:
    said = wrong(project, "replicates: 40", "resample: [items]")
    assert "allowed are raters, conversations, answers" in said


def test_too_few_replicates_are_refused(project: Path) -> None:
    assert "replicates" in wrong(project, "replicates: 40", "replicates: 3")


def test_calibrators_need_answers(project: Path) -> None:
    said = wrong(project, "replicates: 40", "calibrators: {main: a, others: [b]}")
    assert "calibrators need `answers`" in said


def test_two_dashboards_of_one_name_are_refused(project: Path) -> None:
    (project / "dashboards" / "two.yaml").write_text(YAML, encoding="utf-8")
    with pytest.raises(DataError, match="another file has a dashboard 'satisfaction'"):
        read_dashboards(project)


def test_bands_can_do_without_drawn_answers(project: Path) -> None:
    (found,) = read_dashboards(project)
    assert without_answers(found).drawing == Drawing(("raters", "conversations"), 40, 0.95)


def test_a_project_without_dashboards_has_none(tmp_path: Path) -> None:
    assert read_dashboards(tmp_path) == ()


def test_the_hash_changes_with_a_file_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "judgments.jsonl").write_text("a")
    before = sources_hash((str(tmp_path / "run"),))
    assert sources_hash((str(tmp_path / "run"),)) == before
    (tmp_path / "run" / "judgments.jsonl").write_text("ab")
    assert sources_hash((str(tmp_path / "run"),)) != before
