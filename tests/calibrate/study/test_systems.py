"""What people and models answered, by system."""

from __future__ import annotations

import numpy as np
import pytest

from assize.calibrate._study import Data
from assize.calibrate._study.systems import by_system, count_answers, system_table


def test_means_by_system_are_those_of_the_answers(data: Data) -> None:
    forms = data.forms
    names = [item for item, _ in forms.features.units]
    cells = by_system(forms, {name: name.partition("-")[0] for name in names})
    found = {(cell.source, cell.question, cell.system): cell for cell in cells}
    of_s0 = np.array([names[place].startswith("s0") for place in forms.item.tolist()])
    cell = found["people", "overall", "s0"]
    assert cell.mean.estimate == pytest.approx(forms.values[of_s0].mean())
    assert cell.deviation == pytest.approx(forms.values[of_s0].std(ddof=1))
    assert found["people", "overall", "all"].mean.n == len(forms)
    shares = [
        found["people", f"size={one}", "all"].mean.estimate for one in ("short", "right", "long")
    ]
    assert sum(shares) == pytest.approx(1)
    model = found["rubric@scripted:m", "overall", "all"]
    assert 1 < model.mean.estimate < 4
    assert model.mean.n == 30
    table = system_table(cells, "people")
    assert [one.name for one in table.columns] == ["question", "all", "s0", "s1"]
    assert table.rows[0][0] == "overall"


def test_each_raters_answers_are_counted(data: Data) -> None:
    found = count_answers(data.forms)
    assert sum(sum(one.counts.values()) for one in found) == len(data.forms)
    assert all(one.forms == sum(one.counts.values()) for one in found)
    assert {one.rater for one in found} == {"person-0", "person-1", "person-2"}
