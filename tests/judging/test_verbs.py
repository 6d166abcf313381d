"""Judges asked from Python: in memory, into a folder, inside a running loop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from chat_server import ChatServer
from tests.conversations import pair

import assize
from assize.base.errors import ConfigError
from assize.judging.asking import Asking
from assize.judging.verbs import judge

PAIRS = [pair(f"p{n}") for n in range(3)]


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
