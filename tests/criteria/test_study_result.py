"""The record of a study: JSON, tables, notes and lines."""

from __future__ import annotations

import json

from tests.criteria.test_study import FOUND, HAND, OURS, WEAK, studied

from assize.criteria._study import MEASURES


def test_json_holds_every_figure_of_every_row_and_a_line_makes_it_reproducible() -> None:
    value = json.loads(json.dumps(FOUND.to_json(), allow_nan=False))
    assert len(value["rows"]) == 6
    assert set(value["rows"][0]) >= set(MEASURES)
    assert set(value["differences"][0]) >= set(MEASURES)
    assert FOUND.notes[0].startswith("labels by made: 40 good (50%), 40 bad")
    (line,) = FOUND.lines
    assert line.startswith("methods=3|policies=rubicon+ucb|budget=4+4|n=80|splits=1|resamples=100")
    assert line.endswith(FOUND.signature)
    assert FOUND.sentence.startswith(
        "Of 3 methods and 2 policies on 20 good and 20 bad test conversations, ours by rubicon"
    )


def test_tables_have_the_measures_of_the_paper_with_ours_behind() -> None:
    table = FOUND.tables["rows"]
    names = [column.name for column in table.columns if not column.extra]
    assert names[:7] == ["name", "good less bad", "yield", "accuracy", "precision", "recall", "F1"]
    assert names[7:10] == ["yield, own window", "precision, own window", "r"]
    assert names[10:] == ["criteria", "n", "unscored"]
    assert "hand: within the budgets, so taken whole." in str(table)


def test_differences_leave_out_the_first() -> None:
    pairs = [row.name.split(" less ") for row in FOUND.differences]
    assert ["weak, rubicon", "ours"] in pairs
    assert ["weak, ucb", "rubicon"] in pairs
    assert len(pairs) == 7
    assert not any(first.startswith("ours, rubicon") for first, _ in pairs)


def test_a_row_is_named_by_what_tells_it_from_others() -> None:
    assert [row.name for row in studied(OURS).rows] == ["ours"]
    assert list(studied(OURS).tables) == ["rows"]
    both = studied(HAND, policies=["rubicon", "ucb"])
    assert [row.name for row in both.rows] == ["rubicon", "ucb"]
    assert [row.name for row in studied(OURS, WEAK).rows] == ["ours", "weak"]
