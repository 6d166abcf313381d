"""A whole study: what its tables, notes and JSON hold, and what is absent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.reference.study.examples import column, data_of, ratings, simulated

from assize.reference.study.data import DataSet
from assize.reference.study.run import Settings, study
from assize.reference.study.studied import ReferenceStudy
from assize.reference.study.tables import shown

QUICK = Settings(learners=("linear",), permutations=200)


@pytest.fixture(scope="module")
def found() -> ReferenceStudy:
    return study([simulated(conversations=12)[0]], QUICK)


def sets() -> Sequence[DataSet]:
    """Three simulated data sets, the second without judges and the third of one rater."""
    first, second, third = (simulated(conversations=10, seed=seed)[0] for seed in (1, 2, 3))
    local = [one for one in second.columns if one.scale == "number"]
    alone = {name: replace(one, values=one.values[:1]) for name, one in third.ratings.items()}
    return [
        replace(first, name="A"),
        replace(second, name="B", columns=local),
        replace(third, name="C", ratings={"content": alone["content"]}, simulated=False),
    ]


@pytest.fixture(scope="module")
def several() -> ReferenceStudy:
    return study(sets(), QUICK)


def names(found: ReferenceStudy, table: str) -> list[str]:
    one = found.tables[table]
    place = [each.name for each in one.columns].index("metric")
    return [str(row[place]) for row in one.rows]


def test_one_data_set_has_both_units_side_by_side(found: ReferenceStudy) -> None:
    table = found.tables["metrics content"]
    assert [one.name for one in table.columns] == [
        "group",
        "metric",
        "figure",
        "every rating",
        "mean of an item",
    ]
    assert "items content" not in found.tables
    assert "(simulated)" in table.title


def test_every_metric_and_ensemble_has_a_row_in_its_group(found: ReferenceStudy) -> None:
    rows = found.tables["metrics content"].rows
    assert {(row[0], row[1], row[2]) for row in rows} == {
        ("Others", "strong", "r"),
        ("Others", "middling", "r"),
        ("Others", "weak", "r"),
        ("Others", "noise", "r"),
        ("Language models", "likert", "V"),
        ("Language models", "yes-no", "pb"),
        ("Ensembles, cross-validated", "best metric", "r"),
        ("Ensembles, cross-validated", "linear", "r"),
    }


def test_data_sets_stand_side_by_side_and_what_was_not_asked_is_blank(
    several: ReferenceStudy,
) -> None:
    table = several.tables["metrics content"]
    assert [one.name for one in table.columns][3:] == ["A (simulated)", "B (simulated)", "C"]
    likert = next(row for row in table.rows if row[1] == "likert")
    assert likert[4] is None
    assert likert[3] is not None


def test_ensembles_are_of_their_own_set_of_the_first_and_of_the_others(
    several: ReferenceStudy,
) -> None:
    rows = {row[0]: row for row in several.tables["metrics content"].rows if row[1] == "linear"}
    assert list(rows) == [
        "Ensembles trained on A",
        "Ensembles trained on each data set, cross-validated",
        "Ensembles trained on the other data sets",
    ]
    by_a, own = list(rows.values())[:2]
    assert by_a[3].estimate == own[3].estimate  # in A itself both are cross-validated
    assert by_a[4].estimate != own[4].estimate


def test_one_rater_leaves_out_what_needs_two_and_says_so(several: ReferenceStudy) -> None:
    assert not [
        name
        for name in several.tables
        if name.startswith(("accuracy", "levels")) and name.endswith(" C")
    ]
    assert "agreement C" not in several.tables
    assert any(note.startswith("C, content: no figure by agreement") for note in several.notes)
    assert "figures content C" in several.tables


def test_simulated_data_are_called_so_and_real_ones_not(several: ReferenceStudy) -> None:
    assert [note for note in several.notes if "simulated;" in note] == [
        f"{name} (simulated): simulated; no person rated anything and no model said anything"
        for name in "AB"
    ]
    assert "simulated" not in several.tables["aggregate C"].title


def test_a_terminal_shows_the_main_tables_alone(found: ReferenceStudy) -> None:
    brief = shown(found)
    assert set(brief) == {
        "best",
        "kept",
        "agreement",
        *(f"{kind} {target}" for kind in ("metrics", "gains") for target in found.targets),
    }
    assert set(brief) < set(found.tables)


def test_the_json_has_no_nan_and_every_figure_its_interval(found: ReferenceStudy) -> None:
    value: dict[str, Any] = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert value["folds"] == 5
    row = value["rows"][0]
    assert (row["data"], row["target"], row["raters"], row["simulated"]) == (
        "all",
        "content",
        5,
        True,
    )
    own = row["metrics"][0]["ratings"]["own"]
    assert own["interval"][0] < own["estimate"] < own["interval"][1]
    assert len(row["metrics"][0]["ratings"]["folds"]) == 5
    assert row["ensembles"][1]["gain"]["p_value"] is not None


def test_constant_metrics_and_ratings_give_reasons_everywhere() -> None:
    people = ratings(*[[2.0, 2.0]] * 30, answers=(1.0, 2.0, 3.0))
    data = data_of(people, column([0.5] * 30))
    found = study([data], QUICK)
    assert str(found)
    row = found.row("content")
    assert np.isnan(row.metrics[0].by["items"].own.estimate)
    assert row.metrics[0].by["items"].own.reason == "the metric is constant"
    assert "there is no metric that nearly all items have" in " ".join(found.notes)
    json.dumps(found.to_json(), allow_nan=False)


def test_three_items_are_too_few_for_nearly_all_and_nothing_breaks() -> None:
    people = ratings([1, 2], [2, 3], [3, 3])
    found = study([data_of(people, column([0.1, 0.2, 0.4]))], QUICK)
    assert str(found)
    assert any("3 conversations are too few for 5 folds" in note for note in found.notes)
    json.dumps(found.to_json(), allow_nan=False)


def test_the_signature_changes_with_data_and_settings(found: ReferenceStudy) -> None:
    data = simulated(conversations=12)[0]
    assert study([data], QUICK).signature == found.signature
    assert study([data], replace(QUICK, seed=1)).signature != found.signature
    column_ = data.columns[0]
    moved = replace(data, columns=[replace(column_, values=column_.values + 1e-9)])
    assert study([moved], QUICK).signature != found.signature


def test_no_ensemble_is_fitted_where_none_is_asked_for() -> None:
    found = study([simulated(conversations=10)[0]], replace(QUICK, learners=()))
    assert found.row("content").learnt == []
    assert "gains content" not in found.tables
    assert "linear" not in names(found, "metrics content")


def test_every_table_leaves_as_html_latex_and_a_frame(several: ReferenceStudy) -> None:
    for name, one in several.tables.items():
        assert one.to_html(), name
        assert one.to_latex(), name
        assert len(one.to_pandas()) == len(one.rows), name


def test_a_set_without_the_target_of_the_others_trains_nothing_of_it() -> None:
    first, second, third = sets()
    lacking = replace(first, ratings={"style": first.ratings["style"]})
    found = study([lacking, second, third], QUICK)
    rows = found.tables["metrics content"].rows
    assert found.train == "A"
    assert "Ensembles trained on A" not in {row[0] for row in rows}
    assert {one.trained.on for one in found.row("content", "B").learnt} == {"B", ""}


def test_a_learnt_judge_among_the_metrics_comes_with_a_warning() -> None:
    data = simulated(conversations=10)[0]
    learnt = replace(data.columns[0], name="ensemble", group="Learnt judges")
    found = study([replace(data, columns=[*data.columns, learnt])], replace(QUICK, learners=()))
    assert any("ensemble is learnt; on items that it was fitted on" in one for one in found.notes)


def test_an_ensemble_among_the_judgments_is_measured_and_read_by_nothing_that_is_fitted() -> None:
    data = simulated(conversations=10)[0]
    told = replace(
        data.columns[0],
        name="ensemble",
        group="Learnt judges",
        values=data.ratings["content"].means,
    )
    without = study([data], QUICK).row("content")
    found = study([replace(data, columns=[*data.columns, told])], QUICK)
    row = found.row("content")
    assert (
        next(one for one in row.metrics if one.name == "ensemble").by["items"].pearson.estimate
        > 0.99
    )
    assert "ensemble" in {one.column for one in row.levels.rows}
    assert found.tables["best"].rows[0][1] == "strong"
    assert [one.column for one in row.weights.rows] == [one.column for one in without.weights.rows]
    assert [one.by["items"].pearson for one in row.learnt] == [
        one.by["items"].pearson for one in without.learnt
    ]


def test_of_two_sets_each_is_predicted_from_the_other() -> None:
    found = study(sets()[:2], QUICK)
    trained = {name: {one.trained.on for one in found.row("content", name).learnt} for name in "AB"}
    assert trained == {"A": {"A", ""}, "B": {"B", "A"}}
    rows = {row[0]: row for row in found.tables["metrics content"].rows if row[1] == "linear"}
    assert rows["Ensembles trained on the other data sets"][4] is None
