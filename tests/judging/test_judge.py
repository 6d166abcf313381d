"""What a judge says of itself, and judges that need no model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.judging.conftest import rows_of

from assize.base.conversation import Continuation, Conversation, Item, Pair, ToolCall, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import JudgeKind, Judgment, Question
from assize.formats import read
from assize.judging.judge import (
    JudgeContext,
    Task,
    identical,
    is_local,
    judge_one,
    smallest_chunk,
    tied,
)
from assize.judging.records import Answer, judgment_records
from assize.judging.run import JudgeRun
from assize.judging.session import OpenRun, RunSettings, Session, open_run
from assize.judging.summary import Summary
from assize.judging.table import open_judge
from assize.models import Models
from assize.running import run as running
from assize.running.executor import SMALLEST

LENGTH = Question("length", kind="number")


@dataclass
class Length:
    """A metric: characters of a conversation; it cannot do those that say `broken`."""

    name: str = "length@all"
    kind: JudgeKind = "metric"
    needs_model: Literal[False] = False
    questions: tuple[Question, ...] = (LENGTH,)
    takes: tuple[type, ...] = (Conversation,)
    signature: str = "1"
    rows_vary: bool = False
    chunks: list[int] = field(default_factory=list)
    on_chunk: Any = field(default=lambda: None)

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        self.chunks.append(len(tasks))
        self.on_chunk()
        found = []
        for task in tasks:
            assert isinstance(task.item, Conversation)
            text = "".join(turn.text for turn in task.item.turns)
            if text == "broken":
                raise ArithmeticError("no length")
            row = Judgment(
                task.item.id, self.name, "length", score=float(len(text)), repeat=task.repeat
            )
            found.append([row])
        return found

    async def judge(self, task: Task) -> Sequence[Judgment]:
        return await judge_one(self, task)


def talks(*texts: str) -> list[Conversation]:
    return [Conversation(f"c{n}", (Turn("user", text),)) for n, text in enumerate(texts)]


def run(judge: Length, items: Sequence[Any], out: Path, **settings: Any) -> Summary:
    async def go() -> Summary:
        summary = Summary()
        async with opened_for(judge, out, summary) as opened:
            await JudgeRun([judge], opened, RunSettings(**settings), summary).run(items)
        return summary

    return asyncio.run(go())


@asynccontextmanager
async def opened_for(judge: Length, out: Path, summary: Summary) -> AsyncIterator[OpenRun[Answer]]:
    records = judgment_records([judge], summary)
    async with (
        Models() as models,
        open_run(Session(read([]), [judge], out), models, records) as opened,
    ):
        yield opened


def test_a_judge_that_needs_no_model_says_so_and_answers_one_task_too() -> None:
    judge = Length()
    assert is_local(judge)
    (row,) = asyncio.run(judge.judge(Task(talks("four")[0], repeat=2)))
    assert (row.score, row.repeat) == (4.0, 2)


def test_its_tasks_are_answered_in_chunks_and_every_row_is_there_once(tmp_path: Path) -> None:
    judge = Length()
    summary = run(judge, talks(*("x" * n for n in range(150))), tmp_path, repeats=2)
    assert summary.n == 300
    assert max(judge.chunks) >= SMALLEST
    assert {(row["item"], row["score"], row.get("repeat", 0)) for row in rows_of(tmp_path)} == {
        (f"c{n}", float(n), repeat) for n in range(150) for repeat in range(2)
    }
    assert {(row["kind"], row["signature"]) for row in rows_of(tmp_path)} == {("metric", "1")}


def test_a_task_that_fails_is_unscored_and_the_others_of_its_chunk_are_not(
    tmp_path: Path,
) -> None:
    run(Length(), talks("a", "bb", "broken", "dddd", "broken"), tmp_path)
    found = {row["item"]: row.get("score", row.get("unscored")) for row in rows_of(tmp_path)}
    failed = {"reason": "failed", "message": "ArithmeticError: no length (test_judge.py:62)"}
    assert found == {"c0": 1.0, "c1": 2.0, "c2": failed, "c3": 4.0, "c4": failed}


def test_what_it_does_not_take_is_unscored_without_it(tmp_path: Path) -> None:
    run(Length(takes=(Continuation,)), talks("a"), tmp_path, on_error="skip")
    assert rows_of(tmp_path)[0]["unscored"]["reason"] == "unsupported"


def test_a_judge_that_fails_on_everything_stops_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GIVE_UP_AFTER", 5)
    judge = Length()
    run(judge, talks(*["broken"] * 500), tmp_path)
    assert 5 <= len(rows_of(tmp_path)) < 500


def test_a_stop_waits_for_the_chunk_in_work_and_begins_no_other(tmp_path: Path) -> None:
    async def go() -> tuple[int, bool]:
        judge = Length()
        async with opened_for(judge, tmp_path, Summary()) as opened:
            loop = asyncio.get_running_loop()
            judge.on_chunk = lambda: loop.call_soon_threadsafe(opened.run.stop)
            run = JudgeRun([judge], opened, RunSettings(), Summary())
            await run.run(talks(*["x"] * 1000))
        return len(judge.chunks), opened.run.interrupted

    assert asyncio.run(go()) == (1, True)
    assert len(rows_of(tmp_path)) == SMALLEST
    judge = Length()
    run(judge, talks(*["x"] * 1000), tmp_path)
    assert len({row["item"] for row in rows_of(tmp_path)}) == len(rows_of(tmp_path)) == 1000


@dataclass
class Failing(Length):
    """Gives an error in place of all rows."""

    error: Exception = field(default_factory=lambda: ValueError("cannot"))
    smallest_chunk: int = 1

    def judge_many(self, tasks: Sequence[Task]) -> Any:
        return [self.error] * len(tasks)


def test_an_error_in_place_of_rows_makes_them_unscored_and_is_raised_for_one_task() -> None:
    judge = Failing()
    assert smallest_chunk(judge) == 1
    assert smallest_chunk(Length()) == SMALLEST
    with pytest.raises(ValueError, match="cannot"):
        asyncio.run(judge_one(judge, Task(talks("broken")[0])))


def test_a_judge_that_cannot_be_used_ends_the_run(tmp_path: Path) -> None:
    judge = Failing(error=ConfigError("no judge at all"))
    with pytest.raises(ConfigError, match="no judge at all"):
        run(judge, talks("broken", "a"), tmp_path)


def side(*texts: str) -> tuple[Turn, ...]:
    return tuple(Turn("assistant", text) for text in texts)


ONE, OTHER = ((Turn("assistant", "", tool_calls=(ToolCall("t", name),)),) for name in "ab")


@pytest.mark.parametrize(
    ("item", "same"),
    [
        (Pair("p", (), side("x"), side(" x\n")), True),
        (Pair("p", (), side("x"), side("X")), False),
        (Pair("p", (), side("x", "y"), side("x")), False),
        (Pair("p", (), side("x"), (Turn("user", "x"),)), False),
        (Pair("p", (), (), ()), True),
        (Pair("p", (), ONE, ONE), True),
        (Pair("p", (), ONE, OTHER), False),
        (Conversation("c", side("x")), False),
    ],
)
def test_blanks_at_the_ends_do_not_count_and_all_else_does(item: Item, same: bool) -> None:
    assert identical(item) is same


def test_a_tie_stands_on_every_question_without_a_call() -> None:
    judge = open_judge("dimensions@scripted:any", JudgeContext(Models()))
    rows = tied(judge, Task(Pair("p", (), side("x"), side("x")), "BA", 2))
    assert [row.question for row in rows] == [one.id for one in judge.questions]
    assert {(row.answer, row.order, row.repeat, row.attempts) for row in rows} == {
        ("tie", "BA", 2, 0)
    }
