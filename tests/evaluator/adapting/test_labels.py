from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from assize.base.conversation import Conversation
from assize.base.judgment import Judgment
from assize.evaluator import Evaluator
from assize.evaluator._adapting.reading import read_labels
from assize.judgments import JudgmentTable

Talk = Callable[..., Conversation]


def items(talk: Talk, count: int = 6) -> list[Conversation]:
    return [talk(f"c{at}", "u: abc", f"a: {'ab'[at % 2] * 3}{at}") for at in range(count)]


def rate(item: str, judge: str, value: float, question: str = "nice", **more: Any) -> Judgment:
    return Judgment(item, judge, question, score=value, kind="person", **more)


def test_the_order_is_that_of_the_keys(small: Evaluator, talk: Talk) -> None:
    rows = [rate(f"c{at}", "ann", at) for at in range(6)]
    one, two = (
        read_labels(items(talk), JudgmentTable.of(part), small)["overall"][0]
        for part in (rows, rows[::-1])
    )
    assert one.units == two.units
    assert np.array_equal(one.targets, two.targets)
