"""Whether labels help, by cross-validation over their items."""

from __future__ import annotations

import numpy as np
from tests.calibrate.hierarchical.test_adapt import few, grades

from assize.calibrate import fit_default
from assize.calibrate._results.adapted import gains_of

RNG = np.random.default_rng


def test_labels_of_a_shifted_set_help_by_more_than_chance() -> None:
    fitted = fit_default(grades(1_500, 30)[0])
    labels = few(grades(600, 30, level=-1.0, seed=3)[0], 5)
    found = gains_of(fitted, labels, RNG(0))
    assert list(found) == ["squared error", "log loss"]
    for one in found.values():
        assert one.difference.interval[1] < 0
        assert one.after.estimate < one.before.estimate
        assert one.difference.n == len(labels)
    assert gains_of(fitted, labels, RNG(0)) == found


def test_labels_of_one_item_cannot_tell() -> None:
    fitted = fit_default(grades(300, 3)[0])
    forms = grades(20, 3, seed=1)[0]
    assert gains_of(fitted, forms.take(forms.item == 0), RNG(0)) == {}
