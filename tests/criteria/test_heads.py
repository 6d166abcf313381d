"""Lines from raw numbers to evaluations, and which sets an evaluator's heads fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.criteria.conftest import SET
from tests.criteria.test_distill import NEW, POOL, distilled

import assize
from assize.base.artefacts import Kind, attach, attach_record, open_artefact, save
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.base.record_parts import to_parts
from assize.criteria._criterion import Criterion, Labelling
from assize.criteria._distill import DistilledCriteria
from assize.criteria._heads import ROLE, Head, Heads, Line, fit_line
from assize.criteria._reading import criteria_text

NAN = float("nan")
LABELLING = Labelling(1.0, low=-2.0, high=3.0, n=40, good=20, wording=SET.wording)
HEADS = Heads(
    [Head(one.id, one.polarity, one.text, Line(1.0, 5.0)) for one in SET.criteria], LABELLING
)


def test_a_line_is_that_of_least_squares() -> None:
    # means 1 and 5; sum (x - 1)(y - 5) = 1 + 0 + 3 = 4 over sum (x - 1)^2 = 2
    line = fit_line(np.array([0.0, 1.0, 2.0, NAN]), np.array([4.0, 3.0, 8.0, 9.0]), sat=True)
    assert (line.slope, line.intercept) == (2.0, 3.0)


@pytest.mark.parametrize(
    ("values", "sat", "line"),
    [
        ([8.0, 5.0, 2.0], False, Line(-3.0, 8.0)),
        ([8.0, 5.0, 2.0], True, Line(0.0, 5.0)),  # a slope against the polarity is chance
        ([2.0, 5.0, 8.0], False, Line(0.0, 5.0)),
    ],
)
def test_a_dsat_criterion_falls_as_raw_numbers_rise(
    values: list[float], sat: bool, line: Line
) -> None:
    assert fit_line(np.array([0.0, 1.0, 2.0]), np.array(values), sat=sat) == line


def test_what_has_no_raw_numbers_gets_its_mean() -> None:
    assert fit_line(np.full(3, NAN), np.array([2.0, NAN, 4.0]), sat=True) == Line(0.0, 3.0)
    assert fit_line(np.ones(3), np.array([2.0, 3.0, 4.0]), sat=True) == Line(0.0, 3.0)
    with pytest.raises(DataError, match="nobody scored"):
        fit_line(np.ones(2), np.full(2, NAN), sat=True)


@given(st.floats(-50, 50), st.floats(-20, 20), st.floats(0, 10))
def test_an_expected_evaluation_lies_within_the_scale(raw: float, slope: float, at: float) -> None:
    (found,) = Line(slope, at)(np.array([raw]))
    assert 0 <= found <= 10


@pytest.mark.parametrize(("count", "labelling"), [(3, LABELLING), (2, None)])
def test_the_whole_set_is_labelled_as_it_was_learnt_and_a_part_is_not(
    count: int, labelling: Labelling | None
) -> None:
    scored, lines = HEADS.apply(replace(SET, criteria=SET.criteria[:count]), "small")
    assert scored.labelling == labelling
    assert list(lines) == ["line", "works", "again"][:count]


NEW_CRITERION = Criterion("new", "It is new.", "sat")
FIRST, *REST = SET.criteria


@pytest.mark.parametrize(
    ("criteria", "message"),
    [
        ((*SET.criteria, NEW_CRITERION), r"small was not distilled for the criteria new.*anew"),
        (
            (replace(FIRST, text="Another."), *REST),
            "not distilled for the criteria line as they are",
        ),
        (
            (replace(FIRST, polarity="dsat"), *REST),
            "not distilled for the criteria line as they are",
        ),
    ],
)
def test_a_criterion_that_it_does_not_know_or_another_version_is_refused(
    criteria: tuple[Criterion, ...], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        HEADS.apply(replace(SET, criteria=criteria), "small")


def test_blanks_do_not_make_another_version() -> None:
    first = replace(SET.criteria[0], text="The assistant  names the\nline that fails. ")
    HEADS.apply(replace(SET, criteria=(first, *SET.criteria[1:])), "small")


KIND = Kind("evaluator", "evaluator.json", "heads", 1)
HOW = "distil the criteria anew"


@pytest.mark.parametrize("heads", [HEADS, replace(HEADS, labelling=None)])
def test_heads_are_read_back_as_they_were_stored(heads: Heads, tmp_path: Path) -> None:
    attach_record(save(KIND, tmp_path, {}, {}, ""), ROLE, heads)
    again: Any = open_artefact(KIND, tmp_path).attached(ROLE, Heads, HOW)
    assert list(again.heads) == list(heads.heads)
    assert again.labelling == heads.labelling


@pytest.mark.parametrize(
    "text",
    [
        b"{}",
        b"no JSON",
        b'{"labelling": null, "heads": [{}]}',
        json.dumps(to_parts(HEADS)[0]).replace('"slope": 1.0', '"slope": "1"').encode(),
    ],
)
def test_a_damaged_file_is_an_error(text: bytes, tmp_path: Path) -> None:
    found = attach(save(KIND, tmp_path, {}, {}, ""), ROLE, ".json", text)
    with pytest.raises(DataError, match=r"criteria-\w+\.json: cannot be read .*distil"):
        found.attached(ROLE, Heads, HOW)


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


def test_it_stands_beside_the_model_in_one_table(small: Path) -> None:
    judges = [f"evaluator:{small}", "scripted:any"]
    table = assize.criteria.score(NEW, POOL, model=judges, quiet=True)
    agreed = json.dumps(assize.agree(table, question="NetSAT").to_json())
    assert "evaluator:" in agreed
    assert "scripted:any" in agreed


def test_an_evaluator_that_is_not_for_criteria_is_refused(small: Path, tmp_path: Path) -> None:
    assize.load(small).save(tmp_path / "bare")
    for model, said in (
        (f"evaluator:{tmp_path / 'bare'}", "was not distilled for criteria; make one with"),
        ("evaluator:", "name the evaluator's folder"),
        (f"evaluator:{tmp_path / 'gone'}", "there is no such file"),
    ):
        with pytest.raises(AssizeError, match=said):
            assize.criteria.score(NEW, POOL, model=model, quiet=True)


def test_a_page_of_stored_scores_draws_no_window_of_the_file(small: Path, tmp_path: Path) -> None:
    file, wide = tmp_path / "wide.yaml", replace(POOL, labelling=Labelling(99.0, n=50, good=25))
    file.write_text(criteria_text(wide))
    table = assize.criteria.score(NEW, file, model=f"evaluator:{small}", quiet=True)
    labels = {(row.details or {}).get("label") for row in table if row.question == "NetSAT"}
    assert labels == {"good", "bad"}
    table.report(str(tmp_path / "page.html"), criteria=file, items=NEW)
    assert "above 99" not in (tmp_path / "page.html").read_text("utf-8")
