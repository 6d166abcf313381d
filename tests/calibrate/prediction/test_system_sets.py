from __future__ import annotations

import numpy as np
import pytest
from tests.calibrate.conftest import two_raters

from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator, fit_default
from assize.calibrate._data.features import Features
from assize.calibrate._prediction.system_sets import predict_sets


@pytest.fixture
def fitted() -> tuple[FittedCalibrator, Features]:
    forms = two_raters(100)
    return FittedCalibrator(fit_default(forms)), forms.features


def part(features: Features, names: list[str]) -> Features:
    units = tuple((name, None) for name in names)
    return Features(units, features.blocks, features.x[: len(names)])


def test_each_table_is_a_set_and_shared_ids_are_compared_in_pairs(
    fitted: tuple[FittedCalibrator, Features],
) -> None:
    calibrator, features = fitted
    tables = {"old": part(features, ["a", "b"]), "new": part(features, ["b", "c", "d"])}
    found = predict_sets(calibrator, tables, [0, 1])
    assert found["old"].keys == ["a", "b"]
    assert found["new"].keys == ["b", "c", "d"]
    expected = calibrator.for_items(tables["new"]).probabilities(tables["new"], [0, 1])
    assert np.array_equal(found["new"].p, expected)
    apart = predict_sets(calibrator, tables, [0, 1], unpaired=True)
    assert len({*apart["old"].keys, *apart["new"].keys}) == 5


def test_a_pattern_splits_one_table_and_leaves_out_what_it_does_not_find(
    fitted: tuple[FittedCalibrator, Features],
) -> None:
    calibrator, features = fitted
    one = {"answers": part(features, ["V1_a", "V2_a", "x"])}
    found = predict_sets(calibrator, one, [0], by=r"(V\d)")
    assert list(found) == ["V1", "V2"]
    assert found["V1"].keys == found["V2"].keys
    assert sum(len(part.p) for part in found.values()) == 2
    with pytest.raises(ConfigError, match="finds a group in none of 3 ids"):
        predict_sets(calibrator, one, [0], by="(W)")
