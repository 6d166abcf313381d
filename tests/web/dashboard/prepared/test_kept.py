"""Views and figures are made once, as long as their sources are the same."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.web.dashboard.project import conversations, table, write_project

from assize.web._dashboard.definition import read_dashboards
from assize.web._dashboard.prepared.kept import HOME, figures, kept_figures, kept_view, view_of
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.sources import Loaded, Source, file_source, ratings_source


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path)
    return tmp_path


def source(project: Path) -> Source:
    return file_source(read_dashboards(project)[0])


def test_a_view_is_prepared_once(project: Path) -> None:
    assert kept_view(source(project), project) is None
    made = view_of(source(project), project)
    found = kept_view(source(project), project)
    assert found is not None
    assert found.folder == made.folder


def test_a_changed_file_makes_another_view_and_the_oldest_goes(project: Path) -> None:
    folders = []
    for at in range(3):
        os.utime(project / "judgments.jsonl", (at, at))
        folders.append(view_of(source(project), project).folder)
    assert len(set(folders)) == 3
    assert {one.name for one in (project / HOME / "satisfaction").iterdir()} == {
        one.name for one in folders[1:]
    }


def test_ratings_are_read_anew_when_there_are_more(tmp_path: Path) -> None:
    read: list[str] = []

    def ratings(token: str) -> Source:
        def load() -> Loaded:
            read.append(token)
            return table(), conversations()

        return ratings_source("clarity", "Clarity", load, token)

    for token in ("1", "1", "2"):
        view_of(ratings(token), tmp_path)
    assert read == ["1", "2"]


def test_figures_are_worked_out_once_for_the_same_parts(view: View) -> None:
    made = []

    def make() -> dict[str, int]:
        made.append(1)
        return {"n": len(made)}

    parts = {"test": "once"}
    assert kept_figures(view, parts) is None
    assert figures(view, parts, make) == figures(view, parts, make) == {"n": 1}
    assert figures(view, {"test": "other"}, make) == {"n": 2}
