from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._calibrator import predict
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import UNKNOWN, Forms, Scale
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


def test_values_in_any_order_give_the_same_distribution(world: Any) -> None:
    forms = world.forms.take(np.arange(300))
    question = replace(
        forms.target.question, answers=("4", "3", "2", "1"), values=(4.0, 3.0, 2.0, 1.0)
    )
    turned = replace(
        forms,
        scales=(Scale.of(question), forms.scales[1]),
        answers=np.stack([3 - forms.answers[:, 0], forms.answers[:, 1]], axis=1),
    )
    mine, other = (predict(fit_default(one), forms.features, [0, 1]) for one in (forms, turned))
    assert other[:, :, ::-1] == pytest.approx(mine)


def test_unordered_answers_are_predicted_each_against_the_others(world: Any) -> None:
    forms = world.forms
    question = replace(forms.target.question, kind="nominal", values=None)
    nominal = replace(forms, scales=(Scale.of(question), forms.scales[1]))
    fitted = fit_default(nominal)
    assert len(fitted.posteriors) == 4
    found = predict(fitted, forms.features, [0])[:, 0]
    assert found.sum(axis=1) == pytest.approx(1)
    assert np.corrcoef(found[:, 3], world.everyone[:, 0, 3])[0, 1] > 0.6


def test_whether_a_question_applies_is_read(world: Any) -> None:
    forms = world.forms.take(np.arange(600))
    x = forms.x.copy()
    x[::2, 4:] = 0
    odd = np.arange(600) % 2
    y = np.stack([odd * 2 + (np.arange(600) % 4 > 1), forms.answers[:, 1]], axis=1)
    fitted = fit_default(replace(forms, x=x, answers=y))
    assert fitted.design.applies == (1,)
    means = predict(fitted, Features(forms.features.units[:600], fitted.blocks, x), [0])[:, 0]
    gap = means @ np.array([1, 2, 3, 4])
    assert gap[odd == 1].mean() - gap[odd == 0].mean() > 1


def test_an_answer_that_is_not_read_says_nothing(world: Any) -> None:
    forms = world.forms.take(np.arange(300))
    block = Block("m", "", "Q8", ("a", "b"), (0, 1), ordered=False)
    features = replace(
        forms.features,
        blocks=(*forms.features.blocks, block),
        x=np.hstack([forms.features.x, np.full((len(forms.features.x), 2), 0.5)]),
    )
    fitted = fit_default(replace(forms, features=features, x=features.x[forms.item]))
    x = features.x[:4].copy()
    x[:2, :-2] = np.nan
    found = predict(fitted, replace(features, units=features.units[:4], x=x), [0])
    assert np.isnan(found[:2]).all()
    assert not np.isnan(found[2:]).any()


def test_what_was_not_fitted_on_choices_compares_nothing(world: Any) -> None:
    fitted = fit_default(world.forms.take(np.arange(300)))
    assert fitted.abilities.compare is None
    with pytest.raises(ConfigError, match="not fitted on choices"):
        fitted.compare(world.forms.features, world.forms.features, [0])
