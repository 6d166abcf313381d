from __future__ import annotations

from scripts.default_evaluator.shrinkage import Shrinkage
from tests.scripts.default_evaluator.feature_names import exchange_names

from assize.evaluator._features.exchanges import widths


def test_every_feature_has_the_penalty_of_its_block() -> None:
    penalties = Shrinkage(user=7.0, answer=0.0).penalties(2)
    by_name = dict(zip(exchange_names(2), penalties, strict=True))
    assert len(penalties) == sum(widths(2).values())
    assert by_name["user_last.1"] == 7.0
    assert by_name["assistant_mean.0"] == 100_000.0
    assert by_name["difference.1"] == 30_000.0
    assert by_name["shape.turns"] == 3_000.0
    assert by_name["answer.cosine"] == 0.0
