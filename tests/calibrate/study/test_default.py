"""The default calibrator in a study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.study.conftest import QUESTIONS, SMALL, answers, ratings

import assize
from assize.base.errors import DataError
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._calibrator import predict_new_items, predict_own_raters
from assize.calibrate._data.forms import Forms
from assize.calibrate._study import Data, Options, data_of, study
from assize.calibrate._study.default import default, default_method
from assize.judgments import JudgmentTable


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
        new = said.where(item=here)
        table = assize.calibrate.predict(fitted, new).judgments
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


def test_the_method_of_forms_stands_without_a_study(make_forms: Callable[..., Forms]) -> None:
    forms = make_forms(items=12)
    p = default_method(forms, np.arange(30))(forms, np.arange(30, 36))
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
