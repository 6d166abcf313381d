"""Importance is what `assize.question_importance` says, and only with networks."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.webapp.dashboard.fitted import write_networks

import assize
from assize.errors import DataError
from assize.webapp.dashboard.definition import Dashboard, read_dashboards
from assize.webapp.dashboard.figures.worth import WAY, has_worth, worth_of, worth_parts


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Dashboard:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("project")
    write_networks(folder)
    return read_dashboards(folder)[0]


def test_the_figures_are_those_of_question_importance(dashboard: Dashboard) -> None:
    told = assize.question_importance(
        dashboard.main_calibrator, list(dashboard.calibrators), list(dashboard.answers)
    ).to_json()
    found = worth_of(dashboard)
    assert found["questions"] == told["questions"]
    assert "items" not in found
    assert found["questions"]["Q1"][WAY]["interval"][0] is not None


def test_without_networks_there_is_none(dashboard: Dashboard) -> None:
    assert has_worth(dashboard)
    assert not has_worth(Dashboard("d", "D"))


def test_other_networks_are_other_figures(dashboard: Dashboard) -> None:
    parts = worth_parts(dashboard)
    manifest = Path(dashboard.main_calibrator) / "calibration.json"
    manifest.write_text(manifest.read_text() + "\n")
    assert worth_parts(dashboard) != parts


def test_a_network_that_is_not_there_is_told() -> None:
    with pytest.raises(DataError, match="there is no such file"):
        worth_of(Dashboard("d", "D", main_calibrator="nothing", calibrators=("none",)))
