"""Baselines by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.study.conftest import JUDGE, QUESTIONS, SMALL, answers, ratings

import assize
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._calibrator import predict_new_items, predict_own_raters
from assize.calibrate._data.forms import Forms
from assize.calibrate._study import Data, Options, baselines, data_of, study
from assize.calibrate._study.baselines import default, default_method
from assize.judgments import JudgmentTable
from assize.stats._studies import Folds


def tiny(*shares: tuple[float, ...]) -> Data:
    """One form an item with these distributions of `overall`, answered 4, 3, 4, 3, ..."""
    said = [
        Judgment(f"i{n}", JUDGE, "overall", distribution=dict(zip("1234", p, strict=True)))
        for n, p in enumerate(shares)
    ]
    rated = [Judgment(f"i{n}", "r", "overall", answer=str(4 - n % 2)) for n in range(len(shares))]
    tables = [JudgmentTable.of(rows, QUESTIONS[:1]) for rows in (said, rated)]
    forms = forms_of(features_of(tables[0]), tables[1], "overall")
    return data_of(forms, folds=2, seeds=1, setting=SMALL)


def test_the_expected_answer_is_divided_by_the_mass_on_the_answers() -> None:
    data = tiny((0.1, 0.0, 0.0, 0.3), (0.0, 0.0, 0.0, 0.0), (0, 0, 1, 0), (0, 0, 1, 0))
    (found,) = baselines.expected(data).values()
    # (0.1 * 1 + 0.3 * 4) / 0.4; nothing where there is no mass
    assert found.value[0, 0] == pytest.approx(3.25)
    assert found.p is not None
    assert found.p[0, 0] == pytest.approx([0.25, 0, 0, 0.75])
    assert np.isnan(found.value[0, 1])


def test_argmax_is_the_most_probable_answer_and_has_no_probabilities() -> None:
    data = tiny((0.1, 0.2, 0.0, 0.3), (0, 0, 0, 0), (0.5, 0.2, 0, 0), (0, 0, 1, 0))
    (found,) = baselines.argmax(data).values()
    assert found.p is None
    np.testing.assert_equal(found.value[0], [4, np.nan, 1, 3])


def test_a_second_model_gets_a_row_of_its_own(make_forms: Callable[..., Forms]) -> None:
    forms = make_forms(items=8)
    block = replace(forms.features.blocks[0], judge="other@m")
    blocks = (*forms.features.blocks, block)
    x = np.hstack([forms.x, forms.x[:, :4]])
    features = replace(forms.features, blocks=blocks, x=np.hstack([forms.features.x] * 1))
    two = replace(forms, x=x, features=features)
    rows = baselines.argmax(data_of(two, folds=2, seeds=1))
    assert list(rows) == [f"argmax: {JUDGE}", "argmax: other@m"]


def test_a_rater_is_predicted_by_their_own_habit_and_a_new_one_by_everyones() -> None:
    data = tiny(*[(0.25, 0.25, 0.25, 0.25)] * 8)
    forms = replace(data.forms, rater=np.array([0, 1] * 4), raters=("a", "b"))
    known = replace(data, forms=forms)  # a always says 4, b always 3
    strange = replace(known, folds=Folds(np.array([[0, 1] * 4])))  # each, to the other fold
    own, other = (baselines.rater_mean(one)["rater mean"].value[0] for one in (known, strange))
    assert (own[::2] > 3.6).all()
    assert (own[1::2] < 3.4).all()
    assert (other[::2] < 3.4).all()


def test_the_constant_is_the_mean_of_the_other_folds(data: Data) -> None:
    (found,) = baselines.constant(data).values()
    for seed, fitted, held in data.folds.splits():
        mean = data.forms.values[fitted].mean()
        np.testing.assert_allclose(found.value[seed, held], mean, atol=0.05)


def test_ridge_learns_raters_and_quality(make_forms: Callable[..., Forms]) -> None:
    data = data_of(make_forms(items=60, harsh=2.0), folds=3, seeds=1)
    (ridge,) = baselines.ridge(data).values()
    (constant,) = baselines.constant(data).values()
    errors = [np.sqrt(np.mean((one.value - data.forms.values) ** 2)) for one in (ridge, constant)]
    assert errors[0] < 0.7 * errors[1]


def test_scores_without_answers_are_looked_at_for_their_order_alone(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms(items=8)
    block = replace(
        forms.features.blocks[0], question="factscore", answers=(), values=(), judge="factscore@m"
    )
    features = replace(
        forms.features,
        blocks=(*forms.features.blocks, block),
        x=np.hstack([forms.features.x, np.linspace(0, 1, 8)[:, None]]),
    )
    forms = replace(forms, features=features, x=features.x[forms.item])
    (row,) = baselines.scores(data_of(forms, folds=2, seeds=1)).items()
    assert row[0] == "score: factscore by factscore@m"
    assert row[1].only_order
    assert row[1].value[0] == pytest.approx(np.linspace(0, 1, 8)[forms.item])


def test_a_fold_is_predicted_by_the_calibrator_of_the_others(data: Data) -> None:
    (found,) = default(data).values()
    fold = data.folds.fold[1]
    fitted = fit_default(data.forms.take(fold != 2))
    assert found.p is not None
    assert found.p[1, fold == 2] == pytest.approx(
        predict_new_items(fitted, data.forms.take(fold == 2))
    )


def test_what_is_held_out_is_predicted_as_a_users_new_file_is() -> None:
    rng = np.random.default_rng(3)
    quality = rng.uniform(1, 4, 40) - 1.5 * (np.arange(40) % 2)  # system 1 is worse
    said = JudgmentTable.of(answers(40, rng, quality=quality), QUESTIONS)
    rated = JudgmentTable.of(ratings(40, 3, rng, quality), QUESTIONS)
    forms = forms_of(features_of(said), rated, "overall")
    names = [item for item, _ in forms.features.units]
    systems = [name[:2] for name in names]
    data = data_of(forms, seeds=1, groups=systems, leave_out=True, setting=SMALL)
    found = default(data)["default"].p
    assert found is not None
    far = 0.0
    for system in ("s0", "s1"):
        here = {name for name in names if name.startswith(system)}
        fitted = assize.calibrate.fit(said, rated.where(item=set(names) - here), target="overall")
        table = assize.calibrate.predict(fitted, said.where(item=here)).judgments
        expected = {(row.item, row.judge): row.distribution for row in table}
        rows = [place for place, item in enumerate(forms.item) if names[item] in here]
        for place in rows:
            whom = f"calibration:{forms.raters[forms.rater[place]]}"
            wanted = expected[names[forms.item[place]], whom]
            assert wanted is not None
            assert found[0, place] == pytest.approx(list(wanted.values()))
        as_fitted = predict_own_raters(fitted.calibrator, forms.take(rows))
        far = max(far, float(np.abs(found[0, rows] - as_fitted).max()))
    assert far > 0.05  # where the new items lie counts


def test_the_default_method_stands_without_folds(make_forms: Callable[..., Forms]) -> None:
    data = data_of(make_forms(items=12), folds=2, seeds=1)
    p = default_method(data, np.arange(30))(data, np.arange(30, 36))
    assert p.sum(axis=1) == pytest.approx(1)


def test_a_fold_with_one_answer_leaves_the_default_unscored_there(
    make_forms: Callable[..., Forms],
) -> None:
    forms = make_forms(items=12)
    answers = np.where(np.arange(len(forms)) == 0, 1, 2)
    rare = replace(forms, answers=np.column_stack([answers, forms.answers[:, 1:]]))
    data = data_of(rare, folds=3, seeds=1, setting=SMALL)
    figure = study(data, Options(("default",), 10)).parts[0].figures["default"]["rmse"]
    held = int((data.folds.fold[0] == data.folds.fold[0, 0]).sum())
    assert (figure.n, figure.unscored) == (len(forms) - held, held)
    alike = replace(forms, answers=np.where(forms.answers >= 0, 0, -1))
    with pytest.raises(DataError, match="all 36 answers are '1'; at least two different"):
        data_of(alike, folds=3)
