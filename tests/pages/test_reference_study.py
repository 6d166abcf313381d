"""The page of a study of metrics: complete, safe, and honest about what is simulated."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from html import unescape
from pathlib import Path

import numpy as np
from tests.pages.conftest import page_of
from tests.reference.study.examples import column, data_of, ratings, simulated

from assize.reference._study.result import ReferenceStudy
from assize.reference._study.run import Settings, study

QUICK = Settings(learners=("linear", "paper-tree"), permutations=200)


@cache
def found() -> ReferenceStudy:
    return study([simulated(conversations=10)], QUICK)


def test_the_page_has_every_part(tmp_path: Path) -> None:
    text = page_of(found(), tmp_path)
    titles = [title.strip() for title in re.findall(r"<h2[^>]*>([^<]+)", text)]
    assert titles[:5] == [
        "Best metric and best ensemble",
        "Agreement with people on content (simulated)",
        "Agreement with people on style (simulated)",
        "Agreement with people on reasonableness (simulated)",
        "Ensembles against the best metric",
    ]
    assert text.count("<svg") > 12
    assert found().signature in text
    assert "Simulated data. Of the metrics" in text
    assert "no person rated anything" in text
    assert [one.title for one in found().tables.values() if one.title not in unescape(text)] == []


def test_real_data_are_not_called_simulated(tmp_path: Path) -> None:
    real = replace(simulated(conversations=10), simulated=False)
    assert "imulated" not in page_of(study([real], replace(QUICK, learners=())), tmp_path)


def test_one_rater_leaves_sections_out(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    people = ratings(*[[float(one)] for one in rng.integers(1, 6, 40)])
    data = data_of(people, column(rng.normal(size=40).tolist()))
    text = page_of(study([data], replace(QUICK, learners=())), tmp_path)
    assert "how far people agree" not in text
    assert "no item has two ratings" in text


def test_names_from_files_are_escaped(tmp_path: Path) -> None:
    data = simulated(conversations=10)
    bad = "<script>alert(1)</script>"
    renamed = replace(
        data,
        name=bad,
        sources=np.array([bad] * len(data)),
        columns=[replace(one, name=f"{bad}{at}") for at, one in enumerate(data.columns)],
    )
    assert "<script" not in page_of(study([renamed], QUICK), tmp_path)


def test_nothing_measured_leaves_a_page_with_reasons(tmp_path: Path) -> None:
    people = ratings(*[[3.0, 3.0]] * 12, answers=(1.0, 3.0, 5.0))
    data = data_of(people, column([np.nan] * 12))
    text = page_of(study([data], QUICK), tmp_path)
    assert "there is no metric that nearly all items have" in text
