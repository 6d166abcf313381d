"""`fit_ensemble`: files and records in, a folder and held-out figures out."""

from __future__ import annotations

import json
import logging
from pathlib import Path

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

COUNT = 120
METRICS, ANSWERS = simulated(COUNT)
ITEMS = continuations(COUNT)
TABLE, RATINGS = metrics_table(METRICS), ratings_table(ANSWERS)


def test_files_give_what_records_give(tmp_path: Path) -> None:
    assize.write(tmp_path / "metrics.jsonl", [*TABLE])
    assize.write(tmp_path / "ratings.jsonl", [*RATINGS])
    assize.write(tmp_path / "items.jsonl", ITEMS)
    found = assize.reference.fit(
        tmp_path / "metrics.jsonl",
        tmp_path / "ratings.jsonl",
        question="content",
        items=tmp_path / "items.jsonl",
        ensemble=OwnEnsemble("ridge"),
        out=tmp_path / "e",
    )
    assert found.about["conversations"] == 30
    assert found.folder == str(tmp_path / "e")
    again = assize.load(tmp_path / "e").predict(TABLE)
    assert [row.score for row in again] == [row.score for row in found.predict(TABLE)]


def test_continuations_among_the_ratings_tell_the_conversations(tmp_path: Path) -> None:
    assize.write(tmp_path / "rated.jsonl", [*ITEMS, *RATINGS])
    found = assize.reference.fit(
        TABLE, tmp_path / "rated.jsonl", question="content", ensemble=OwnEnsemble("ridge")
    )
    assert found.about["conversations"] == 30


def test_without_continuations_each_item_stands_alone_and_that_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        found = assize.reference.fit(
            TABLE, RATINGS, question="content", ensemble=OwnEnsemble("ridge")
        )
    assert found.about["conversations"] == COUNT
    assert "no conversations known" in caplog.text


def test_the_paper_s_preset_says_which_of_its_metrics_are_absent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.WARNING):
        found = assize.reference.fit(
            TABLE, RATINGS, question="content", items=ITEMS, ensemble=PublishedEnsemble("linear")
        )
    assert found.names == ("metrics:cosine", "metrics:rouge1-recall")
    assert found.about["rows"] == "annotations"
    assert "equivalent:*" in caplog.text
    assert "metrics:bertscore-f1" in caplog.text
    assert {row.model for row in found.cross_validated} == {
        "linear",
        "paper-svm",
        "paper-forest",
        "paper-tree",
        "best single metric",
    }


def test_the_paper_s_preset_without_any_of_its_metrics_is_refused() -> None:
    others = TABLE.where(question="length-ratio")
    with pytest.raises(ConfigError, match="none of the paper's metrics is here"):
        assize.reference.fit(
            others, RATINGS, question="content", items=ITEMS, ensemble=PublishedEnsemble()
        )


def test_columns_are_chosen_with_commas() -> None:
    found = assize.reference.fit(
        TABLE,
        RATINGS,
        question="content",
        items=ITEMS,
        ensemble=OwnEnsemble("ridge", columns="metrics:cosine, metrics:length-ratio"),
    )
    assert found.names == ("metrics:cosine", "metrics:length-ratio")


def test_comparing_shows_every_model() -> None:
    found = assize.reference.fit(
        TABLE, RATINGS, question="content", items=ITEMS, ensemble=OwnEnsemble("ridge", compare=True)
    )
    shown = str(found)
    for name in ("blend", "ridge", "svm", "extra-trees", "best single metric"):
        assert name in shown


def test_people_s_answers_among_the_metrics_are_left_out() -> None:
    both = JudgmentTable.concat([TABLE, RATINGS])
    found = assize.reference.fit(
        both, both, question="content", items=ITEMS, ensemble=OwnEnsemble("ridge")
    )
    assert found.names == ("metrics:cosine", "metrics:rouge1-recall", "metrics:length-ratio")


def test_what_is_printed_as_json_is_whole(tmp_path: Path) -> None:
    found = assize.reference.fit(
        TABLE, RATINGS, question="content", items=ITEMS, ensemble=OwnEnsemble("ridge")
    )
    value = json.loads(json.dumps(found.to_json()))
    assert value["about"]["model"] == "ridge"
    assert value["signature"] == found.signature


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"question": "style"}, "nobody has answered question 'style'"),
        ({"question": ""}, "give one that people have answered"),
        ({"question": "content", "ensemble": OwnEnsemble("lasso")}, "no model 'lasso'"),
        ({"question": "content", "folds": 31}, "fewer folds"),
        ({"question": "content", "ensemble": "paper"}, r"ensemble: received 'paper' \(str\); give"),
        (
            {"question": "content", "ensemble": OwnEnsemble(columns="metrics:bleu")},
            "no column 'metrics:bleu'",
        ),
    ],
)
def test_bad_input_is_refused(given: dict[str, object], said: str) -> None:
    with pytest.raises((ConfigError, DataError), match=said):
        assize.reference.fit(TABLE, RATINGS, items=ITEMS, **given)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DataError, match="cannot be made"):
        assize.reference.fit(TABLE, RATINGS, question="content", out=tmp_path / "file" / "e")


def test_imputing_keeps_items_without_a_metric() -> None:
    values = METRICS.copy()
    values[:5, 2] = np.nan
    found = assize.reference.fit(
        metrics_table(values),
        RATINGS,
        question="content",
        items=ITEMS,
        ensemble=OwnEnsemble("ridge"),
        missing="impute",
    )
    assert found.about["items"] == COUNT
    assert found.on_missing == "impute"
