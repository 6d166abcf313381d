"""A set of criteria scored by the evaluator in a folder: joined, or refused."""

from __future__ import annotations

import json
import logging
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from tests.criteria.test_distill import NEW, POOL, distilled

import assize
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.criteria._criterion import Criterion, Labelling
from assize.criteria._distilled.result import DistilledCriteria
from assize.criteria._local import own_labellings
from assize.criteria._reading import criteria_text


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> DistilledCriteria:
    return distilled(out=tmp_path_factory.mktemp("distilled") / "small")


@pytest.fixture(scope="module")
def small(found: DistilledCriteria) -> Path:
    return Path(str(found.out))


def test_a_folder_scores_like_the_result_in_memory(
    found: DistilledCriteria, small: Path, tmp_path: Path
) -> None:
    file = tmp_path / "help.yaml"
    file.write_text(criteria_text(POOL))
    kept = assize.criteria.score(NEW, file, model=f"evaluator:{small}", quiet=True)
    judged = assize.judge(NEW, f"criteria@{file}@evaluator:{small}", quiet=True)
    memory = found.predict(NEW, quiet=True)
    assert kept.judges == judged.judges == (f"criteria@{file}@evaluator:{small}",)
    for one in (kept, judged):
        assert [row.score for row in one] == pytest.approx([row.score for row in memory], abs=1e-4)
        assert {row.signature for row in one} == {row.signature for row in memory}


def test_an_evaluator_that_the_file_names_is_not_opened(small: Path, tmp_path: Path) -> None:
    file = tmp_path / "named.yaml"
    file.write_text(criteria_text(replace(POOL, model=f"evaluator:{small}")))
    with pytest.raises(ConfigError, match=r"learnt with evaluator:.*--model"):
        assize.load(file).predict(NEW, quiet=True)


def test_a_page_fetches_no_evaluator_that_judgments_name(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    judge = f"criteria@{tmp_path}/help.yaml@evaluator:hub:someone/small"
    with caplog.at_level("WARNING", "assize"):
        assert own_labellings(POOL, [judge]) == {judge: None}
    assert "models that a file names are not asked by themselves" in caplog.text


def test_it_stands_beside_the_model_in_one_table(small: Path) -> None:
    judges = [f"evaluator:{small}", "scripted:any"]
    table = assize.criteria.score(NEW, POOL, model=judges, quiet=True)
    agreed = json.dumps(assize.agree(table, question="NetSAT").to_json())
    assert "evaluator:" in agreed
    assert "scripted:any" in agreed


def test_a_part_of_the_set_is_scored_without_labels(
    small: Path, caplog: pytest.LogCaptureFixture
) -> None:
    part = replace(POOL, criteria=POOL.criteria[:2])
    with caplog.at_level(logging.WARNING, "assize"):
        table = assize.criteria.score(NEW[:2], part, model=f"evaluator:{small}", quiet=True)
    assert table.questions["NetSAT"].range == (0.0, 20.0)
    assert "was distilled for other criteria together" in caplog.text


def test_a_set_that_was_edited_is_refused_where_it_is_scored(small: Path) -> None:
    more = replace(POOL, criteria=(*POOL.criteria, Criterion("new", "It is new.", "sat")))
    with pytest.raises(ConfigError, match="was not distilled for the criterion new"):
        assize.criteria.score(NEW, more, model=f"evaluator:{small}", quiet=True)
    other = replace(POOL.criteria[0], text="The assistant answers at once.")
    with pytest.raises(ConfigError, match="another version of the criterion answers"):
        assize.criteria.score(
            NEW,
            replace(POOL, criteria=(other, *POOL.criteria[1:])),
            model=f"evaluator:{small}",
            quiet=True,
        )


def test_an_evaluator_that_is_not_for_criteria_is_refused(small: Path, tmp_path: Path) -> None:
    assize.load(small).save(tmp_path / "bare")
    for model, said in (
        (f"evaluator:{tmp_path / 'bare'}", "was not distilled for criteria; make one with"),
        ("evaluator:", "name the evaluator's folder"),
        (f"evaluator:{tmp_path / 'gone'}", "there is no such file"),
    ):
        with pytest.raises(AssizeError, match=said):
            assize.criteria.score(NEW, POOL, model=model, quiet=True)


def test_a_damaged_folder_is_refused(small: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(small, broken)
    (file,) = broken.glob("criteria-*.json")
    file.write_text(file.read_text().replace("polite", "rude"))
    with pytest.raises(DataError, match="damaged"):
        assize.criteria.score(NEW, POOL, model=f"evaluator:{broken}", quiet=True)


def test_a_page_of_stored_scores_draws_the_evaluators_own_window(
    found: DistilledCriteria, small: Path, tmp_path: Path
) -> None:
    file, wide = tmp_path / "wide.yaml", replace(POOL, labelling=Labelling(99.0, n=50, good=25))
    file.write_text(criteria_text(wide))
    table = assize.criteria.score(NEW, file, model=f"evaluator:{small}", quiet=True)
    own = own_labellings(wide, table.judges)
    assert own == {f"criteria@{file}@evaluator:{small}": found.criteria.labelling}
    table.report(str(tmp_path / "page.html"), criteria=file, items=NEW)
    assert "above 99" not in (tmp_path / "page.html").read_text("utf-8")


def test_an_evaluator_that_is_gone_labels_nothing(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "assize"):
        assert own_labellings(POOL, ["criteria@a.yaml@evaluator:gone"]) == {
            "criteria@a.yaml@evaluator:gone": None
        }
    assert "nothing is labelled" in caplog.text
    assert own_labellings(POOL, ["criteria@a.yaml@openai:m", "criteria@a.yaml"]) == {}
