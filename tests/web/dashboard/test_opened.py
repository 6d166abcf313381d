"""Views are prepared behind the pages, once, and stay open."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from tests.web.dashboard.project import conversations, table, write_project

from assize.base.errors import DataError
from assize.web._dashboard.definition import read_dashboards
from assize.web._dashboard.opened import OpenViews, prepare_files
from assize.web._dashboard.prepared.kept import kept_view
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.sources import Source, file_source, ratings_source


def waited(views: OpenViews, source: Source) -> View:
    """The view, asked for until it is there."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        found = views.get(source)
        if found is not None:
            return found
        time.sleep(0.05)
    raise AssertionError("never prepared")


def test_a_view_of_files_is_prepared_in_another_process(tmp_path: Path) -> None:
    write_project(tmp_path)
    views, source = OpenViews(tmp_path), file_source(read_dashboards(tmp_path)[0])
    assert views.get(source) is None
    found = waited(views, source)
    assert found.size == 60
    assert views.get(source) is found


def test_what_prevents_a_view_is_told_and_can_be_tried_again(tmp_path: Path) -> None:
    def load() -> tuple[object, object]:
        raise DataError("the database is away")

    views = OpenViews(tmp_path)
    for _ in range(2):
        with pytest.raises(DataError, match="the database is away"):
            waited(views, ratings_source("t", "T", load, "1"))  # type: ignore[arg-type]


def test_while_newer_judgments_are_read_the_earlier_view_is_shown(tmp_path: Path) -> None:
    def source(token: str) -> Source:
        return ratings_source("t", "T", lambda: (table(), conversations()), token)

    views = OpenViews(tmp_path)
    first = waited(views, source("1"))
    between = views.get(source("2"))
    assert between is not None
    assert between.made_of == first.made_of
    again = OpenViews(tmp_path).get(source("3"))  # after a restart
    assert again is not None
    until = time.monotonic() + 60
    while views.get(source("2")).made_of != source("2").key:  # type: ignore[union-attr]
        assert time.monotonic() < until
        time.sleep(0.05)


def test_files_are_prepared_by_name(tmp_path: Path) -> None:
    write_project(tmp_path)
    (dashboard,) = read_dashboards(tmp_path)
    assert prepare_files(dashboard, tmp_path) is None
    assert kept_view(file_source(dashboard), tmp_path) is not None
    (tmp_path / "judgments.jsonl").write_text("{}\n", encoding="utf-8")
    problem = prepare_files(dashboard, tmp_path)
    assert problem is not None
    assert "judgments.jsonl" in problem
