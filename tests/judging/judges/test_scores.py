"""Judges made of scores: of single responses, and of dialogues that also prefer a side."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from published_asked import PAIR, TALK
from scores_asked import SAME, geval, judged, rewarding
from scripts_for_tests import by_words
from tests.judging.conftest import why_unscored

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError, ServerError
from assize.base.judgment import PREFERENCE, Judgment, Question, Usage
from assize.judging.judge import JudgeContext, Task, sees_order
from assize.judging.judges.scores import Score, ScoresJudge, text_of
from assize.judging.session import RunSettings
from assize.judging.table import open_judge
from assize.judging.tasks import tasks_for
from assize.models import Models, Reply, Request

LENGTH, TURNS = Question("length"), Question("turns")


def made(score: Score) -> ScoresJudge:
    both = {"length": PREFERENCE, "turns": Question("more", kind="preference")}
    return ScoresJudge("j", "0", score, (LENGTH, TURNS), both, (Conversation, Pair))


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
            assert why_unscored(row) == "server"


def test_the_prompt_shown_is_that_of_side_a_or_of_a_question_by_name() -> None:
    judge = open_judge("prometheus/all@scripted:any", JudgeContext(Models()))
    assert isinstance(judge, ScoresJudge)
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


def test_identical_responses_are_a_tie_without_a_call() -> None:
    def script(request: Request) -> str:
        raise AssertionError("asked")

    for judge in (geval(script), rewarding(script)):
        (row,) = judged(judge, SAME)
        assert row.answer == "tie"
        assert row.usage is None


def test_a_failure_of_one_side_keeps_what_the_other_cost() -> None:
    script = by_words({"apple": ServerError("down"), "pear": Reply("1", usage=Usage(5, 0, 0.5))})
    (row,) = judged(rewarding(script))
    assert why_unscored(row) == "server"
    assert row.usage == Usage(5, 0, 0.5)


def test_whole_dialogues_are_scored_with_their_roles() -> None:
    assert text_of((Turn("user", "a"), Turn("assistant", "b"))) == "user: a\n\nassistant: b"
    assert text_of(()) == ""
