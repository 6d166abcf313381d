"""The table of methods."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.calibrate._study import METHODS, Data
from assize.calibrate._study.methods import chosen


@pytest.mark.parametrize("name", METHODS)
def test_every_method_predicts_every_form_within_the_scale(data: Data, name: str) -> None:
    rows = METHODS[name].run(data)
    assert rows or name == "scores"
    for found in rows.values():
        assert found.value.shape == (2, len(data.forms))
        assert not np.isnan(found.value).any()
        if found.p is not None:
            assert found.p.sum(axis=2) == pytest.approx(1)
            assert found.value.min() >= 1
            assert found.value.max() <= 4
    assert all(name in chosen([row]) for row in rows)  # as printed
    assert METHODS[name].about.endswith(".") or len(METHODS[name].about) > 20


def test_methods_are_chosen_by_name_or_group() -> None:
    assert list(chosen(["ridge", "calibrated"])) == [
        "ridge",
        "main-only",
        "network",
        "released",
        "default",
    ]
    assert chosen([]) == METHODS
    assert list(chosen(["rater mean", "oracle, impersonal"])) == ["rater-mean", "oracle-impersonal"]
    with pytest.raises(ConfigError, match="groups are baselines"):
        chosen(["magic"])
