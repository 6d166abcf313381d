"""The shipped evaluator among the judges."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from run_work import judge_session

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment
from assize.evaluator import Evaluator
from assize.evaluator._heads.linear import Linear
from assize.evaluator._heads.scored_question import TieRule
from assize.evaluator._judge import EvaluatorJudge
from assize.evaluator._scoring import score
from assize.formats import read, to_json, write
from assize.judging.judge import JudgeContext, Task, is_local
from assize.judging.judges.dimensions import DIMENSIONS
from assize.judging.records import questions_of
from assize.judging.session import Session
from assize.judging.table import open_judge
from assize.models import Models

ASKED = (Turn("user", "How do I undo my last git commit but keep the changes?"),)
GOOD = (Turn("assistant", "Run `git reset --soft HEAD~1`: the commit goes, changes stay staged."),)
BAD = (Turn("assistant", "I don't know."),)
PAIR = Pair("p1", ASKED, GOOD, BAD)
SAME = Pair("s", ASKED, GOOD, GOOD)
TALK = Conversation("c1", ASKED + GOOD)


def judged(judge: Any, *items: Any) -> list[list[Judgment]]:
    async def run() -> list[list[Judgment]]:
        rows = await asyncio.gather(*(judge.judge(Task(item)) for item in items))
        return [list(one) for one in rows]

    return asyncio.run(run())


def test_it_answers_what_the_evaluator_answers(shipped: Evaluator) -> None:
    judge = open_judge("evaluator@default", JudgeContext(Models()))
    assert judge.name == shipped.judge
    items: list[Item] = [PAIR, TALK]
    for item, rows in zip(items, judged(judge, *items), strict=True):
        direct = [(row.question, row.answer, row.score, row.details) for row in score([item])]
        assert [(row.question, row.answer, row.score, row.details) for row in rows] == direct


def test_as_a_reward_it_answers_only_which_is_better(shipped: Evaluator) -> None:
    judge = open_judge("reward@evaluator", JudgeContext(Models()))
    assert judge.name == f"reward@{shipped.judge}"
    ((row,), (same,)) = judged(judge, PAIR, SAME)
    assert (row.question, row.judge) == ("preference", judge.name)
    assert (row.answer, same.answer) == (next(score([PAIR])).answer, "tie")
    assert judge.takes == (Pair,)


def test_a_folder_that_holds_no_evaluator_is_an_error(tmp_path: Any) -> None:
    for target in (f"evaluator@{tmp_path}", f"reward@evaluator:{tmp_path}"):
        with pytest.raises(AssizeError):
            open_judge(target, JudgeContext(Models()))


def test_a_run_s_rows_are_those_of_score_but_for_what_the_run_adds(tmp_path: Any) -> None:
    empty = Conversation("c3", (Turn("user", "Hi"),))
    other = Conversation("c2", (Turn("user", "Hi"), Turn("assistant", "Hello! Where to?")))
    items: list[Item] = [TALK, other, PAIR, empty]
    write(tmp_path / "in.jsonl", items)
    session = Session(read([str(tmp_path / "in.jsonl")]), ["evaluator@default"], tmp_path / "run")
    judge_session(session)
    lines = (tmp_path / "run" / "judgments.jsonl").read_text().splitlines()
    found, expected = (
        [{name: row[name] for name in {*row} - {"call", "at", "assize_crc32"}} for row in rows]
        for rows in (map(json.loads, lines), map(to_json, score(items)))
    )
    assert found == expected


def test_it_says_that_it_needs_no_model_and_answers_many_tasks_in_their_order() -> None:
    judge = open_judge("reward@evaluator", JudgeContext(Models()))
    assert is_local(judge)
    found = judge.judge_many([Task(PAIR), Task(SAME), Task(PAIR, repeat=1)])
    first, second, third = (rows[0] for rows in found if not isinstance(rows, Exception))
    assert [row.item for row in (first, second, third)] == ["p1", "s", "p1"]
    assert second.details == {"identical": True}
    assert third.repeat == 1
    assert first.details == third.details


def test_what_pairs_are_asked_is_what_dimensions_asks_and_dialogues_have_names_of_their_own(
    shipped: Evaluator,
) -> None:
    """An evaluator learnt from votes on dimensions stands in one run with judges of them."""
    (name, first), *others = shipped.scored.items()
    safety = replace(first, question=replace(first.question, id="Safety"), ties=TieRule(0.0))
    assert isinstance(shipped.head, Linear)
    weights = {"Safety" if one == name else one: own for one, own in shipped.head.weights.items()}
    head = replace(shipped.head, weights=weights)
    judge = EvaluatorJudge(replace(shipped, head=head, scored={"Safety": safety, **dict(others)}))
    both: list[Any] = [judge, SimpleNamespace(questions=DIMENSIONS.questions)]
    asked = {one.id: one for one in questions_of(both)}
    assert (asked["Safety"].kind, asked["evaluator:Safety"].kind) == ("preference", "number")
    pair, talk = judged(judge, PAIR, TALK)
    assert {row.question: row.answer for row in pair}["Safety"] == "A"
    names = {row.question for row in talk}
    assert "evaluator:Safety" in names
    assert "Safety" not in names
    assert {row.question for row in (*pair, *talk)} <= {*asked}
