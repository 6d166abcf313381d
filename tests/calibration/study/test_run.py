"""A whole study: figures by hand, tests, curve, tables by system, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from assize.calibration import Forms, features_of, forms_of
from assize.calibration.study import Data, Options, data_of, study
from assize.calibration.study.curve import learning_curve
from assize.calibration.study.measures import FLOOR, figures, losses, pairings
from assize.calibration.study.methods import METHODS, Method
from assize.calibration.study.predicted import Predicted, constant_over_seeds
from assize.calibration.study.systems import by_system, habits
from assize.calibration.study.tables import (
    against_rows,
    main_rows,
    references,
    repeated,
    system_rows,
)
from assize.errors import ConfigError, DataError
from assize.judgment import Unscored
from assize.judgments import JudgmentTable

from .conftest import QUESTIONS, SMALL, answers, ratings


def everything(data: Data) -> np.ndarray:
    return np.ones(len(data.forms), dtype=bool)


def test_figures_are_means_over_the_seeds(data: Data) -> None:
    gold = data.forms.values
    predicted = Predicted(np.array([gold + 0.5, gold - 1.5]))
    found = figures(data, predicted, everything(data))
    assert found["rmse"].estimate == pytest.approx(1.0)
    assert found["rmse"].spread == pytest.approx(np.std([0.5, 1.5], ddof=1))
    assert found["pearson"].estimate == pytest.approx(1.0)
    assert found["log_loss"].reason == "the method gives no probabilities"


def test_a_certain_and_wrong_answer_costs_a_bounded_log_loss(data: Data) -> None:
    p = np.eye(4)[(data.forms.y + 1) % 4]
    wrong = constant_over_seeds(data, p @ np.arange(1, 5), p)
    found = losses(data, wrong, "log loss")
    assert found is not None
    assert found == pytest.approx(-np.log(FLOOR))


def test_forms_without_a_prediction_count_as_unscored(data: Data) -> None:
    value = np.where(np.arange(len(data.forms)) < 5, np.nan, data.forms.values)
    found = figures(data, constant_over_seeds(data, value), everything(data))
    assert (found["rmse"].n, found["rmse"].unscored) == (len(data.forms) - 5, 5)


def test_a_score_on_its_own_scale_has_correlations_only(data: Data) -> None:
    value = constant_over_seeds(data, data.forms.values * 100).value
    found = figures(data, Predicted(value, only_order=True), everything(data))
    assert np.isnan(found["rmse"].estimate)
    assert found["spearman"].estimate == pytest.approx(1)
    assert losses(data, Predicted(value, only_order=True), "squared error") is None


def test_tests_tell_methods_apart_that_differ_and_not_those_that_are_alike(data: Data) -> None:
    gold = data.forms.values
    noise = np.random.default_rng(0).normal(0, 0.1, len(gold))
    rows = {
        "good": constant_over_seeds(data, gold + noise),
        "alike": constant_over_seeds(data, gold - noise),
        "bad": constant_over_seeds(data, gold + 1),
    }
    found = {(one.first, one.second): one for one in pairings(data, rows, everything(data))}
    assert found["good", "bad"].p_holm < 0.01
    assert found["good", "bad"].test.statistic < 0
    assert found["good", "alike"].p_holm > 0.5
    assert {one.loss for one in found.values()} == {"squared error"}


def test_a_learning_curve_has_growing_sizes_and_falling_errors(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(items=60), folds=3, seeds=1, setting=SMALL)
    found = learning_curve(data, shares=(0.05, 1.0), subsamples=6)
    assert [(one.method, one.forms) for one in found] == [
        ("network", 6),
        ("network", 120),
        ("default", 6),
        ("default", 120),
    ]
    for first, last in (found[:2], found[2:]):
        assert last.log_loss.mean < first.log_loss.mean
        assert first.rmse.low <= first.rmse.mean <= first.rmse.high


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
    header, rows = system_rows(cells, "people")
    assert header == ["question", "all", "s0", "s1"]
    assert rows[0][0] == "overall"


def test_habits_count_each_raters_answers(data: Data) -> None:
    found = habits(data.forms)
    assert sum(sum(one.counts) for one in found) == len(data.forms)
    assert {one.rater for one in found} == {"person-0", "person-1", "person-2"}


def test_a_study_is_one_json_object_and_says_the_same_again(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(), test_items=["s0-0", "s1-1"], folds=2, seeds=2, setting=SMALL)
    options = Options(("baselines", "network"), 5_000, subsamples=2, every_question=True)
    found = study(data, options)
    value = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert value == json.loads(json.dumps(study(data, options).to_json()))
    assert list(value["sets"]) == ["cross-validated", "test set"]
    assert value["sets"]["test set"]["forms"] == 6
    assert set(value["questions"]) == {"clear", "size"}
    of_size = value["questions"]["size"]["network"]  # its answers are not ordered
    assert of_size["rmse"]["reason"] == "the answers are not ordered"
    assert of_size["log_loss"]["estimate"] > 0
    assert len(value["learning_curve"]) == 2 * 7
    assert set(value["reliability"]["network"]) == {"1", "2", "3", "4"}
    rows = value["sets"]["cross-validated"]["rows"]
    count = len(rows)
    tests = value["sets"]["cross-validated"]["tests"]
    assert sum(one["loss"] == "squared error" for one in tests) == count * (count - 1) // 2
    assert rows["network"]["rmse"]["estimate"] < rows["random"]["rmse"]["estimate"]
    tables = main_rows(found, found.parts[0])
    assert list(tables) == ["baselines", "calibrated"]
    against = found.parts[0].against("network", "squared error")
    assert len(against) == count - 1
    assert against["random"] < 0.01
    header, gaps = against_rows(found, found.parts[0], "squared error")
    assert header[:3] == ["method", "less network", "p"]
    assert [row[0] for row in gaps] == list(rows)
    worse = next(row for row in gaps if row[0] == "random")
    assert float(worse[1]) > 0
    assert float(worse[2].lstrip("<")) < 0.01


def test_an_unordered_target_has_its_n_from_the_log_loss_and_is_tested_by_it(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms().with_target("size")
    data = data_of(forms, folds=2, seeds=1, setting=SMALL)
    found = study(data, Options(("constant", "ridge", "network"), 200))
    n = int(data.known.sum())
    (baselines, calibrated) = main_rows(found, found.parts[0]).values()
    assert baselines[0] == ["method", "loss", "n", "p"]
    assert [row[2] for row in baselines[1]] == [str(n), f"0 of {n}"]  # a ridge has no probabilities
    assert baselines[1][0][3] != "–"
    assert calibrated[1][0][2] == str(n)
    assert against_rows(found, found.parts[0], "squared error")[1] == []
    curve = learning_curve(data, shares=(1.0,), subsamples=3)
    assert [one.rmse.n for one in curve] == [0, 0]
    assert all(one.log_loss.mean > 0 for one in curve)
    with pytest.raises(ConfigError, match="not ordered; leave `adaptive` out"):
        study(data, Options(("constant",), adaptive=True))


def test_tests_are_shown_against_the_base_and_the_best_that_is_no_oracle(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = Method("oracles", lambda data: {"truth": constant_over_seeds(data, data.forms.values)})
    monkeypatch.setitem(METHODS, "truth", truth)
    found = study(data, Options(("constant", "expected", "network", "truth"), 200))
    part = found.parts[0]
    rmse = {name: each["rmse"].estimate for name, each in part.figures.items()}
    assert rmse["truth"] == 0
    assert rmse["expected"] < rmse["network"]
    assert references(found, part, "squared error") == ["network", "expected"]
    _, rows = against_rows(found, part, "squared error")
    assert [row[0] for row in rows] == list(rmse)
    own = next(row for row in rows if row[0] == "network")
    assert own[1:3] == ["–", "–"]


def test_the_curve_says_how_many_subsamples_are_different_ones(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(items=8), folds=2, seeds=2, setting=SMALL)
    few, all_ = learning_curve(data, shares=(0.05, 0.06, 1.0), subsamples=6)[:2]
    assert (few.forms, few.rmse.n) == (1, 6)
    assert (all_.subsamples, all_.distinct) == (6, 4)  # two folds, each of two seeds
    found = replace(study(data, Options(("constant",), 10)), curve=[few, all_])
    assert f"4 at {all_.forms} forms" in repeated(found)
    assert repeated(replace(found, curve=[])) == ""


def test_a_fold_with_one_answer_leaves_the_default_unscored_there(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms(items=12)
    answers = np.where(np.arange(len(forms)) == 0, 1, 2)
    rare = replace(forms, answers=np.column_stack([answers, forms.answers[:, 1:]]))
    data = data_of(rare, folds=3, seeds=1, setting=SMALL)
    figure = study(data, Options(("default",), 10)).parts[0].figures["default"]["rmse"]
    held = int((data.fold[0] == data.fold[0, 0]).sum())
    assert (figure.n, figure.unscored) == (len(forms) - held, held)
    alike = replace(forms, answers=np.where(forms.answers >= 0, 0, -1))
    with pytest.raises(DataError, match="all 36 answers are '1'; at least two different"):
        data_of(alike, folds=3)


def test_another_setting_is_another_signature(data: Data) -> None:
    asked = Options(("constant",), 10)
    other = data_of(data.forms, folds=3, seeds=1, setting=SMALL)
    assert study(data, asked).signature != study(other, asked).signature


def gappy(items: int = 24) -> Forms:
    """One rater an item, no answers by the model to the target, every ninth answer failed."""
    rng = np.random.default_rng(0)
    quality = rng.uniform(1, 4, items)
    said = [row for row in answers(items, rng, quality=quality) if row.question != "overall"]
    for place in range(0, len(said), 9):
        said[place] = replace(said[place], distribution=None, unscored=Unscored("server"))
    rated = JudgmentTable.of(ratings(items, 1, rng, quality), QUESTIONS)
    return forms_of(features_of(JudgmentTable.of(said, QUESTIONS)), rated, "overall")


def test_gaps_in_the_answers_leave_out_rows_and_no_forms() -> None:
    data = data_of(gappy(), folds=3, seeds=1, setting=SMALL)
    found = study(data, Options(permutations=10, subsamples=1, adaptive=True))
    rows = {row.name for row in found.rows}
    assert not rows & {"argmax", "expected", "main question only"}
    for name, each in found.parts[0].figures.items():
        others = name.startswith("oracle of others")  # nobody else rated any item
        assert each["rmse"].unscored == (len(data.forms) if others else 0), name


def test_where_people_answer_the_target_alone_there_are_no_oracles(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms(items=12)
    alone = replace(forms, answers=forms.answers[:, :1], scales=forms.scales[:1])
    data = data_of(alone, folds=2, seeds=1, setting=SMALL)
    found = study(data, Options(("oracles", "worth", "calibrated"), 10))
    assert [row.name for row in found.rows] == ["main question only", "network", "default"]
