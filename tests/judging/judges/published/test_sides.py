"""A judge of dialogues that also prefers a side: what is said of a pair, and by whom."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from published_asked import PAIR, TALK

from assize.base.conversation import Conversation
from assize.base.errors import AuthenticationError, ConfigError, ServerError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.judging.judge import JudgeContext, Task, sees_order
from assize.judging.judges.published.sides import Score, SidesJudge
from assize.judging.session import RunSettings
from assize.judging.table import open_judge
from assize.judging.tasks import tasks_for
from assize.models import Models

LENGTH, TURNS = Question("length"), Question("turns")


def made(score: Score) -> SidesJudge:
    both = {"length": PREFERENCE, "turns": Question("more", kind="preference")}
    return SidesJudge("j", "0", (LENGTH, TURNS), both, score)


async def measured(item: Conversation, task: Task) -> Sequence[Judgment]:
    letters = sum(len(turn.text) for turn in item.turns)
    return [
        Judgment(item.id, "j", "length", score=float(letters), repeat=task.repeat),
        Judgment(item.id, "j", "turns", score=float(len(item.turns)), repeat=task.repeat),
    ]


def test_a_dialogue_has_its_scores_and_a_pair_its_preferences() -> None:
    judge = made(measured)
    scores = asyncio.run(judge.judge(Task(TALK)))
    assert [(row.item, row.question) for row in scores] == [("c1", "length"), ("c1", "turns")]
    rows = asyncio.run(judge.judge(Task(PAIR, repeat=2)))
    assert [(row.question, row.answer) for row in rows] == [("preference", "A"), ("more", "tie")]
    assert {(row.item, row.repeat, row.order) for row in rows} == {("p1", 2, None)}
    assert rows[0].details == {"scores": {"A": 38.0, "B": 34.0}}


def test_a_pair_is_one_task_whatever_the_votes() -> None:
    judge = made(measured)
    assert not sees_order(judge)
    assert [task.order for task in tasks_for(judge, PAIR, RunSettings(votes=2))] == [None]


def test_a_failed_call_leaves_its_rows_unscored() -> None:
    async def failing(item: Conversation, task: Task) -> Sequence[Judgment]:
        if item.id.endswith("/A"):
            return await measured(item, task)
        raise ServerError("it is down")

    judge = made(failing)
    for item, count in ((TALK, 2), (PAIR, 2)):
        rows = asyncio.run(judge.judge(Task(item)))
        assert len(rows) == count
        for row in rows:
            assert row.unscored is not None
            assert row.unscored.reason == "server"


def test_a_wrong_key_ends_the_run() -> None:
    async def refused(item: Conversation, task: Task) -> Sequence[Judgment]:
        raise AuthenticationError("no")

    with pytest.raises(AuthenticationError):
        asyncio.run(made(refused).judge(Task(PAIR)))


def test_the_prompt_shown_is_that_of_side_a_or_of_a_question_by_name() -> None:
    judge = open_judge("prometheus/all@scripted:any", JudgeContext(Models()))
    assert isinstance(judge, SidesJudge)
    asks, task = judge.first_call(Task(PAIR))
    assert (asks.questions[0].id, task.item.id) == ("score:Accuracy", "p1/A")
    asks, task = judge.first_call(Task(TALK), "score:Safety")
    assert (asks.questions[0].id, task.item.id) == ("score:Safety", "c1")
    with pytest.raises(ConfigError, match="and not score:Wit"):
        judge.first_call(Task(TALK), "score:Wit")
    with pytest.raises(ConfigError, match="asks with no prompt"):
        made(measured).first_call(Task(TALK))
    assert judge.prompt_version is not None
    assert made(measured).prompt_version is None
