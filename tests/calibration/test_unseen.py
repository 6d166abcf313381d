"""Answers that nobody gave in what a calibrator was fitted on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from assize.calibration import (
    UNKNOWN,
    Forms,
    Hierarchical,
    features_of,
    fit_default,
    forms_of,
    load,
    save,
)
from assize.judgment import Judgment, Question
from assize.judgments import JudgmentTable

SCALE = ("1", "2", "3", "4")


def forms(kind: str, given: tuple[str, ...], items: int = 30) -> Forms:
    """Two raters who only ever give some of the answers."""
    rng = np.random.default_rng(0)
    values = (1.0, 2.0, 3.0, 4.0) if kind == "ordinal" else None
    asked = Question("q", "?", kind, SCALE, values)  # type: ignore[arg-type]
    read = Question("r", "?", "ordinal", SCALE, (1.0, 2.0, 3.0, 4.0))
    said = [
        Judgment(f"i{n}", "m", "r", distribution=dict(zip(SCALE, p.tolist(), strict=True)))
        for n, p in enumerate(rng.dirichlet(np.ones(4), items))
    ]
    rated = [
        Judgment(f"i{n}", rater, "q", answer=str(rng.choice(given)), kind="person")
        for n in range(items)
        for rater in "ab"
    ]
    return forms_of(
        features_of(JudgmentTable.of(said, [read])), JudgmentTable.of(rated, [asked]), "q"
    )


@pytest.mark.parametrize("kind", ["ordinal", "nominal"])
@pytest.mark.parametrize("given", [("1", "4"), ("3", "4"), ("2", "3")])
def test_an_answer_nobody_gave_is_improbable_and_not_impossible(
    kind: str, given: tuple[str, ...]
) -> None:
    data = forms(kind, given)
    p = fit_default(data).probabilities(data.features, [0, 1, UNKNOWN])
    assert p.shape == (30, 3, 4)
    unseen = [place for place, answer in enumerate(SCALE) if answer not in given]
    mean = p.mean(axis=(0, 1))
    assert (mean[unseen] > 0.002).all()
    assert (mean[unseen] < 0.1).all()
    assert p.sum(axis=2) == pytest.approx(1)


@pytest.mark.parametrize("given", [("1", "4"), ("3", "4"), ("2", "4")])
def test_known_raters_keep_their_shares_of_the_answers_that_were_given(
    given: tuple[str, ...],
) -> None:
    data = forms("ordinal", given)
    p = fit_default(data).probabilities(data.features, [0, 1]).mean(axis=(0, 1))
    shares = np.bincount(data.y, minlength=4) / len(data)
    assert p == pytest.approx(shares, abs=0.08)


def test_a_folder_keeps_which_answers_were_given(tmp_path: Path) -> None:
    data = forms("ordinal", ("1", "4"))
    fitted = fit_default(data)
    save(fitted, tmp_path / "cal")
    loaded = load(tmp_path / "cal")
    assert isinstance(loaded, Hierarchical)
    assert loaded.given == (0, 3)
    both = [one.probabilities(data.features, [0, UNKNOWN]) for one in (fitted, loaded)]
    assert (both[0] == both[1]).all()
