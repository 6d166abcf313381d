"""`fit_ensemble`: files and records in, a folder and held-out figures out."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.ensemble.made import (
    continuations,
    metrics_table,
    ratings_table,
    simulated,
)

import assize
from assize.base.errors import ConfigError, DataError
from assize.judgments import JudgmentTable
from assize.reference._ensemble import OwnEnsemble, PublishedEnsemble
from assize.reference._ensemble.ensemble import Ensemble

COUNT = 120
METRICS, ANSWERS = simulated(COUNT)
ITEMS = continuations(COUNT)
TABLE, RATINGS = metrics_table(METRICS), ratings_table(ANSWERS)


def fit(metrics: Any = TABLE, ratings: Any = RATINGS, **more: Any) -> Ensemble:
    usual: dict[str, Any] = {"items": ITEMS, "ensemble": OwnEnsemble("ridge")}
    return assize.reference.fit(metrics, ratings, **{"question": "content", **usual, **more})


def test_files_give_what_records_give(tmp_path: Path) -> None:
    assize.write(tmp_path / "metrics.jsonl", [*TABLE])
    assize.write(tmp_path / "ratings.jsonl", [*RATINGS])
    assize.write(tmp_path / "items.jsonl", ITEMS)
    files = tmp_path / "metrics.jsonl", tmp_path / "ratings.jsonl"
    found = fit(*files, items=tmp_path / "items.jsonl", out=tmp_path / "e")
    assert found.about["conversations"] == 30
    assert found.folder == str(tmp_path / "e")
    again = assize.load(tmp_path / "e").predict(TABLE)
    assert [row.score for row in again] == [row.score for row in found.predict(TABLE)]
    value = json.loads(json.dumps(found.to_json()))
    assert (value["about"]["model"], value["signature"]) == ("ridge", found.signature)


def test_continuations_among_the_ratings_tell_the_conversations(tmp_path: Path) -> None:
    assize.write(tmp_path / "rated.jsonl", [*ITEMS, *RATINGS])
    found = fit(ratings=tmp_path / "rated.jsonl", items=None)
    assert found.about["conversations"] == 30


def test_without_continuations_each_item_stands_alone_and_that_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = fit(items=None)
    assert found.about["conversations"] == COUNT
    assert "no conversations known" in caplog.text


def test_the_paper_s_preset_says_which_of_its_metrics_are_absent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    found = fit(ensemble=PublishedEnsemble("linear"))
    assert found.names == ("metrics:cosine", "metrics:rouge1-recall")
    assert found.about["rows"] == "annotations"
    assert "equivalent:*" in caplog.text
    assert "metrics:bertscore-f1" in caplog.text
    models = {"linear", "paper-svm", "paper-forest", "paper-tree", "best single metric"}
    assert {row.model for row in found.cross_validated} == models


def test_comparing_shows_every_model() -> None:
    shown = str(fit(ensemble=OwnEnsemble("ridge", compare=True)))
    for name in ("blend", "ridge", "svm", "extra-trees", "best single metric"):
        assert name in shown


def test_people_s_answers_among_the_metrics_are_left_out() -> None:
    both = JudgmentTable.concat([TABLE, RATINGS])
    names = ("metrics:cosine", "metrics:rouge1-recall", "metrics:length-ratio")
    assert fit(both, both).names == names


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"question": "style"}, "nobody has answered question 'style'"),
        ({"question": ""}, "give one that people have answered"),
        ({"ensemble": OwnEnsemble("lasso")}, "no model 'lasso'"),
        ({"folds": 31}, "fewer folds"),
        ({"ensemble": "paper"}, r"ensemble: received 'paper' \(str\); give"),
        (
            {"metrics": TABLE.where(question="length-ratio"), "ensemble": PublishedEnsemble()},
            "none of the paper's metrics is here",
        ),
    ],
)
def test_bad_input_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises((ConfigError, DataError), match=said):
        fit(**given)


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be made"):
        fit(out=tmp_path / "file" / "e")


def test_imputing_keeps_items_without_a_metric() -> None:
    values = METRICS.copy()
    values[:5, 2] = np.nan
    found = fit(metrics_table(values), missing="impute")
    assert (found.about["items"], found.on_missing) == (COUNT, "impute")


def test_conversations_come_from_the_folder_of_scores(tmp_path: Path) -> None:
    some = [replace(item, candidate=f"Answer {'so ' * (int(item.id[1:]) % 7)}") for item in ITEMS]
    assize.reference.score(some, metrics=["length"], out=tmp_path / "s", quiet=True)
    found = fit(tmp_path / "s", items=None, quiet=True)
    assert found.about["conversations"] == len({item.conversation for item in ITEMS}) < COUNT


WITHOUT_SKLEARN = """
import sys; sys.modules['sklearn'] = None
import assize
from tests.reference.ensemble.made import continuations, metrics_table, ratings_table, simulated
values, answers = simulated(120)
given = metrics_table(values), ratings_table(answers)
items = continuations(120)
"""


def run_without_sklearn(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_SKLEARN + code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("ensemble", "model"), [("Own", "ridge"), ("Published", "linear")])
def test_without_scikit_learn_the_base_install_s_model_stands_in_and_is_named(
    ensemble: str, model: str
) -> None:
    run = run_without_sklearn(
        f"found = assize.reference.fit(*given, question='content', items=items, quiet=True,"
        f" ensemble=assize.reference.{ensemble}Ensemble())\n"
        "print(found.about['model'])"
    )
    assert run.stdout.strip() == model, run.stderr
    assert f"which is not installed: in the clone, pip install '.[train]'; {model} stands in" in (
        run.stderr
    )


def test_a_study_without_scikit_learn_shows_what_it_can() -> None:
    run = run_without_sklearn(
        "found = assize.study.reference(given[0], ratings=given[1], items=items, quiet=True)\n"
        "print(*found.learners, found.notes[0], len(found.rated), sep='|')"
    )
    assert run.stdout.startswith("linear|ridge|paper-svm, paper-forest, blend, robust needs"), (
        run.stderr
    )


def test_a_model_that_was_named_is_not_exchanged() -> None:
    run = run_without_sklearn(
        "assize.reference.fit(*given, question='content', items=items,"
        " ensemble=assize.reference.OwnEnsemble('svm'))"
    )
    assert run.returncode == 1
    assert "fitting a support vector machine needs scikit-learn" in run.stderr
