from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Continuation, Turn
from assize.judging.judge import JudgeContext
from assize.judging.table import open_judge
from assize.reference._metrics.explained import metric_values

ITEM = Continuation(
    "k1",
    (Turn("user", "How?"),),
    " The dog ran over the bank ",
    ("money that it takes", "a dog ran on the bank"),
)


@pytest.fixture(scope="module")
def judge(tiny_bert: Path) -> Any:
    models: Any = None
    return open_judge(f"metrics@hf:{tiny_bert}", JudgeContext(models))


def test_each_metric_says_its_value_and_the_reference_that_counts(judge: Any) -> None:
    found = {row.metric: row for row in metric_values(ITEM, judge)}
    assert found["rougel-recall"].reference == 2
    assert found["rougel-recall"].value == pytest.approx(4 / 6)
    assert found["length"].reference is None


def test_without_a_reference_the_rest_is_explained(judge: Any) -> None:
    found = {row.metric: row for row in metric_values(Continuation("k", (), "the dog"), judge)}
    assert found["length"].value > 0
    assert math.isnan(found["cosine"].value)
    assert found["cosine"].what_it_is == "missing: there is no reference"
