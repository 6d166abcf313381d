"""Importance is what `assize.calibrate.importance` says, and only with networks."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.web.dashboard.fitted import write_networks

import assize
from assize.base.errors import ConfigError, DataError
from assize.results import to_json
from assize.web._dashboard.definition import Dashboard, read_dashboards
from assize.web._dashboard.figures.worth import (
    LEVELS,
    WAY,
    has_worth,
    spreads,
    worth_of,
    worth_parts,
)
from assize.web._dashboard.prepared.view import View


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Dashboard:
    pytest.importorskip("torch")
    folder = tmp_path_factory.mktemp("project")
    write_networks(folder)
    return read_dashboards(folder)[0]


def test_the_figures_are_those_of_question_importance(dashboard: Dashboard) -> None:
    result = assize.calibrate.importance(
        dashboard.main_calibrator, list(dashboard.calibrators), list(dashboard.answers)
    )
    (row,) = (row for row in result.questions if row.along == WAY)
    worth = worth_of(dashboard)
    assert worth["questions"] == {"Q1": to_json(row.mean)}
    assert worth["each"]["items"] == [item.item for item in result.items]
    assert worth["each"]["Q1"] == [item.importance["Q1"][WAY] for item in result.items]
    assert worth["questions"]["Q1"]["interval"][0] is not None


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


def test_spreads_are_quantiles_of_each_group(view: View) -> None:
    names = view.ids.all()
    systems = view.fields.codes[view.fields.place("system")]
    each = [float(place) for place in range(len(names))]
    each[3] = math.nan
    found = {"each": {"items": [*names, "elsewhere"], "Q1": [*each, 1000.0]}}
    (everything,) = spreads(found, view)["Q1"]
    assert everything.n == len(names)  # one has none, and one is of no judgment here
    by_system = spreads(found, view, "system")["Q1"]
    words = list(view.fields.words[view.fields.place("system")])
    for one in by_system:
        mine = np.array(each)[systems == words.index(one.group)]
        mine = mine[~np.isnan(mine)]
        assert one.n == len(mine)
        assert one.levels == pytest.approx(np.quantile(mine, LEVELS))
    (only,) = spreads(found, view, where=f"system:{by_system[0].group}")["Q1"]
    assert (only.n, only.levels) == (by_system[0].n, by_system[0].levels)


def test_a_field_that_is_none_is_told(view: View) -> None:
    with pytest.raises(ConfigError, match="no field 'colour'"):
        spreads({"each": {"items": [], "Q1": []}}, view, "colour")
