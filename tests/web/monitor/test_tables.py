from __future__ import annotations

import pytest
from tests.web.monitor.simulated import Rater, Study, collect, crowd

from assize.web._monitor import tables
from assize.web._monitor.figures import Figures, figures
from assize.web._monitor.progress import progress


@pytest.fixture(scope="module")
def found() -> Figures:
    study = Study(crowd(3, odd=Rater(careless=0.9, later=1)), items=120, gold=8)
    return figures(collect(study), least=0.6)


def test_a_row_a_rater_and_question(found: Figures) -> None:
    sizes = {
        "agreement": len(tables.agreement_table(found.agreement).rows),
        "bins": len(tables.bins_table(found.agreement).rows),
        "groups": len(tables.groups_table(found.agreement).rows),
        "raters": len(tables.raters_table(found.raters, "").rows),
        "gold": len(tables.gold_table(found.gold, "").rows),
        "offsets": len(tables.offsets_table(found).rows),
        "same": len(tables.same_table(found).rows),
        "speed": len(tables.speed_table(found).rows),
    }
    assert sizes == {
        "agreement": 2,
        "bins": 2,
        "groups": 6,
        "raters": 4,
        "gold": 4,
        "offsets": 8,
        "same": 8,
        "speed": 4,
    }


def test_a_raters_rows_are_theirs(found: Figures) -> None:
    for make in (tables.offsets_table, tables.same_table):
        assert {row[0] for row in make(found, "odd").rows} == {"odd"}


def test_figures_carry_how_many_items_they_are_of(found: Figures) -> None:
    table = tables.agreement_table(found.agreement)
    assert [table.rows[0][at] for at in (3, 5)] == [120, 360]
    assert "0 is chance" in table.notes[0]


def test_the_verdict_stands_beside_who_stands_out(found: Figures) -> None:
    notes = {row[0]: row[-1] for row in tables.raters_table(found.raters, "").rows}
    assert notes["odd"] == "agrees less than the others do"
    assert notes["r0"] is None


def test_disputed_items_show_how_often_each_answer_was_given(found: Figures) -> None:
    table = tables.disputed_table(found.disputed, most=5)
    assert len(table.rows) == 5
    assert "further rows" in table.notes[-1]
    assert " × " in table.rows[0][3]
    worst = [row[5] for row in table.rows]
    assert worst == sorted(worst, reverse=True)


def test_gold_items_that_all_get_right_are_no_trouble(found: Figures) -> None:
    assert all(row[3].estimate < 1 for row in tables.hard_gold_table(found).rows)


def test_progress_names_reasons_and_ways() -> None:
    now = progress(collect(Study({"a": Rater()}, items=3)).work, ["i0", "i1", "i2"], 1)
    assert tables.progress_table(now).rows[0][:2] == ("a", 3)
    assert tables.chosen_table(now).rows == [("at random", 3)]
    assert tables.skips_table(now).rows == []
