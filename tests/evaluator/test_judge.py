"""The shipped evaluator among the judges."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import AssizeError
from assize.base.judgment import Judgment
from assize.evaluator import load_evaluator
from assize.evaluator._heads.linear import Linear
from assize.evaluator._heads.scored_question import TieRule
from assize.evaluator._judge import EvaluatorJudge
from assize.evaluator._scoring import score
from assize.formats import read
from assize.judging.judge import JudgeContext, Task, is_local
from assize.judging.judges.dimensions import DIMENSIONS
from assize.judging.records import questions_of
from assize.judging.session import RunSettings
from assize.judging.table import open_judge
from assize.judging.tasks import tasks_for
from assize.models import Models

ASKED = (Turn("user", "How do I undo my last git commit but keep the changes?"),)
GOOD = (Turn("assistant", "Run `git reset --soft HEAD~1`: the commit goes, changes stay staged."),)
BAD = (Turn("assistant", "I don't know."),)
PAIR = Pair("p1", ASKED, GOOD, BAD)
TALK = Conversation("c1", ASKED + GOOD)


def judged(judge: Any, *items: Any) -> list[list[Judgment]]:
    async def run() -> list[list[Judgment]]:
        rows = await asyncio.gather(*(judge.judge(Task(item)) for item in items))
        return [list(one) for one in rows]

    return asyncio.run(run())


def test_it_answers_what_the_evaluator_answers() -> None:
    judge = open_judge("evaluator@default", JudgeContext(Models()))
    assert judge.name == load_evaluator().judge
    pair, talk = judged(judge, PAIR, TALK)
    direct = {row.question: row for row in score([PAIR])}
    assert {row.question: row.answer for row in pair} == {
        name: row.answer for name, row in direct.items()
    }
    assert {row.question: row.score for row in talk} == {
        row.question: row.score for row in score([TALK])
    }
    assert pair[0].details is not None
    assert set(pair[0].details["scores"]) == {"A", "B"}


def test_a_pair_is_looked_at_once() -> None:
    judge = open_judge("evaluator@default", JudgeContext(Models()))
    (task,) = tasks_for(judge, PAIR, RunSettings())
    assert task.order is None


def test_as_a_reward_it_answers_only_which_is_better() -> None:
    judge = open_judge("reward@evaluator", JudgeContext(Models()))
    assert judge.name == f"reward@{load_evaluator().judge}"
    ((row,), (same,)) = judged(judge, PAIR, Pair("s", ASKED, GOOD, GOOD))
    assert (row.question, row.judge) == ("preference", judge.name)
    (direct, *_) = score([PAIR])
    assert row.answer == direct.answer
    assert same.answer == "tie"
    assert judge.takes == (Pair,)


def test_a_folder_that_holds_no_evaluator_is_an_error(tmp_path: Any) -> None:
    for target in (f"evaluator@{tmp_path}", f"reward@evaluator:{tmp_path}"):
        with pytest.raises(AssizeError):
            open_judge(target, JudgeContext(Models()))


def test_a_run_s_rows_are_those_of_score_but_for_what_the_run_adds(tmp_path: Any) -> None:
    import json

    from run_work import judge_session as judged_in_a_run

    from assize.formats import to_json, write
    from assize.judging.session import Session

    empty = Conversation("c3", (Turn("user", "Hi"),))
    other = Conversation("c2", (Turn("user", "Hi"), Turn("assistant", "Hello! Where to?")))
    items: list[Item] = [TALK, other, PAIR, empty]
    write(tmp_path / "in.jsonl", items)
    session = Session(read([str(tmp_path / "in.jsonl")]), ["evaluator@default"], tmp_path / "run")
    outcome = judged_in_a_run(session)
    assert outcome.summary.n == len(list(score(items)))
    lines = (tmp_path / "run" / "judgments.jsonl").read_text().splitlines()
    ours = {"call", "at", "assize_crc32"}

    def bare(row: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in row.items() if name not in ours}

    found = [bare(json.loads(line)) for line in lines]
    assert found == [bare(json.loads(json.dumps(to_json(row)))) for row in score(items)]


def test_it_says_that_it_needs_no_model_and_answers_many_tasks_in_their_order() -> None:
    judge = open_judge("reward@evaluator", JudgeContext(Models()))
    assert is_local(judge)
    same = Pair("s", ASKED, GOOD, GOOD)
    found = judge.judge_many([Task(PAIR), Task(same), Task(PAIR, repeat=1)])
    first, second, third = (rows for rows in found if not isinstance(rows, Exception))
    assert [rows[0].item for rows in (first, second, third)] == ["p1", "s", "p1"]
    assert second[0].details == {"identical": True}
    assert third[0].repeat == 1
    assert first[0].details == third[0].details


def test_what_pairs_are_asked_is_what_dimensions_asks_and_dialogues_have_names_of_their_own() -> (
    None
):
    """An evaluator learnt from votes on dimensions stands in one run with judges of them."""
    shipped = load_evaluator()
    first = next(iter(shipped.scored.values()))
    safety = replace(first, question=replace(first.question, id="Safety"), ties=TieRule(0.0))
    assert isinstance(shipped.head, Linear)
    own, *rest = shipped.head.weights.items()
    head = replace(shipped.head, weights={"Safety": own[1], **dict(rest)})
    others = {name: one for name, one in shipped.scored.items() if one is not first}
    judge = EvaluatorJudge(replace(shipped, head=head, scored={"Safety": safety, **others}))
    both: list[Any] = [judge, SimpleNamespace(questions=DIMENSIONS.questions)]
    asked = {one.id: one for one in questions_of(both)}
    assert (asked["Safety"].kind, asked["evaluator:Safety"].kind) == ("preference", "number")
    pair, talk = judged(judge, PAIR, TALK)
    assert {row.question: row.answer for row in pair}["Safety"] == "A"
    assert {row.question for row in talk} >= {"evaluator:Safety"}
    assert all(row.question in asked for row in (*pair, *talk))
    assert "Safety" not in {row.question for row in talk}
