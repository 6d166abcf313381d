"""Criteria distilled into an evaluator, from judgments to new conversations with no model."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from with_asking import with_asking

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment, Unscored
from assize.criteria._criterion import CriteriaSet, Criterion, Labelling
from assize.criteria._distill import (
    DistilledCriteria,
    compare,
    deal_folds,
    fit_lines,
    held_out_scores,
    learn_labelling,
    net_scores,
    teach,
)
from assize.criteria._heads import Line
from assize.criteria._selection.window import Wanted, Window
from assize.judging.judge import Task, is_local
from assize.stats._arrays import FloatArray

POOL = CriteriaSet(
    "help",
    (
        Criterion("answers", "The assistant answers the question.", "sat"),
        Criterion("polite", "The assistant is polite.", "sat"),
        Criterion("digresses", "The assistant digresses.", "dsat"),
    ),
    model="scripted:any",
    labelling=Labelling(0.0, low=-9.0, high=9.0, n=50, good=25),
)
GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")
COUNT = 60
SILENT = Conversation("silent", (Turn("user", "Hello?"),))


def conversation(number: int) -> Conversation:
    good = number % 2 == 0
    reply = (GOOD if good else BAD)[number // 2 % 3]
    turns = Turn("user", f"Question {number}: can you help me?"), Turn("assistant", reply)
    told = {"thumbs": "up" if good else "down", "user": f"u{number // 4}"}
    return Conversation(f"c{number}", turns, metadata=told)


CHATS = [conversation(number) for number in range(COUNT)]
NEW = [conversation(number) for number in range(COUNT, COUNT + 12)]


def rows() -> Iterator[Judgment]:
    """A model that answers by how good a conversation is, with some noise."""
    rng = np.random.default_rng(0)
    for number, chat in enumerate(CHATS):
        for one in POOL.criteria:
            lean = 3 if (number % 2 == 0) == one.sat else -3
            score = float(np.clip(5 + lean + rng.normal(0, 1), 0, 10))
            yield Judgment(chat.id, "criteria@help.yaml", one.id, score=score, kind="model")


TABLE = assize.JudgmentTable.of(rows(), [one.question() for one in POOL.criteria])


def distilled(**given: Any) -> DistilledCriteria:
    asked: dict[str, Any] = {
        "items": CHATS,
        "label": "thumbs:up=1,down=0",
        "folds": 2,
        "quiet": True,
    }
    table = given.pop("table", TABLE)
    whole = given.pop("criteria", POOL)
    return assize.criteria.distill(whole, table, **{**asked, **given})


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> DistilledCriteria:
    return distilled(out=tmp_path_factory.mktemp("distilled") / "small")


def test_it_says_how_well_each_criterion_and_netsat_is_reproduced(found: DistilledCriteria) -> None:
    value = found.to_json()
    for row in value["reproduced"]:
        assert row["pearson"]["interval"][0] > 0.5
        assert (row["pearson"]["n"], row["pearson"]["unscored"]) == (COUNT, 0)
    names = [row["question"] for row in value["reproduced"]]
    assert names == [*(row.text for row in POOL.criteria), "NetSAT"]
    assert (value["n"], value["unscored"], value["unread"], value["folds"]) == (COUNT, 0, 0, 2)
    assert found.lines[0].startswith("distill=criteria|criteria=3|n=60|folds=2|seed=0|")
    assert found.sentence.startswith("3 criteria, learnt from 60 conversations: on folds held out")
    assert found.notes[0].startswith("labels by thumbs:up=1,down=0: 30 good")
    assert any(note.startswith("NetSAT: bad up to") for note in found.notes)
    assert not any("cannot be told" in note for note in found.notes)
    assert found.missing == (0, COUNT)


def test_new_conversations_are_scored_with_no_model(found: DistilledCriteria) -> None:
    table = found.predict([*NEW, SILENT], quiet=True)
    nets = {row.item: row for row in table if row.question == "NetSAT"}
    assert nets["silent"].unscored is not None
    for number, chat in enumerate(NEW):
        details = nets[chat.id].details or {}
        assert details["label"] == ("good" if number % 2 == 0 else "bad")
    assert {row.kind for row in table} == {"evaluator"}
    assert table.questions["NetSAT"].range == (-10.0, 20.0)


def test_a_conversation_is_scored_like_many_and_unscored_without_text(found: Any) -> None:
    assert is_local(found.judge)
    judge: Any = found.judge
    first, silent = judge.judge_many([Task(NEW[0], repeat=1), Task(SILENT)])
    assert asyncio.run(judge.judge(Task(NEW[0], repeat=1))) == first
    scores = {row.question: row.score for row in first}
    assert list(scores) == ["NetSAT", "answers", "polite", "digresses"]
    net = scores["answers"] + scores["polite"] - scores["digresses"]
    assert scores["NetSAT"] == pytest.approx(net)
    assert {row.repeat for row in first} == {1}
    assert {row.unscored.reason for row in silent if row.unscored} == {"no_assistant"}
    assert len(silent) == 4


def test_the_judges_signature_changes_with_whatever_changes_a_number(
    found: DistilledCriteria,
) -> None:
    judge = found.judge
    lines = {**judge.lines, "polite": Line(2.5, 5.0)}
    assert replace(judge, lines=lines).signature != judge.signature
    unlabelled = replace(judge.criteria, labelling=None)
    assert replace(judge, criteria=unlabelled).signature != judge.signature
    assert replace(judge, name="elsewhere").signature == judge.signature


def test_a_run_with_another_set_gives_its_questions_names_of_their_own(found: Any) -> None:
    judge = found.judge.renamed({"NetSAT": "NetSAT@help"})
    names = ["NetSAT@help", "answers", "polite", "digresses"]
    assert [question.id for question in judge.questions] == names
    for rows in judge.judge_many([Task(NEW[0]), Task(SILENT)]):
        assert [row.question for row in rows] == names
    assert judge.signature == found.judge.signature


def test_the_window_is_the_evaluators_and_not_that_of_the_file(
    found: DistilledCriteria, tmp_path: Path
) -> None:
    wide = replace(POOL, labelling=Labelling(0.0, low=-99.0, high=99.0))
    small = f"evaluator:{found.out}"
    asked = {"model": ["scripted:any", small], "out": tmp_path / "run"}
    scores = assize.criteria.score.plan(NEW, wide, quiet=True, **with_asking(**asked)).outcome()
    still_open = {shares.judge: shares.open.estimate for shares in scores.label_shares}
    assert still_open[f"criteria@help@{small}"] < 1
    assert still_open["criteria@help@scripted:any"] == 1
    assert scores.labelling is None


def test_without_labels_nothing_is_labelled_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "plain"
    found = distilled(label=None, out=out)
    assert found.criteria.labelling is None
    assert list(found.tables) == ["reproduced"]
    with caplog.at_level(logging.WARNING, "assize"):
        table = assize.criteria.score(NEW[:2], POOL, model=f"evaluator:{out}", quiet=True)
    assert "was distilled without labels, or for other criteria together" in caplog.text
    assert all(row.details is None for row in table if row.question == "NetSAT")


def test_unscored_evaluations_and_silent_conversations_are_counted() -> None:
    lost = [
        replace(row, score=None, unscored=Unscored("parse"))
        if row.item in ("c3", "c4") and row.question == "polite"
        else row
        for row in TABLE
    ]
    lost += [Judgment("silent", "criteria@help.yaml", one.id, score=5.0) for one in POOL.criteria]
    lost += [Judgment("away", "criteria@help.yaml", "polite", score=5.0)]
    table = assize.JudgmentTable.of(lost, TABLE.questions.values())
    found = distilled(table=table, items=[*CHATS, SILENT, NEW[0]], label=None)
    assert (found.n, found.unscored, found.unread) == (COUNT + 1, 2, 1)
    assert found.reproduced[1].pearson.unscored == 3
    assert found.reproduced[-1].pearson.unscored == 3
    assert "1 scored conversations are not among the items, and left out" in found.notes
    assert "1 conversations are not scored, and left out" in found.notes


def test_a_criterion_that_is_always_the_same_gets_its_mean() -> None:
    more = replace(POOL, criteria=(*POOL.criteria, Criterion("same", "Always.", "sat")))
    table = [*TABLE, *(Judgment(one.id, "m", "same", score=7.0) for one in CHATS)]
    questions = [one.question() for one in more.criteria]
    found = distilled(criteria=more, table=assize.JudgmentTable.of(table, questions), label=None)
    assert "1 criteria cannot be told from the text here" in "\n".join(found.notes)
    scored = found.predict(NEW[:3], quiet=True)
    assert {row.score for row in scored if row.question == "same"} == {7.0}


def test_users_stay_together(found: DistilledCriteria) -> None:
    together = distilled(cluster="user")
    assert any("60 conversations of 15 clusters by user" in one for one in together.notes)
    assert together.signature != found.signature


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"folds": 31}, "31 folds of 60 conversations, or clusters: at least 62 are needed"),
        ({"cluster": "user", "folds": 8}, "8 folds of 15 conversations, or clusters"),
        ({"label": {f"c{n}": n < 3 for n in range(COUNT)}}, "3 good conversations for 2 folds"),
        ({"items": NEW}, "none of the 60 scored conversations is among the items"),
        ({"precision": 2.0}, "precision: received 2.0"),
        ({"prevalence": 2.0}, "prevalence: received 2.0"),
        ({"judges": "eve"}, "no judge 'eve'"),
        (
            {"criteria": replace(POOL, criteria=(*POOL.criteria, Criterion("x", "X.", "sat")))},
            "1 of the 4 criteria are scored on none of these conversations: x",
        ),
        (
            {
                "table": assize.JudgmentTable.of(
                    [replace(row, score=5.0) for row in TABLE], TABLE.questions.values()
                )
            },
            "each criterion is scored the same on all conversations",
        ),
    ],
)
def test_what_cannot_be_distilled_is_told(given: dict[str, Any], said: str) -> None:
    with pytest.raises(AssizeError, match=said):
        distilled(**given)


def test_scores_that_the_text_does_not_tell_are_said_to_be_so() -> None:
    rng = np.random.default_rng(1)
    noise = [replace(row, score=float(rng.uniform(0, 10))) for row in TABLE]
    found = distilled(table=assize.JudgmentTable.of(noise, TABLE.questions.values()))
    assert any("NetSAT cannot be told from the text of these 60" in one for one in found.notes)
    assert abs(found.reproduced[-1].pearson.estimate) < 0.4


CRITERIA = tuple(
    Criterion(f"c{at}", f"Statement {at}.", "sat" if at < 2 else "dsat") for at in range(4)
)
SIGNS = np.array([1 if criterion.sat else -1 for criterion in CRITERIA])
N = 400
WORLD_GOOD = (np.arange(N) % 2).astype(float)
WORLD_FOLD = np.arange(N) // 2 % 5


def world(noise: float = 1.0, blur: float = 1.0) -> tuple[FloatArray, FloatArray]:
    """Evaluations (N, 4), higher for good conversations, and raw numbers that follow them."""
    rng = np.random.default_rng(0)
    quality = (WORLD_GOOD[:, None] - 0.5) * 2 + rng.normal(0, blur, (N, 4))
    values = np.clip(5 + 1.5 * SIGNS * quality, 0, 10)
    return values, quality + noise * rng.normal(0, 1, (N, 4))


def held_nets(raw: FloatArray, values: FloatArray) -> FloatArray:
    return net_scores(held_out_scores(raw, values, WORLD_FOLD, CRITERIA), CRITERIA)


def test_netsat_is_what_speaks_for_less_what_speaks_against() -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, np.nan, 3.0, 4.0]])
    assert net_scores(values, CRITERIA).tolist() == pytest.approx([-4.0, np.nan], nan_ok=True)


def test_an_evaluator_that_says_the_same_loses_nothing() -> None:
    values, _ = world()
    raw = SIGNS * values
    nets = held_nets(raw, values)
    assert nets == pytest.approx(net_scores(values, CRITERIA))
    slopes = [line.slope for line in fit_lines(raw, values, CRITERIA)]
    assert slopes == pytest.approx(SIGNS.tolist())


def test_a_window_that_was_learnt_for_the_evaluations_does_not_carry_over() -> None:
    values, raw = world(noise=2.0, blur=3.0)
    nets, taught = held_nets(raw, values), net_scores(values, CRITERIA)
    ours, theirs = (learn_labelling(net, WORLD_GOOD, "w", Wanted(0.8)) for net in (nets, taught))
    assert (ours.n, ours.good, ours.precision, ours.wording) == (N, N // 2, 0.8, "w")
    ours_at, theirs_at = (
        Window(cuts.low or np.nan, cuts.high or np.nan, 0.8).labelled(nets)
        for cuts in (ours, theirs)
    )
    assert ours_at.sum() > 1.15 * theirs_at.sum() > 0


def test_a_fold_is_scored_by_lines_of_the_other_folds() -> None:
    values, raw = world()
    changed = np.where(WORLD_FOLD[:, None] == 0, 10 - values, values)
    before, after = (
        held_out_scores(raw, table, WORLD_FOLD, CRITERIA) for table in (values, changed)
    )
    assert before[WORLD_FOLD == 0] == pytest.approx(after[WORLD_FOLD == 0])
    assert np.abs(before - after)[WORLD_FOLD == 1].max() > 0.1


def test_what_cannot_be_read_is_unscored_and_what_has_no_head_is_the_mean() -> None:
    values, raw = world()
    raw[:, 1] = np.nan
    raw[7] = np.nan
    held = held_out_scores(raw, values, WORLD_FOLD, CRITERIA)
    assert np.isnan(held[7]).all()
    assert np.isnan(held).sum() == 4
    assert held[6, 1] == pytest.approx(values[WORLD_FOLD != 3, 1].mean())
    assert fit_lines(raw, values, CRITERIA)[1] == Line(0.0, float(values[:, 1].mean()))


def test_clusters_widen_intervals() -> None:
    values, raw = world()
    nets = np.repeat(held_nets(raw, values), 4)
    taught = np.repeat(net_scores(values, CRITERIA), 4)
    users = np.repeat(np.arange(N), 4)
    widths = [
        np.ptp(compare("NetSAT", nets, taught, clusters).pearson.interval)
        for clusters in (None, users)
    ]
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.25)


def test_folds_have_their_share_of_each_label_and_of_none() -> None:
    good = np.array([float(at % 3 == 0) for at in range(30)] + [np.nan] * 10)
    fold = deal_folds(good, list(range(40)), 5, 0, None)
    for kind, count in ((good == 1, 2), (good == 0, 4), (np.isnan(good), 2)):
        assert np.bincount(fold[kind], minlength=5).tolist() == [count] * 5
    together = deal_folds(good, [at // 2 for at in range(40)], 4, 0, None)
    assert (together[::2] == together[1::2]).all()


def test_only_criteria_that_vary_outside_each_fold_are_taught() -> None:
    values = np.random.default_rng(0).uniform(0, 10, (40, 3))
    values[:, 1] = 5.0
    values[3, 1] = 9.0
    values[7, 2] = np.nan
    fold = np.arange(40) % 5
    table = teach([f"c{at}" for at in range(40)], values, fold, POOL.criteria)
    assert table.asked == ("answers", "digresses")
    assert table.questions["digresses"].higher == "worse"
    assert table.questions["answers"].range == (0, 10)
    rows = {(row.item, row.question): row for row in table}
    assert rows["c3", "answers"].score == values[3, 0]
    assert rows["c7", "digresses"].unscored is not None
    assert len(table) == 80
