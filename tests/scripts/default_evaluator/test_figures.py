"""The recipe on the corpora themselves: slow unless the encodings are kept already."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scripts.default_evaluator.carryover import HEADS, RECIPE
from scripts.default_evaluator.corpora import FEATURES, SOURCES, Reader, load, source_file
from scripts.default_evaluator.recipe import DIMENSIONS, sources
from tests.scripts.default_evaluator.feature_names import names

from assize.encoders import load_encoder
from assize.evaluator._features.manner import MANNER
from assize.evaluator._heads.ridge import fit_scaling, fit_weights, read_axes

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
MISSING = [name for name in SOURCES.values() if not (DATA / source_file(name)).exists()]

# of a study on the same corpora that shares no code with this one: standardised features, unit
# spread
STUDIED = {
    "user_praises": 0.177,
    "user_complains": -0.155,
    "user_asks": -0.038,
    "user_exclaims": 0.145,
    "user_trend": 0.079,
    "praises_last": 0.0,
    "unsure": -0.088,
    "exclaims": 0.218,
    "trend": 0.009,
    "addresses": 0.166,
    "balance": 0.0,
}


@pytest.mark.nightly("trains the shipped evaluator anew")
@pytest.mark.skipif(bool(MISSING), reason=f"the corpora are no part of the project: {MISSING}")
def test_manners_weigh_as_in_the_study_that_the_recipe_is_from() -> None:
    encoder = load_encoder("minilm", cached=True)
    every_source = sources(DIMENSIONS[0], load(DATA, Reader(encoder)))
    found = [one for one in every_source if one.level == "conversation"]  # the study had no others
    scaling, widths = fit_scaling(found), FEATURES.widths(encoder.dimension)
    alone = replace(RECIPE, heads=(HEADS["manners"],))
    weights = fit_weights(found, scaling, alone, widths, read_axes(encoder)) / 0.5
    every = dict(zip(names(encoder.dimension), weights.tolist(), strict=True))
    manners = {name: every[f"manner.{name}"] for name in MANNER}
    assert manners == pytest.approx(STUDIED, abs=0.01)
    assert np.count_nonzero(weights) == len(MANNER) - 2 + 2 * encoder.dimension
