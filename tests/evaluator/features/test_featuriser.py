from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from letters import Letters
from tests.evaluator.talks import Talk

from assize.base.conversation import Turn
from assize.base.errors import DataError
from assize.encoders import Encoding
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.featuriser import (
    encode_views,
    feature_rows,
    open_featuriser,
)
from assize.evaluator._features.views import View, whole

TURNS = TurnFeatures()


def test_each_distinct_text_is_encoded_once(talk: Talk, letters: Any) -> None:
    views = [whole(talk("c", "u: abc", "a: bcd", "u: abc", "a: bcd").turns) for _ in range(3)]
    rows = feature_rows([view for view in views if isinstance(view, View)], letters, TURNS)
    assert letters.seen == ["abc", "bcd"]
    assert rows.shape == (3, 4 * 6 + 23)
    np.testing.assert_array_equal(rows[0], rows[2])


def test_no_views_are_no_rows(letters: Any) -> None:
    assert feature_rows([], letters, TURNS).shape == (0, 4 * 6 + 23)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    [
        ("bag", {}, r"'bag' is not known.*known: turns, dialogue, exchanges"),
        ("turns", {"reach": 3}, "'turns' takes other settings"),
    ],
)
def test_an_unknown_featuriser_and_unknown_settings_are_refused(
    name: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        open_featuriser(name, settings)


def test_vectors_that_are_no_numbers_are_refused_with_the_text(letters: Letters) -> None:
    class Broken(Letters):
        def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
            found = super().encode(texts, tokens=tokens)
            found.vectors[["abc" in text for text in texts]] = np.nan
            return found

    view = View((Turn("user", "b"), Turn("assistant", "abc")), "conversation")
    with pytest.raises(DataError, match=r"letters gave .* 1 of 2 texts, the first being 'abc'"):
        encode_views([view], Broken(), TurnFeatures())
