"""A whole study: tests, curve, JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.study.conftest import QUESTIONS, SMALL, answers, ratings

from assize.base.errors import ConfigError, MissingExtra
from assize.base.judgment import Unscored
from assize.calibrate import features_of, forms_of
from assize.calibrate._data.forms import Forms
from assize.calibrate._study import Options, StudyTables, data_of, study
from assize.calibrate._study.run import learning_curve
from assize.judgments import JudgmentTable


def test_a_study_is_one_json_object_and_says_the_same_again(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms(), test_items=["s0-0", "s1-1"], folds=2, seeds=2, setting=SMALL)
    tables = StudyTables(curve=2, every_question=True)
    options = Options(("baselines", "network"), 5_000, tables)
    found = study(data, options)
    value = json.loads(json.dumps(found.to_json(), allow_nan=False))
    assert value == json.loads(json.dumps(study(data, options).to_json()))
    assert {name: one["forms"] for name, one in value["tests"].items()}["test set"] == 6
    of_network = {
        row["measure"]: row["figures"] for row in value["questions"] if row["method"] == "network"
    }
    assert set(of_network["RMSE"]) == {"clear"}  # the answers to `size` are not ordered
    assert set(of_network["log loss"]) == {"clear", "size"}
    tested = next(row for row in value["test_questions"] if row["method"] == "network")
    assert (tested["figures"]["clear"]["n"], set(tested["figures"])) == (6, {"clear"})
    assert len(value["curve"]) == 2 * 7
    (reliability,) = value["reliability"]
    assert set(reliability["errors"]) == {"1", "2", "3", "4"}
    rows = {row["method"]: row["figures"] for row in value["cross_validated"]}
    count = len(rows)
    tests = value["tests"]["cross-validated"]["pairs"]
    assert sum(one["loss"] == "squared error" for one in tests) == count * (count - 1) // 2
    assert rows["network"]["rmse"]["estimate"] < rows["random"]["rmse"]["estimate"]
    table = found.tables["cross-validated by squared error"]
    assert [row[0] for row in table.rows] == list(rows)
    _, less, p, *_ = next(row for row in table.rows if row[0] == "random")
    assert less > 0
    assert p < 0.01


def test_an_unordered_target_has_its_n_from_the_log_loss_and_is_tested_by_it(
    make_forms: Callable[..., Forms],
) -> None:
    data = data_of(make_forms().with_target("size"), folds=2, seeds=1, setting=SMALL)
    found = study(data, Options(("constant", "ridge", "network"), 200))
    n = int(data.known.sum())
    table = found.tables["cross_validated"]
    assert [one.name for one in table.texts()[0]] == ["method", "log loss", "n", "unscored", "p"]
    constant, ridge, network = found.cross_validated
    assert (constant.n, constant.unscored) == (network.n, network.unscored) == (n, None)
    assert (ridge.n, ridge.unscored) == (0, n)  # it has no probabilities
    assert constant.p <= 1
    assert "cross-validated by squared error" not in found.tables
    curve = learning_curve(data, shares=(1.0,), count=3)
    assert [list(one.measures) for one in curve] == [["log_loss"], ["log_loss"]]
    assert all(one.measures["log_loss"].estimate > 0 for one in curve)
    with pytest.raises(ConfigError, match="not ordered; leave `adaptive` out"):
        study(data, Options(("constant",), tables=StudyTables(adaptive=True)))


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
    found = study(data, Options(permutations=10, tables=StudyTables(1, adaptive=True)))
    rows = {row.name for row in found.parts[0].rows}
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
    assert [row.name for row in found.parts[0].rows] == [
        "main question only",
        "network",
        "network as released",
        "default",
    ]


def test_without_torch_all_else_is_told(
    make_forms: Callable[..., Forms], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)  # as where it is not installed
    data = data_of(make_forms(), folds=2, seeds=1, setting=SMALL)
    found = study(data, Options(("baselines", "network", "default"), 200, StudyTables(2)))
    assert {row.name for row in found.parts[0].rows} >= {"random", "rater mean", "default"}
    assert list(found.left_out) == ["network", "learning curve"]
    assert any(
        note.startswith("Left out: network, learning curve (training a network needs torch")
        for note in found.notes
    )
    assert "default" in str(found)
    with pytest.raises(MissingExtra, match="needs torch"):
        study(data, Options(("network",), 200))
