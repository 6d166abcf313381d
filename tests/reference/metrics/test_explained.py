from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Continuation, Turn
from assize.judging.judge import JudgeContext
from assize.judging.table import open_judge
from assize.reference._metrics.explained import ExplainedScore, explain_score

ITEM = Continuation(
    "k1",
    (Turn("user", "How?"),),
    " The dog ran over the bank ",
    ("money that it takes", "a dog ran on the bank"),
)


@pytest.fixture(scope="module")
def found(tiny_bert: Path) -> ExplainedScore:
    models: Any = None
    judge: Any = open_judge(f"metrics@hf:{tiny_bert}", JudgeContext(models))
    return explain_score(ITEM, judge)


def test_each_metric_says_its_value_or_why_there_is_none(found: ExplainedScore) -> None:
    assert all((row.reason is None) == (row.value == row.value) for row in found.metrics)
    assert found.sentence == "What each metric makes of k1."


def test_json_holds_everything(found: ExplainedScore) -> None:
    read = json.loads(json.dumps(found.to_json()))
    by_name = {row["metric"]: row for row in read["metrics"]}
    assert by_name["rougel-recall"]["reference"] == 2


def test_without_a_reference_the_rest_is_explained(tiny_bert: Path) -> None:
    models: Any = None
    judge: Any = open_judge(f"metrics@hf:{tiny_bert}", JudgeContext(models))
    found = explain_score(Continuation("k", (), "the dog"), judge)
    assert list(found.tables) == ["metrics"]
