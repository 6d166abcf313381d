from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.conversation import Continuation, Turn
from assize.judging.judge import JudgeContext
from assize.judging.table import open_judge
from assize.reference.metrics.explained import ExplainedScore, explain

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
    return explain(ITEM, judge)


def test_the_common_words_stand_where_they_are_said(found: ExplainedScore) -> None:
    assert [one.text for one in found.runs] == ["dog ran", "the bank"]
    for run in found.runs:
        assert found.candidate[slice(*run.candidate)] == run.text
        assert found.references[1][slice(*run.reference)] == run.text


def test_bertscores_pairs_average_to_its_figures(found: ExplainedScore) -> None:
    values = {one.metric: one for one in found.values}
    for side, metric in (("candidate", "precision"), ("reference", "recall")):
        cosines = [one.cosine for one in found.matches if one.of == side]
        assert sum(cosines) / len(cosines) == pytest.approx(
            values[f"bertscore-{metric}"].value, abs=1e-6
        )
    chosen = found.references[values["bertscore-f1"].reference or 0]
    for one in found.matches:
        own, other = (
            (found.candidate, chosen) if one.of == "candidate" else (chosen, found.candidate)
        )
        assert own[slice(*one.span)] == one.text
        assert other[slice(*one.other_span)] == one.other


def test_each_metric_says_its_value_or_why_there_is_none(found: ExplainedScore) -> None:
    assert all((one.why is None) == (one.value == one.value) for one in found.values)
    shown = str(found)
    assert "ROUGE-L: longest common subsequence" in shown
    assert "tokens of the reference" in shown


def test_json_holds_everything(found: ExplainedScore) -> None:
    read = json.loads(json.dumps(found.to_json()))
    assert read["metrics"]["rougel-recall"]["reference"] == 1
    assert read["rougel"][0]["candidate"] == [4, 11]


def test_without_a_reference_the_rest_is_explained(tiny_bert: Path) -> None:
    models: Any = None
    judge: Any = open_judge(f"metrics@hf:{tiny_bert}", JudgeContext(models))
    found = explain(Continuation("k", (), "the dog"), judge)
    assert list(found.tables) == ["metrics"]
    assert found.matches == []
