"""Lines from raw numbers to evaluations, and which sets an evaluator's heads fit."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.criteria.conftest import SET

from assize.base.artefacts import Kind, attach, attach_record, open_artefact, save
from assize.base.errors import ConfigError, DataError
from assize.base.record_parts import to_parts
from assize.criteria._criterion import Criterion, Labelling
from assize.criteria._distilled.heads import ROLE, Head, Heads, Line, evaluated, line_of

NAN = float("nan")
LABELLING = Labelling(1.0, low=-2.0, high=3.0, n=40, good=20, wording=SET.wording)
HEADS = Heads(
    [Head(one.id, one.polarity, one.text, Line(1.0, 5.0)) for one in SET.criteria], LABELLING
)


def test_a_line_is_that_of_least_squares() -> None:
    # means 1 and 5; sum (x - 1)(y - 5) = 1 + 0 + 3 = 4 over sum (x - 1)^2 = 2
    line = line_of(np.array([0.0, 1.0, 2.0, NAN]), np.array([4.0, 3.0, 8.0, 9.0]), sat=True)
    assert (line.slope, line.intercept) == (2.0, 3.0)


def test_a_dsat_criterion_falls_as_raw_numbers_rise() -> None:
    raw = np.array([0.0, 1.0, 2.0])
    assert line_of(raw, np.array([8.0, 5.0, 2.0]), sat=False) == Line(-3.0, 8.0)


@pytest.mark.parametrize("sat", [True, False])
def test_a_slope_that_runs_against_the_polarity_is_chance(sat: bool) -> None:
    raw = np.array([0.0, 1.0, 2.0])
    values = np.array([8.0, 5.0, 2.0]) if sat else np.array([2.0, 5.0, 8.0])
    assert line_of(raw, values, sat=sat) == Line(0.0, 5.0)


def test_what_has_no_raw_numbers_gets_its_mean() -> None:
    assert line_of(np.full(3, NAN), np.array([2.0, NAN, 4.0]), sat=True) == Line(0.0, 3.0)
    assert line_of(np.ones(3), np.array([2.0, 3.0, 4.0]), sat=True) == Line(0.0, 3.0)
    with pytest.raises(DataError, match="nobody scored"):
        line_of(np.ones(2), np.full(2, NAN), sat=True)


@given(st.floats(-50, 50), st.floats(-20, 20), st.floats(0, 10))
def test_an_expected_evaluation_lies_within_the_scale(raw: float, slope: float, at: float) -> None:
    (found,) = Line(slope, at)(np.array([raw]))
    assert 0 <= found <= 10


def test_a_line_is_recovered_from_what_was_drawn_by_it() -> None:
    rng = np.random.default_rng(0)
    raw = rng.normal(size=4_000)
    line = line_of(raw, 5 + 1.5 * raw + rng.normal(0, 2, 4_000), sat=True)
    assert line.slope == pytest.approx(1.5, abs=0.1)
    assert line.intercept == pytest.approx(5, abs=0.1)


def test_each_criterion_has_its_line_and_one_without_a_head_its_mean() -> None:
    lines = {"line": Line(2.0, 4.0), "works": Line(0.0, 6.5), "again": Line(-1.0, 3.0)}
    found = evaluated({"line": 1.5, "again": 1.0, "overall": 9.0}, lines, SET.criteria)
    assert found == {"line": 7.0, "works": 6.5, "again": 2.0}


def test_a_set_is_labelled_as_the_evaluator_learnt_it() -> None:
    scored, lines = HEADS.of(SET, "small")
    assert scored.labelling == LABELLING != SET.labelling
    assert list(lines) == [one.id for one in SET.criteria]


def test_a_part_of_the_criteria_is_scored_but_not_labelled() -> None:
    part = replace(SET, criteria=SET.criteria[:2])
    scored, lines = HEADS.of(part, "small")
    assert scored.labelling is None
    assert list(lines) == ["line", "works"]


def test_a_criterion_that_it_does_not_know_is_refused() -> None:
    more = replace(SET, criteria=(*SET.criteria, Criterion("new", "It is new.", "sat")))
    with pytest.raises(ConfigError, match=r"small was not distilled for the criterion new.*anew"):
        HEADS.of(more, "small")


@pytest.mark.parametrize("given", [{"text": "Another."}, {"polarity": "dsat"}])
def test_another_version_of_a_criterion_is_refused(given: dict[str, str]) -> None:
    first = replace(SET.criteria[0], **given)  # type: ignore[arg-type]
    changed = replace(SET, criteria=(first, *SET.criteria[1:]))
    with pytest.raises(ConfigError, match="another version of the criterion line: sat 'The"):
        HEADS.of(changed, "small")


def test_blanks_do_not_make_another_version() -> None:
    first = replace(SET.criteria[0], text="The assistant  names the\nline that fails. ")
    HEADS.of(replace(SET, criteria=(first, *SET.criteria[1:])), "small")


KIND = Kind("evaluator", "evaluator.json", "heads", 1)
HOW = "distil the criteria anew"


@pytest.mark.parametrize("heads", [HEADS, replace(HEADS, labelling=None)])
def test_heads_are_read_back_as_they_were_stored(heads: Heads, tmp_path: Path) -> None:
    attach_record(save(KIND, tmp_path, {}, {}, ""), ROLE, heads)
    again = open_artefact(KIND, tmp_path).attached(ROLE, Heads, HOW)
    assert again is not None
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
