"""A result shows itself as every other: tables, counts, a signature."""

from __future__ import annotations

import numpy as np
from tests.spread.simulated import of_scores

from assize.spread import SpreadOptions, measure_spread


def test_a_result_has_tables_json_and_what_is_missing() -> None:
    scores = np.random.default_rng(0).uniform(1, 4, (20, 2))
    result = measure_spread(of_scores(scores, systems=["a", "b"] * 10), SpreadOptions(by="system"))
    assert list(result.tables) == ["means", "fallen"]
    assert result.sentence == "20 conversations, 1 question."
    assert result.missing == (0, 20)
    assert [row["group"] for row in result.to_json()["means"]] == ["a", "b"]
    assert result.signature in result.lines[0]
