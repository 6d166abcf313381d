"""A judge's correlation with people beside the raters' own."""

from __future__ import annotations

import numpy as np
import pytest

import assize
from assize.agreement import Agreement
from assize.agreement.ceiling import compare_with_raters
from assize.base.judgment import Judgment
from assize.results.numbers import with_interval


def result(raters: int) -> Agreement:
    """A judge and some raters on 40 items, of whom r0 is the least consistent."""
    rng = np.random.default_rng(0)
    truth = rng.normal(size=40)
    rows = [
        Judgment(f"i{item}", f"r{rater}", "grade", score=float(value), kind="person")
        for rater in range(raters)
        for item, value in enumerate(truth + rng.normal(0, 1.5 if rater == 0 else 0.3, 40))
    ]
    rows += [
        Judgment(f"i{item}", "bot", "grade", score=float(value), kind="model")
        for item, value in enumerate(truth + rng.normal(0, 1, 40))
    ]
    return assize.agree(rows, gold="people")


def test_the_lowest_and_the_highest_rater_stand_beside_the_judge() -> None:
    agreement = result(3)
    (sentence,) = compare_with_raters(agreement.pairs, agreement.raters)
    (pair,) = agreement.pairs
    assert pair.spearman is not None
    correlations = {row.rater: row.correlation for row in agreement.raters}
    least = correlations["r0"]
    most = max(
        (row for row in correlations.values() if row is not None), key=lambda row: row.estimate
    )
    assert least is not None
    assert f"bot and people: Spearman {with_interval(pair.spearman, 2)}, n 40." in sentence
    assert f"from {with_interval(least, 2)}, n 40 (r0) to {with_interval(most, 2)}" in sentence
    assert sentence in agreement.table_notes["pairs"]


@pytest.mark.parametrize("raters", [1, 2])
def test_with_fewer_than_three_raters_the_figure_is_said_to_be_unknown(raters: int) -> None:
    (sentence,) = compare_with_raters(result(raters).pairs, result(raters).raters)
    assert sentence.endswith("What raters reach among themselves is known from three raters on.")


def test_a_judge_that_is_held_to_a_judge_has_no_such_sentence() -> None:
    agreement = result(3)
    rows = [row for row in agreement.judgments if row.judge in ("bot", "r1")]
    assert not [*compare_with_raters(assize.agree(rows, gold="r1").pairs, agreement.raters)]
