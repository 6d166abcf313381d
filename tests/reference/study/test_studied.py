"""The result of a study: what can be asked of it."""

from __future__ import annotations

from functools import cache

import numpy as np
from tests.reference.study.examples import data_of, ratings, simulated

from assize.reference.study.run import Settings, study
from assize.reference.study.studied import ReferenceStudy

QUICK = Settings(learners=("linear",), permutations=200)


@cache
def found() -> ReferenceStudy:
    return study([simulated(conversations=10)[0]], QUICK)


def test_a_row_is_found_by_its_target_and_data_set() -> None:
    assert found().row("style").target == "style"
    assert found().row("style", "all") is found().row("style")
    assert [one.target for one in found().rows] == found().targets


def test_missing_values_of_metrics_are_counted() -> None:
    people = ratings([1, 2], [2, 3], [3, 3])
    result = study([data_of(people)], QUICK)
    assert result.missing == (0, 0)
    first, second = found().sets[0].columns[:2]
    assert found().missing == (0, 6 * len(first.values))
    assert not np.isnan(second.values).any()


def test_it_prints_its_tables_and_its_signature() -> None:
    text = str(found())
    assert "Agreement with people on content" in text
    assert text.rstrip().endswith(found().signature)
    assert "<table" in found()._repr_html_()


def test_ensembles_say_what_they_were_trained_on() -> None:
    learnt = found().row("content").to_json()["ensembles"]
    assert [(one["learner"], one["trained_on"], one["cross_validated"]) for one in learnt] == [
        ("best metric", "all", True),
        ("linear", "all", True),
    ]
    assert learnt[0]["gain"] is None
    assert learnt[1]["gain"]["relative_gain"] > 0
