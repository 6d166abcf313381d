from __future__ import annotations

import numpy as np
import pytest
from sklearn.svm import SVR

from assize.reference._ensemble.models import kernel
from assize.reference._ensemble.models.kernel import Kernel


def fitted() -> SVR:
    rng = np.random.default_rng(0)
    z = rng.normal(size=(100, 4))
    return SVR().fit(z, np.sin(z[:, 0]) + 0.2 * rng.normal(size=100))


def asked(count: int = 300) -> np.ndarray:
    return np.random.default_rng(1).normal(size=(count, 4))


def test_it_predicts_as_scikit_learn_s() -> None:
    assert Kernel.of_sklearn(fitted()).predict(asked()) == pytest.approx(
        fitted().predict(asked()), abs=1e-10
    )


def test_rows_are_predicted_alike_however_they_are_parted(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Kernel.of_sklearn(fitted())
    whole = model.predict(asked())
    monkeypatch.setattr(kernel, "CELLS", 1000)
    assert model.predict(asked()) == pytest.approx(whole, abs=1e-13)
