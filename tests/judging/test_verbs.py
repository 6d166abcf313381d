"""Judges asked from Python: in memory, into a folder, inside a running loop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from chat_server import ChatServer
from tests.conversations import CHATS, pair

import assize
from assize import study
from assize.base.errors import ConfigError
from assize.judging import list_judges
from assize.judging.asking import Asking
from assize.judging.verbs import judge

PAIRS = [pair(f"p{n}") for n in range(3)]


def test_pairs_in_memory_are_judged_in_both_orders() -> None:
    table = assize.judge(PAIRS, "io@scripted:any")
    assert len(table) == 6
    assert {row.order for row in table} == {"AB", "BA"}
    assert table.questions["preference"].kind == "preference"


def test_several_judges_and_a_function_of_ones_own() -> None:
    @assize.judge_function(questions="long")
    def long(item: assize.Conversation) -> bool:
        return len(item.turns) > 1

    table = assize.judge(CHATS, ["rating@scripted:any", long])
    assert table.judges[-1].startswith("long") or "long" in table.judges
    assert len(table.where(question="long")) == 3


def test_a_folder_keeps_the_run_and_the_same_call_asks_nothing_again(tmp_path: Path) -> None:
    with ChatServer() as server:
        for _ in range(2):
            table = assize.judge(
                PAIRS,
                "io@openai:tiny",
                out=str(tmp_path / "run"),
                asking=Asking(base_url=server.url),
            )
        assert len(server.seen) == 6
    assert len(table) == 6
    with pytest.raises(ConfigError, match="another command"):
        assize.judge(PAIRS[:2], "io@scripted:any", out=tmp_path / "run")


def test_it_works_where_a_loop_runs_and_can_be_awaited() -> None:
    async def handler() -> tuple[int, int]:
        called = assize.judge(PAIRS, "io@scripted:any")
        awaited = await assize.judge.plan(PAIRS, "io@scripted:any").run_async()
        return len(called), len(awaited)

    assert asyncio.run(handler()) == (6, 6)


def test_a_run_tells_how_it_went(tmp_path: Path) -> None:
    found = judge.plan(PAIRS, "io@scripted:any", out=tmp_path / "run", quiet=True).outcome()
    assert (found.summary.n, found.missing, found.interrupted) == (6, (0, 6), False)
    assert found.judgments.rows() == assize.read_judgments([tmp_path / "run"]).rows()


def test_the_messages_of_a_judge_are_shown() -> None:
    found = judge.plan(PAIRS, "io").first_prompt()
    assert found.item == "p0"
    assert "one of p0" in "".join(found.lines)


def test_judges_are_listed_and_can_be_attacked() -> None:
    assert "io" in {judge.name for judge in list_judges().judges}
    first, *_ = study.injections("io@scripted:first").rates
    assert (first.judge, first.attack) == ("io@scripted:first", "none")
    assert first.won.n == 40
