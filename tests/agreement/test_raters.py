"""Who is odd: each rater beside the others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import assize
from assize import Judgment
from assize.agreement.raters import (
    agreement_with_others,
    odd_cells,
    others_mean,
    others_median,
)

NAN = float("nan")
WARM = assize.Question("warm", kind="ordinal", answers=tuple("12345"))


def rows(answers: dict[str, list[float]], kind: str = "person") -> assize.JudgmentTable:
    said = [
        Judgment(f"i{n}", rater, "warm", answer=f"{score:g}", kind=kind)  # type: ignore[arg-type]
        for rater, scores in answers.items()
        for n, score in enumerate(scores)
    ]
    return assize.JudgmentTable.of(said, [WARM])


def test_the_figures_of_a_strict_rater_by_hand() -> None:
    answers: dict[str, list[float]] = {"ann": [3, 4, 2, 5], "bob": [3, 4, 2, 5], "cy": [2, 3, 1, 5]}
    found = assize.agree(rows(answers))
    cy: Any
    ann: Any
    cy, ann, _ = found.raters
    assert cy.rater == "cy"
    assert cy.difference.estimate == pytest.approx(-3 / 4)
    assert cy.agreement.estimate == pytest.approx(1 / 4)
    assert (cy.odd.count, cy.odd.n, cy.n) == (3, 4, 4)
    assert ann.difference.estimate == pytest.approx(3 / 8)  # of 3 less 2.5, ...
    assert ann.odd.count == 0
    assert "cy" in str(found.tables["raters"])


def test_numbers_are_odd_far_from_the_others() -> None:
    rng = np.random.default_rng(1)
    truth = rng.normal(size=50)
    scores = [truth + 0.1 * rng.normal(size=50) for _ in range(4)]
    scores[2][:5] += 3
    odd = odd_cells(np.stack(scores), "number")
    assert odd[2][:5].tolist() == [1] * 5
    assert odd[[0, 1, 3]].mean(axis=1).max() < odd[2].mean() / 2


def test_people_stand_beside_people_and_models_beside_models_where_there_are_none() -> None:
    answers: dict[str, list[float]] = {"a": [1, 2, 3], "b": [1, 2, 3], "c": [3, 2, 1]}
    models = rows({"x": [1, 2, 3], "y": [1, 2, 3], "z": [3, 3, 3]}, "model")
    both = assize.JudgmentTable.concat([rows(answers), models])
    assert {row.rater for row in assize.agree(both).raters} == {"a", "b", "c"}
    assert {row.rater for row in assize.agree(models).raters} == {"x", "y", "z"}
    two = rows({"a": [1, 2, 3], "b": [1, 2, 3]})
    assert assize.agree(two).raters == []


def test_names_without_order_have_no_mean() -> None:
    answers = {"a": "xyx", "b": "xyy", "c": "zyx"}
    said = [
        Judgment(f"i{n}", rater, "theme", answer=answer, kind="person")
        for rater, word in answers.items()
        for n, answer in enumerate(word)
    ]
    asked = assize.Question("theme", kind="nominal", answers=("x", "y", "z"))
    found = assize.agree(assize.JudgmentTable.of(said, [asked])).raters
    assert all(row.difference is None and row.correlation is None for row in found)
    assert {row.rater: row.odd.count for row in found} == {"a": 0, "b": 1, "c": 1}


def test_the_median_of_the_others_is_that_of_each_of_them_alone() -> None:
    values = np.random.default_rng(3).normal(size=(6, 40)).round(1)
    values[np.random.default_rng(4).random(values.shape) < 0.4] = NAN
    medians = others_median(values)
    for rater, item in np.ndindex(values.shape):
        others = np.delete(values[:, item], rater)
        others = others[~np.isnan(others)]
        alone = np.isnan(values[rater, item]) or not len(others)
        assert medians[rater, item] == pytest.approx(
            NAN if alone else np.median(others), nan_ok=True
        )


@pytest.mark.parametrize("raters", [2, 3, 5])
def test_what_is_beside_an_answer_is_what_each_of_the_others_answered(raters: int) -> None:
    rng = np.random.default_rng(raters)
    values = rng.integers(1, 4, (raters, 30)).astype(float)
    values[rng.random(values.shape) < 0.3] = NAN
    means, shares = others_mean(values), agreement_with_others(values)
    odd = odd_cells(values, "ordinal")
    for (rater, item), own in np.ndenumerate(values):
        others = np.delete(values[:, item], rater)
        others = others[~np.isnan(others)]
        nobody = np.isnan(own) or not len(others)
        share = NAN if nobody else np.mean(others == own)
        assert shares[rater, item] == pytest.approx(share, nan_ok=True)
        mean = NAN if nobody else np.mean(others)
        assert means[rater, item] == pytest.approx(mean, nan_ok=True)
        few = np.isnan(own) or len(others) < 2
        apart = any(
            2 * np.sum(others == answer) > len(others) for answer in (1, 2, 3) if answer != own
        )
        assert odd[rater, item] == pytest.approx(NAN if few else float(apart), nan_ok=True)
