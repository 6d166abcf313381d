"""`study_reference` on records in memory and on files, and what it says of bad input."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.reference.study.simulate import Simulated, Simulating, simulate

import assize
from assize import Statistics
from assize.base.errors import ConfigError, DataError
from assize.reference._study import Ensembles
from assize.reference._study.result import ReferenceStudy


@cache
def made(seed: int = 0) -> Simulated:
    return simulate(Simulating(conversations=8, turns=3, seed=seed))


def studied(**given: Any) -> ReferenceStudy:
    asked: dict[str, Any] = {
        "ratings": made().ratings,
        "items": made().items,
        "ensembles": Ensembles("linear"),
        "statistics": Statistics(permutations=100),
        "quiet": True,
    }
    return assize.study.reference(made().metrics, **{**asked, **given})


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in ("metrics", "ratings", "items"):
        assize.write(tmp_path / f"{name}.jsonl", getattr(made(), name))
    return tmp_path


def test_records_in_memory_are_studied_in_one_call() -> None:
    found = studied()
    assert found.targets == ["content", "style", "reasonableness"]
    assert found.rated[0].conversations == 8
    assert found.simulated
    assert found.missing == (0, 6 * 120)
    assert "metric" in found.to_pandas("metrics content")


def test_files_give_the_same(files: Path) -> None:
    found = studied(
        ratings=files / "ratings.jsonl", items=[str(files / "items.jsonl")], question="content"
    )
    assert found.signature == studied(question="content").signature


def test_ratings_may_stand_in_the_file_of_the_items(files: Path) -> None:
    both = files / "both.jsonl"
    both.write_text((files / "items.jsonl").read_text() + (files / "ratings.jsonl").read_text())
    questions = (files / "ratings.questions.json").read_text()
    (files / "both.questions.json").write_text(questions)
    found = assize.study.reference(
        str(files / "metrics.jsonl"), items=str(both), ensembles=Ensembles("none"), quiet=True
    )
    content = [
        row for row in studied(ensembles=Ensembles("none")).figures if row.target == "content"
    ]
    assert [row for row in found.figures if row.target == "content"] == content


def test_data_sets_come_by_a_field_and_by_a_pattern() -> None:
    by_source = studied(by="system", question="content")
    names = ["rephrased", "tuned", "model-1", "model-2", "random"]
    assert [one.name for one in by_source.sets] == names
    by_pattern = studied(
        by=r"^s\d-(\d)-", question="content", ensembles=Ensembles("linear", train="3")
    )
    assert [one.name for one in by_pattern.sets] == ["1", "3", "5"]
    assert by_pattern.trained_on == "3"


def test_data_sets_come_by_file(tmp_path: Path) -> None:
    half = len(made().items) // 2
    for name, some in (("one", made().items[:half]), ("two", made().items[half:])):
        assize.write(tmp_path / f"{name}.jsonl", some)
    names = {"ONE": tmp_path / "one.jsonl", "TWO": tmp_path / "two.jsonl"}
    found = studied(items=None, data=names, question="content")
    assert [(one.name, len(one)) for one in found.sets] == [("ONE", half), ("TWO", half)]
    twice = {**names, "THREE": tmp_path / "two.jsonl"}
    with pytest.raises(DataError, match="stands in the data sets TWO and THREE"):
        studied(items=None, data=twice)


def test_the_papers_preset_takes_its_metrics_models_and_rows(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = [
        replace(row, question={"strong": "rouge1-recall", "weak": "cosine"}[row.question])
        for row in made().metrics
        if row.question in ("strong", "weak")
    ]
    other = [replace(row, question="length-ratio") for row in rows[:120]]
    found = assize.study.reference(
        assize.JudgmentTable.of([*rows, *other]),
        ratings=made().ratings,
        items=made().items,
        question="content",
        preset="paper",
        statistics=Statistics(permutations=100),
        quiet=True,
    )
    assert found.learners == ["linear", "paper-svm", "paper-forest", "paper-tree"]
    assert found.learnt_from == "ratings"
    # in the paper's order, whatever the file's: a forest's draws depend on it
    assert [one.name for one in found.sets[0].columns] == ["cosine", "rouge1-recall"]
    assert [tree.target for tree in found.trees] == ["content"]
    absent = "of the paper's 12 metrics there are none of metrics:bertscore-precision,"
    assert absent in caplog.text
    assert "equivalent:*, natural-explained:*" in caplog.text


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"question": "tone"}, "question 'tone': no person gives"),
        ({"question": "=a"}, "no name before ="),
        ({"judges": "nobody"}, "no judge 'nobody' here; there are metrics@simulated"),
        ({"ensembles": Ensembles("magic")}, "no model 'magic'; there are blend"),
        ({"ensembles": Ensembles(train="B")}, "train 'B': the data sets are all"),
        ({"preset": "paper"}, "none of the paper's metrics is here; there are metrics:strong"),
        ({"preset": "other"}, "preset other: allowed are own and paper"),
        ({"by": "("}, "by '\\(' is no pattern"),
    ],
)
def test_an_argument_that_cannot_be_says_what_is_allowed(
    given: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        studied(**given)


def test_what_is_lacking_is_said(files: Path) -> None:
    for items in (made().items, str(files / "items.jsonl")):
        with pytest.raises(DataError, match="no judgment by a person is among what is given; give"):
            studied(ratings=None, items=items)
    with pytest.raises(DataError, match="no judgment by a metric or a model"):
        assize.study.reference(made().ratings, items=made().items, quiet=True)
