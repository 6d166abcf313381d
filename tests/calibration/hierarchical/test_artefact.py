from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from assize.calibration import UNKNOWN, fit_default
from assize.calibration.hierarchical.artefact import built, described


def test_facts_and_arrays_make_the_same_calibrator(world: Any) -> None:
    fitted = fit_default(world.forms.take(np.arange(200)))
    facts, arrays = described(fitted)
    read = json.loads(json.dumps(facts))
    again = built(fitted.target, fitted.blocks, fitted.raters, read, arrays)
    x = world.forms.features
    mine, other = (one.probabilities(x, [0, 2, UNKNOWN]) for one in (fitted, again))
    assert np.array_equal(mine, other)
    assert described(again)[0] == facts


def test_an_array_that_is_not_there_is_an_error(world: Any) -> None:
    fitted = fit_default(world.forms.take(np.arange(200)))
    facts, arrays = described(fitted)
    for name in arrays:
        lacking = {key: array for key, array in arrays.items() if key != name}
        if name.startswith("own."):  # a layer may have none of the raters' own
            continue
        with pytest.raises(KeyError):
            built(fitted.target, fitted.blocks, fitted.raters, facts, lacking)
