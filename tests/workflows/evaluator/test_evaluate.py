"""An evaluator measured."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assize import (
    Conversation,
    Judgment,
    JudgmentTable,
    evaluate_evaluator,
)
from assize.errors import DataError

Given = tuple[Sequence[Conversation], JudgmentTable]


def test_the_shipped_evaluator_is_measured_by_default(given: Given) -> None:
    items, ratings = given
    found = evaluate_evaluator(items, judgments=ratings)
    assert found.judge == "evaluator@assize-small-2"
    assert found.tables["figures"].rows[0][:2] == ("nice", "overall")


def test_judgments_that_fit_nothing_are_explained(given: Given) -> None:
    items, _ = given
    other = [Judgment("elsewhere", "ann", "q", score=1.0)]
    with pytest.raises(DataError, match="no judgment fits an item"):
        evaluate_evaluator(items, judgments=other)
