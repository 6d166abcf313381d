from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from with_asking import with_asking

from assize.base.conversation import Continuation, Turn
from assize.base.errors import ConfigError
from assize.judging.judge import JudgeContext, Task
from assize.judging.table import open_judge
from assize.judging.verbs import judge
from assize.reference._metrics.judge import MetricsJudge

ASKED = (Turn("user", "How do I get to Leeds?"),)
FULL = Continuation("a", ASKED, "Take the train at nine.", ("By train.", "Take the train."))
BARE = Continuation("b", (), "", ("By train.",))


def opened(written: str = "metrics", **options: Any) -> MetricsJudge:
    models: Any = None
    judge = open_judge(written, JudgeContext(models, options=options))
    assert isinstance(judge, MetricsJudge)
    return judge


def plain(*names: str, **options: Any) -> MetricsJudge:
    return opened(metrics_only=names, **options)


def rows(judge: MetricsJudge, *items: Continuation) -> Any:
    return judge.judge_many([Task(item) for item in items])


def test_a_row_a_metric_and_a_mean_where_there_are_several_references() -> None:
    judge = plain("rouge1-f1", "asks")
    assert [one.id for one in judge.questions] == ["rouge1-f1", "asks", "rouge1-f1-mean"]
    found = rows(judge, FULL, BARE)
    assert [row.question for row in found[0]] == ["rouge1-f1", "rouge1-f1-mean", "asks"]
    assert [row.score for row in found[0]] == pytest.approx([0.75, 0.517857143, 0.0])
    assert found[0][0].details == {"reference": 1}
    assert [row.question for row in found[1]] == ["rouge1-f1", "asks"]


def test_what_cannot_be_measured_is_unscored_and_what_does_not_apply_an_answer() -> None:
    (row,) = rows(plain("rouge1-f1"), BARE)[0]
    assert (row.unscored.reason, row.score, row.answer) == ("empty", None, None)
    here = Continuation("c", (), "Yes, it does.", ("No.",))
    (row,) = rows(plain("context-overlap"), here)[0]
    assert (row.answer, row.unscored) == ("NA", None)
    assert "no user turn" in str(row.explanation)


def test_one_task_at_a_time_gives_the_same_and_a_signature_of_what_changes_a_number() -> None:
    judge = plain("rouge1-f1")
    assert list(asyncio.run(judge.judge(Task(FULL)))) == rows(judge, FULL)[0]
    assert judge.signature == plain("rouge1-f1").signature != plain("rouge2-f1").signature


def test_another_encoder_stands_in_the_name(tiny_bert: Path) -> None:
    name = f"metrics@hf:{tiny_bert}?layer=1"
    judge: Any = opened(name, metrics_only=("cosine",))
    assert (judge.name, judge.encoder.details["layer"]) == (name, 1)
    said = replace(FULL, candidate="the cat sat", references=("a dog ran",))
    assert rows(judge, said)[0][0].score is not None


def test_the_papers_preset_has_its_pooling_with_any_encoder(tiny_bert: Path) -> None:
    judge: Any = opened(f"metrics/paper@hf:{tiny_bert}")
    assert judge.encoder.details["pooling"] == "cls"
    assert "length" not in judge.metrics
    assert len(rows(judge, FULL)[0]) == 32


@pytest.mark.parametrize(
    ("written", "options", "said"),
    [
        ("metrics/best", {}, "no judge metrics/best; there are metrics and metrics/paper"),
        ("metrics@", {}, "no judge 'metrics@'"),
        ("metrics", {"metrics_only": ("bleu",)}, "no metric 'bleu'"),
        ("metrics@word2vec", {}, "encoder 'word2vec' is not known"),
    ],
)
def test_what_is_not_there_is_refused(written: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        opened(written, **options)


def test_a_run_that_ended_is_not_asked_again(tmp_path: Path) -> None:
    # rows of one answer that are NA, unscored and scored are one whole
    asked: Any = {"out": tmp_path / "run", "options": {"metrics_only": ("rouge1-f1", "novelty")}}
    items = [FULL, BARE, Continuation("c", (), "Yes.", ("No.",))]
    first = judge.plan(items, "metrics", **with_asking(**asked)).outcome()
    second = judge.plan(items, "metrics", **with_asking(**asked)).outcome()
    assert first.summary.n == second.summary.n == 7
    assert len((tmp_path / "run" / "judgments.jsonl").read_text("utf-8").splitlines()) == 7
