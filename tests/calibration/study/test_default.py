"""The default calibrator in a study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from assize.calibration import Forms, fit_default
from assize.calibration.calibrator import predict_own_raters
from assize.calibration.study import Data, Options, data_of, study
from assize.calibration.study.default import default, default_method
from assize.errors import DataError

from .conftest import SMALL


def test_a_fold_is_predicted_by_the_calibrator_of_the_others(data: Data) -> None:
    (found,) = default(data).values()
    fold = data.folds.fold[1]
    fitted = fit_default(data.forms.take(fold != 2))
    assert found.p is not None
    assert found.p[1, fold == 2] == pytest.approx(
        predict_own_raters(fitted, data.forms.take(fold == 2))
    )


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
