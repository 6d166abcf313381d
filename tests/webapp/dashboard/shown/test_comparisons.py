"""Versions and importance as rows of words, worked out once."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.webapp.dashboard.fitted import write_networks

from assize.webapp.dashboard.definition import Dashboard, read_dashboards
from assize.webapp.dashboard.prepared.kept import view_of
from assize.webapp.dashboard.prepared.view import View
from assize.webapp.dashboard.shown.comparisons import shown_versions, shown_worth
from assize.webapp.dashboard.sources import file_source


def test_versions_have_differences_intervals_and_what_to_read(view: View) -> None:
    found = shown_versions(view, Dashboard("d", "D", main="Q0"), "system", "old", "new", "")
    assert [one["question"] for one in found["rows"]] == ["Q0", "Q1", "Q2"]
    row = found["rows"][0]
    assert row["difference"].startswith("+")
    assert " to " in row["interval"]
    assert (row["n"], row["verdict"]) == ("29", "better")
    assert found["paired"]
    assert "29 pairs, paired by first prompt" in found["pairing"]
    assert found["reading"][0]["change"].startswith("-")
    again = shown_versions(view, Dashboard("d", "D", main="Q0"), "system", "old", "new", "")
    assert again == found


def test_importance_has_intervals_and_a_picture(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    write_networks(tmp_path)
    (dashboard,) = read_dashboards(tmp_path)
    found = shown_worth(view_of(file_source(dashboard), tmp_path), dashboard)
    assert found["target"] == "Q0"
    assert [one["question"] for one in found["rows"]] == ["Q1"]
    assert " to " in found["rows"][0]["interval"]
    assert found["drawing"].startswith("<svg")
