"""Which group each rating belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from assize.base.conversation import Conversation
from assize.calibrate._data.forms import Forms
from assize.calibrate._groups.membership import form_labels


def test_a_form_has_the_groups_of_its_item_and_its_rater(worlds: Any) -> None:
    def level(x: np.ndarray) -> np.ndarray:
        return np.stack([x[:, :4] + 0.1, x[:, :4] + 0.1], axis=1) / 1.4

    forms: Forms = worlds(level, rows=3, raters=2, seed=0).forms
    items = [Conversation("i0", (), system="s"), Conversation("i2", (), system="t")]
    found = form_labels(["rater", "system", "rater"], forms.take([2, 1, 0]), items)
    assert found["system"] == ("t", None, "s")
    assert found["rater"] == tuple(f"r{n}" for n in forms.rater[[2, 1, 0]])
