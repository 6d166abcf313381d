"""A whole study: what its tables, notes and JSON hold, and what is absent."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.reference.study.examples import QUICK, column, data_of, ratings, simulated, studied

from assize.reference._ratings import Ratings
from assize.reference._study.association import MetricFigures
from assize.reference._study.data import DataSet
from assize.reference._study.metric_tables import MAIN
from assize.reference._study.result import ReferenceStudy
from assize.reference._study.run import study


def sets() -> Sequence[DataSet]:
    """Three simulated data sets, the second without judges and the third of one rater."""
    first, second, third = (simulated(conversations=10, seed=seed) for seed in (1, 2, 3))
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


def content_of(found: ReferenceStudy, data: str | None = None) -> list[MetricFigures]:
    """The figures of the target content on a data set."""
    return [row for row in found.figures if (row.target, row.data) == ("content", data)]


def test_one_data_set_has_both_units_and_a_row_for_every_metric_and_ensemble() -> None:
    table = studied().tables["metrics content"]
    names = [one.name for one in table.columns]
    assert names == ["group", "metric", "figure", "every rating", "mean of an item"]
    assert "items content" not in studied().tables
    assert table.title == "Agreement with people on content (simulated)"
    assert {(row[0], row[1], row[2]) for row in table.rows} == {
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
    (likert,) = [row for row in table.rows if row[1] == "likert"]
    assert [cell is None for cell in likert[3:5]] == [False, True]


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


def test_the_best_ensemble_from_the_first_set_stands_beside_the_sets_own(
    several: ReferenceStudy,
) -> None:
    in_a, in_b, _ = (row for row in several.best if row.target == "content")
    assert in_a.ensemble_r == in_a.applied_r  # in A itself both are cross-validated
    assert (several.trained_on, in_b.applied) == ("A", "linear")
    (brought,) = [
        row.pearson
        for row in content_of(several, in_b.data)
        if (row.unit, row.trained_on, row.metric) == ("items", "A", "linear")
    ]
    assert in_b.applied_r == brought != in_b.ensemble_r


def test_one_rater_leaves_out_what_needs_two_and_says_so(several: ReferenceStudy) -> None:
    rows = several.to_json()
    for name in ("accuracy", "balanced", "levels", "kept"):
        assert {row["data"] for row in rows[name]} <= {"A (simulated)", "B (simulated)"}
    assert any(note.startswith("C, content: no figure by agreement") for note in several.notes)
    assert "C" in {row.data for row in several.figures}


def test_simulated_data_are_called_so_and_real_ones_not(several: ReferenceStudy) -> None:
    assert [note for note in several.notes if "simulated;" in note] == [
        f"{name} (simulated): simulated; no person rated anything and no model said anything"
        for name in "AB"
    ]
    assert {row.data: row.simulated for row in several.rated}["C"] is False


def test_a_terminal_shows_the_main_tables_alone() -> None:
    brief = [name for name in studied().tables if name.startswith(MAIN)]
    assert brief == [
        "best",
        *(f"metrics {target}" for target in studied().targets),
        "gains",
        "controls",
        "kept",
        "sources",
    ]
    assert set(brief) < set(studied().tables)


def test_the_json_has_no_nan_and_every_figure_its_interval() -> None:
    value: dict[str, Any] = json.loads(json.dumps(studied().to_json(), allow_nan=False))
    assert value["folds"] == 5
    row = value["rated"][0]
    assert (row["target"], row["raters"], row["simulated"]) == ("content", 5, True)
    row = value["figures"][0]
    figure = row["figure"]
    assert figure["interval"][0] < figure["estimate"] < figure["interval"][1]
    assert (row["unit"], len(row["folds"])) == ("ratings", 5)
    assert value["gains"][0]["p"] is not None


@pytest.mark.parametrize(
    ("people", "values", "note"),
    [
        pytest.param(
            ratings(*[[2.0, 2.0]] * 30, answers=(1.0, 2.0, 3.0)),
            [0.5] * 30,
            "there is no metric that nearly all items have",
            id="constant metrics and ratings",
        ),
        pytest.param(
            ratings([1, 2], [2, 3], [3, 3]),
            [0.1, 0.2, 0.4],
            "3 conversations are too few for 5 folds",
            id="three items",
        ),
    ],
)
def test_too_little_is_noted_and_nothing_breaks(
    people: Ratings, values: list[float], note: str
) -> None:
    found = study([data_of(people, column(values))], QUICK)
    assert str(found)
    assert note in " ".join(found.notes)
    json.dumps(found.to_json(), allow_nan=False)


def test_the_signature_changes_with_data_and_settings() -> None:
    data = simulated(conversations=10)
    assert study([data], QUICK).signature == studied().signature
    assert study([data], replace(QUICK, seed=1)).signature != studied().signature
    column_ = data.columns[0]
    moved = replace(data, columns=[replace(column_, values=column_.values + 1e-9)])
    assert study([moved], QUICK).signature != studied().signature


def test_no_ensemble_is_fitted_where_none_is_asked_for() -> None:
    ticks: list[int] = []
    none = replace(QUICK, learners=())
    found = study([simulated(conversations=10)], none, tick=ticks.append)
    assert ticks == [1] * len(found.targets)
    assert {row.trained_on for row in found.figures} == {None}
    assert "linear" not in {row.metric for row in found.figures}
    assert "gains" not in found.tables


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
    assert found.trained_on == "A"
    assert "Ensembles trained on A" not in {row[0] for row in rows}
    trained = {row.trained_on for row in content_of(found, "B (simulated)")}
    assert trained == {None, "B", "the others"}


def test_a_learnt_judge_among_the_metrics_comes_with_a_warning() -> None:
    data = simulated(conversations=10)
    learnt = replace(data.columns[0], name="ensemble", group="Learnt judges")
    found = study([replace(data, columns=[*data.columns, learnt])], replace(QUICK, learners=()))
    assert any("ensemble is learnt; on items that it was fitted on" in one for one in found.notes)


def test_an_ensemble_among_the_judgments_is_measured_and_read_by_nothing_that_is_fitted() -> None:
    data = simulated(conversations=10)
    told = replace(
        data.columns[0],
        name="ensemble",
        group="Learnt judges",
        values=data.ratings["content"].means,
    )
    found = study([replace(data, columns=[*data.columns, told])], QUICK)
    rows = {(row.metric, row.unit): row for row in content_of(found)}
    assert rows["ensemble", "items"].pearson.estimate > 0.99
    assert "ensemble" in {row.metric for row in found.levels}
    assert found.best[0].metric == "strong"
    assert [row.metric for row in found.regression] == [row.metric for row in studied().regression]
    fitted = [
        [row.pearson for row in result.figures if row.trained_on is not None]
        for result in (found, studied())
    ]
    assert fitted[0] == fitted[1]


def test_of_two_sets_each_is_predicted_from_the_other() -> None:
    found = study(sets()[:2], QUICK)
    trained = {
        name: {row.trained_on for row in content_of(found, f"{name} (simulated)")} - {None}
        for name in "AB"
    }
    assert trained == {"A": {"A", "the others"}, "B": {"B", "A"}}
    rows = {row[0]: row for row in found.tables["metrics content"].rows if row[1] == "linear"}
    assert rows["Ensembles trained on the other data sets"][4] is None
