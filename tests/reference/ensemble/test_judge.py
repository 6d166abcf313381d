"""`ensemble@FOLDER`: local metrics, and language models beside them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reference.ensemble.made import continuations, metrics_table, ratings_table, sample

import assize
from assize.base.conversation import Continuation
from assize.base.errors import ConfigError, ServerError
from assize.base.judgment import JudgeKind, Judgment, Question, Usage
from assize.judging.judge import JudgeContext, Task, is_local
from assize.judging.table import open_judge
from assize.judgments import JudgmentTable
from assize.models import Models
from assize.reference._ensemble import OwnEnsemble
from assize.reference._ensemble.columns import Columns
from assize.reference._ensemble.ensemble import Ensemble
from assize.reference._ensemble.judge import EnsembleJudge, judge_of, open_ensemble
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.sample import sample_of
from assize.reference._ensemble.settings import Settings
from assize.reference._ensemble.targets import targets_of

QUICK = Settings(model="ridge")
COUNT = 100
LIKERT = Question("equivalence", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))


@cache
def learnt() -> Ensemble:
    return learn(sample(COUNT), QUICK)


def context(**options: object) -> JudgeContext:
    return JudgeContext(Models(), options=options)


def write_item(at: int) -> Continuation:
    """A candidate that shares more words with its reference, the higher `at`."""
    share = at % 5
    words = [f"word{at}x{place}" for place in range(5)]
    said = words[:share] + [f"other{at}x{place}" for place in range(share, 5)]
    one = continuations(at + 1)[at]
    return replace(one, candidate=" ".join(said), references=(" ".join(words),))


ITEMS = [write_item(at) for at in range(COUNT)]
RATINGS = ratings_table(
    np.array([[1 + at % 5, 1 + (at + at // 7 % 2) % 5] for at in range(COUNT)], float)
)


def fit(out: Path, **scored: Any) -> Ensemble:
    """Fit to metrics and judges of the items; ROUGE needs no encoder."""
    table = assize.reference.score(ITEMS, **scored)
    return assize.reference.fit(
        table, RATINGS, question="content", items=ITEMS, out=out, ensemble=OwnEnsemble("ridge")
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("ensemble") / "e"
    fit(place, metrics=("rouge1-recall", "rougel-f1"))
    return place


def test_it_measures_the_metrics_itself_and_says_what_predict_says(folder: Path) -> None:
    judge = open_ensemble(str(folder), context())
    assert not judge.needs_model
    metrics = assize.reference.score(ITEMS[:10], metrics=("rouge1-recall", "rougel-f1"))
    known = assize.load(folder).predict(metrics).rows()
    rows = [row for own in judge.judge_many([Task(one) for one in ITEMS[:10]]) for row in own]
    assert [(row.item, row.score) for row in rows] == [(row.item, row.score) for row in known]


def test_it_is_a_judge_like_every_other(folder: Path) -> None:
    found = assize.judge(ITEMS[:3], f"ensemble@{folder}")
    assert found.judges == (f"ensemble@{folder}",)
    assert found.asked == ("content",)
    assert open_judge(f"ensemble@{folder}", context()).questions == assize.load(folder).questions
    scored = assize.reference.score(ITEMS[:3], metrics="rouge1-recall", ensemble=str(folder))
    assert len(scored.where(question="content", judge=f"ensemble@{folder}")) == 3


def test_an_empty_candidate_is_unscored_with_what_is_missing(folder: Path) -> None:
    judge = open_ensemble(str(folder), context())
    ((row,),) = judge.judge_many([Task(replace(ITEMS[0], candidate="  "))])
    assert row.unscored is not None
    assert "2 of its metrics are missing" in row.unscored.message


def test_repeats_of_an_item_stay_apart(folder: Path) -> None:
    judge = open_ensemble(str(folder), context())
    found = judge.judge_many([Task(ITEMS[4]), Task(ITEMS[4], repeat=1), Task(ITEMS[0])])
    assert [row.repeat for own in found for row in own] == [0, 1, 0]
    assert found[0][0].score == found[1][0].score != found[2][0].score


def test_a_metric_that_was_measured_and_left_out_is_no_other_measurement(tmp_path: Path) -> None:
    found = fit(tmp_path / "e", metrics=("rouge1-recall", "emoji"))
    assert found.names == ("metrics:rouge1-recall",)
    assert open_ensemble(str(tmp_path / "e"), context()).judge_many([Task(ITEMS[0])])


def test_metrics_measured_otherwise_than_then_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fit(tmp_path / "e", metrics="rouge1-recall")
    monkeypatch.setattr("assize.reference._metrics.judge.VERSION", 99)
    with pytest.raises(ConfigError, match="measured with other options, another encoder"):
        open_ensemble(str(tmp_path / "e"), context())


def test_metrics_by_an_encoder_that_the_folder_names_need_the_user_s_word() -> None:
    foreign = tuple(one._replace(judge="metrics@hf:elsewhere/model") for one in learnt().sources)
    with pytest.raises(ConfigError, match="--set encoder=hf:elsewhere/model"):
        judge_of(replace(learnt(), sources=foreign), context())


def test_a_prediction_is_taken_apart_with_the_metrics_measured_for_it(folder: Path) -> None:
    found = open_ensemble(str(folder), context()).explained(ITEMS[3])
    (row,) = found.predictions
    adds = sum(part.adds for part in found.contributions)
    assert row.item == "i3"
    assert row.average + adds == pytest.approx(row.prediction)
    whole = assize.reference.explain(
        ITEMS, item="i3", metrics="rouge1-recall", ensemble=str(folder)
    )
    assert list(whole.tables) == ["metrics", "predictions", "contributions"]
    assert [row["item"] for row in whole.to_json()["predictions"]] == ["i3"]


@dataclass(frozen=True)
class Rater:
    """A judge that asks a model: the answer is the item's number modulo 3; some calls fail."""

    name: str = "equivalence@test:model"
    kind: JudgeKind = "model"
    questions: tuple[Question, ...] = (LIKERT,)
    takes: tuple[type, ...] = (Continuation,)
    signature: str = "s"
    rows_vary: bool = False
    fails: bool = False

    async def judge(self, task: Task) -> Sequence[Judgment]:
        if self.fails:
            raise ServerError("the server is down")
        answer = str(1 + int(task.item.id[1:]) % 3)
        used = Usage(input_tokens=7, output_tokens=1)
        return [Judgment(task.item.id, self.name, LIKERT.id, answer=answer, usage=used)]


@assize.judge_function(questions="cosine", takes="continuation", name="metrics")
def closeness(item: Continuation) -> float:
    return int(item.id[1:]) / COUNT


@cache
def both(missing: str = "unscored") -> Ensemble:
    """Fitted on a local metric and on a language model's answers."""
    rows = [
        Judgment(f"i{at}", Rater.name, LIKERT.id, answer=str(1 + at % 3), kind="model")
        for at in range(COUNT)
    ]
    table = JudgmentTable.concat(
        [metrics_table(np.arange(COUNT)[:, None] / COUNT), JudgmentTable.of(rows, [LIKERT])]
    )
    answers = np.clip(np.round(np.arange(COUNT) / 40 + np.arange(COUNT) % 3 + 1), 1, 5)[:, None]
    made = sample_of(
        Columns.of(table),
        targets_of(ratings_table(answers), "content"),
        {f"i{at}": f"c{at // 4}" for at in range(COUNT)},
        missing=missing,  # type: ignore[arg-type]
    )
    return learn(made, replace(QUICK, missing=missing))  # type: ignore[arg-type]


def asking(ensemble: Ensemble, *, fails: bool = False) -> EnsembleJudge:
    return EnsembleJudge(ensemble, {"metrics": closeness, Rater.name: Rater(fails=fails)})


def test_language_models_that_it_was_fitted_on_are_asked_too() -> None:
    made = both()
    judge = asking(made)
    assert not is_local(judge)
    (row,) = asyncio.run(judge.judge(Task(ITEMS[8])))
    measured = {"metrics:cosine": 8 / COUNT, "equivalence:equivalence": 3.0}
    known = made.fit.predict(np.array([[measured[name] for name in made.names]]))
    assert row.score == pytest.approx(known[0])
    assert row.usage == Usage(input_tokens=7, output_tokens=1)


def test_what_reads_language_models_is_taken_apart_from_stored_judgments_alone() -> None:
    with pytest.raises(ConfigError, match=r"assize\.load\(FOLDER\)\.explain\(RUN\)"):
        asking(both()).explained(ITEMS[0])


def test_a_failing_model_leaves_the_item_unscored_for_its_reason() -> None:
    (row,) = asyncio.run(asking(both(), fails=True).judge(Task(ITEMS[8])))
    assert row.unscored is not None
    assert (row.unscored.reason, row.unscored.message) == ("server", "the server is down")


def test_where_missing_metrics_are_imputed_a_failing_model_counts_as_average() -> None:
    (row,) = asyncio.run(asking(both("impute"), fails=True).judge(Task(ITEMS[8])))
    assert row.score is not None
    assert (row.details or {})["imputed"] == ["equivalence:equivalence"]


@pytest.mark.parametrize(
    "name",
    [
        "helpers:ask",
        "helpers:ask@scripted:any",
        "rating@openai:gpt-4o",
        "reward@http://127.0.0.1:1/rate",
        "evaluator@hub:someone/small",
        "metrics/paper",
        "ensemble@other",
        "prompt.jinja@scripted:any",
    ],
)
def test_a_judge_that_the_folder_names_is_asked_only_where_the_command_names_it(name: str) -> None:
    sources = tuple(one._replace(judge=name) for one in learnt().sources)
    with pytest.raises(ConfigError) as caught:
        judge_of(replace(learnt(), sources=sources), context())
    assert f"was fitted on the answers of {name}; judges that a file names" in str(caught.value)
    assert f"give --judge {name} beside the ensemble" in str(caught.value)


def test_a_judge_that_the_command_names_is_asked_for_the_ensemble_too(tmp_path: Path) -> None:
    judge, folder = "equivalent@scripted:any", tmp_path / "e"
    fit(folder, metrics="rouge1-recall", judges=judge)
    scored: Any = {"metrics": "rouge1-recall", "ensemble": folder}
    with pytest.raises(ConfigError, match=f"give --judge {judge} beside the ensemble"):
        assize.reference.score(ITEMS[:2], **scored)
    found = assize.reference.score(ITEMS[:2], judges=judge, **scored)
    assert f"ensemble@{folder}" in found.judges
