from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr, ndtri

from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.calibrate import fit_default
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms, Scale
from assize.calibrate._prediction.cross_fitted_errors import cross_fitted_errors

ANSWERS, VALUES = ("1", "2", "3", "4"), (1.0, 2.0, 3.0, 4.0)
QUESTIONS = [Question(one, kind="ordinal", answers=ANSWERS, values=VALUES) for one in ("Q0", "Q1")]


def simulated(item: float, form: float, seed: int = 0) -> Forms:
    """Two questions, 300 items by three of five raters; what answers have beyond what the model
    sees is shared within an item (share `item`) and within a form (share `form`)."""
    rng = np.random.default_rng(seed)
    items, each = 300, 3
    seen = rng.normal(size=(items, 2))
    steps = ndtr(np.array([-1, 0, 1]) - seen[..., None] / 1.5)
    x = np.diff(steps, axis=2, prepend=0, append=1).reshape(items, 8)
    place = np.repeat(np.arange(items), each)
    rater = np.concatenate([rng.permutation(5)[:each] for _ in range(items)])
    level = 0.5 * rng.normal(size=5)
    both = np.sqrt(item) * rng.normal(size=items)[place, None]
    own = np.sqrt(form) * rng.normal(size=len(place))[:, None]
    rest = np.sqrt(1 - item - form) * rng.normal(size=(len(place), 2))
    value = seen[place] + level[rater][:, None] + both + own + rest
    answers = np.searchsorted(ndtri([0.16, 0.5, 0.84]), value)
    blocks = tuple(Block("m", "", one.id, ANSWERS, VALUES, True) for one in QUESTIONS)
    units = tuple((f"i{n}", None) for n in range(items))
    return Forms(
        x[place],
        place,
        rater,
        answers,
        tuple(Scale.of(one) for one in QUESTIONS),
        Features(units, blocks, x),
        tuple("abcde"),
    )


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_what_raters_share_about_an_item_is_recovered(share: float) -> None:
    found = cross_fitted_errors(simulated(share, 0.0, seed=3), fit_default)  # standard error 0.04
    assert found.correlation == pytest.approx(share, abs=0.08)
    assert (found.items, found.answers) == (300, 900)


def test_what_a_raters_answers_about_an_item_share_is_recovered() -> None:
    forms = simulated(0.0, 0.4)
    mood = cross_fitted_errors(forms, fit_default, questions=("Q0", "Q1"), within="form")
    assert mood.correlation == pytest.approx(0.4, abs=0.08)
    assert mood.items == 900
    assert cross_fitted_errors(forms, fit_default).correlation < 0.08


def test_answers_without_an_order_are_refused() -> None:
    forms = simulated(0.0, 0.0)
    plain = replace(
        forms, scales=(Scale.of(replace(QUESTIONS[0], kind="nominal")), forms.scales[1])
    )
    with pytest.raises(ConfigError, match="'Q0' are not ordered"):
        cross_fitted_errors(plain, fit_default)
