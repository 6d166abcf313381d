"""Criteria distilled into an evaluator, from judgments to new conversations with no model."""

from __future__ import annotations

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
from assize.criteria._distilled.result import DistilledCriteria

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
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("distilled") / "small"
    distilled(out=out)
    return out


@pytest.fixture(scope="module")
def found() -> DistilledCriteria:
    return distilled()


def test_it_says_how_well_each_criterion_and_netsat_is_reproduced(found: DistilledCriteria) -> None:
    value = found.to_json()
    for row in value["reproduced"]:
        assert row["pearson"]["interval"][0] > 0.5
        assert (row["pearson"]["n"], row["pearson"]["unscored"]) == (COUNT, 0)
        assert 0.5 < row["spread"] < 1.1
    ids = [row["id"] for row in value["reproduced"]]
    assert ids == ["answers", "polite", "digresses", "NetSAT"]
    evaluations, evaluator, difference = value["labelled"]
    assert evaluations["labelled"]["n"] == COUNT
    assert evaluator["accuracy"]["estimate"] > 0.8
    assert difference["accuracy"]["interval"] is not None
    assert (value["n"], value["unscored"], value["unread"], value["folds"]) == (COUNT, 0, 0, 2)
    assert found.lines[0].startswith("distill=criteria|criteria=3|n=60|folds=2|seed=0|")
    assert found.sentence.startswith("3 criteria, learnt from 60 conversations: on folds held out")


def test_the_window_is_the_evaluators_and_not_that_of_the_file(small: Path, tmp_path: Path) -> None:
    wide = replace(POOL, labelling=Labelling(0.0, low=-99.0, high=99.0))
    asked = {"model": ["scripted:any", f"evaluator:{small}"], "out": tmp_path / "run"}
    found = assize.criteria.score.plan(NEW, wide, quiet=True, **with_asking(**asked)).outcome()
    local, theirs = f"criteria@help@evaluator:{small}", "criteria@help@scripted:any"
    still_open = {shares.judge: shares.open.estimate for shares in found.label_shares}
    assert still_open[local] < 1
    assert still_open[theirs] == 1
    assert found.labellings[theirs] == wide.labelling != found.labellings[local]


def test_without_labels_nothing_is_labelled_and_that_is_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    out = tmp_path / "plain"
    found = distilled(label=None, out=out)
    assert found.labelled == ()
    assert found.criteria.labelling is None
    assert list(found.tables) == ["reproduced"]
    with caplog.at_level(logging.WARNING, "assize"):
        table = assize.criteria.score(NEW[:2], POOL, model=f"evaluator:{out}", quiet=True)
    assert "was distilled without labels, so nothing is labelled" in caplog.text
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
    assert found.net.pearson.unscored == 3
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
        ({"folds": 31}, "31 folds of 60 conversations: at least 62 are needed"),
        ({"cluster": "user", "folds": 8}, "8 folds of 15 clusters by user"),
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
    assert abs(found.net.pearson.estimate) < 0.4


def test_scores_that_it_tells_are_not(found: DistilledCriteria) -> None:
    assert not any("cannot be told" in one for one in found.notes)
