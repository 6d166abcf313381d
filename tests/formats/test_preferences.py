"""One reading of words for a side, for every log, data set and spreadsheet."""

from __future__ import annotations

import pytest

from assize.formats.preferences import read_preference


@pytest.mark.parametrize(
    ("words", "side"),
    [
        (("A", "a", "model_a", "Response A", "assistant_a", "option a", " answer_a "), "A"),
        (("B", "model_b", "side_b"), "B"),
        (("tie", "Fair", "both", "both_bad", "tie (bothbad)", "neither", "draw", "Same"), "tie"),
        (("1", "", None, "model_c", "chosen", "a b", ["a"], "the model a"), None),
    ],
)
def test_a_side_has_many_names(words: tuple[object, ...], side: str | None) -> None:
    assert [read_preference(word) for word in words] == [side] * len(words)
