"""A run before it asks: a bar that counts, bad records kept, attacks estimated."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from run_work import run_work

from assize.base.errors import ConfigError
from assize.formats import read
from assize.judging.asking import session_of
from assize.judging.run import JudgeWork, plan_judging
from assize.judging.verbs import InjectionWork

CHAT = '{"id": "c", "turns": [{"role": "user", "text": "a"}, {"role": "assistant", "text": "b"}]}\n'


def test_each_answer_moves_the_bar_and_bad_records_are_kept_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "chats.jsonl").write_text(CHAT + '{"id": "odd", "turns": 7}\n')
    lenient = read(tmp_path / "chats.jsonl", on_error="skip")
    work = JudgeWork(session_of(lenient, "rating@scripted:any", tmp_path / "run", repeats=2))
    counted: list[int] = []
    outcome = run_work(work, counted)
    assert (sum(counted), outcome.interrupted) == (2, False)
    assert "odd" in (tmp_path / "run" / "rejects.jsonl").read_text()
    assert asyncio.run(work.estimate()).by_model["scripted:any"].calls == 0


def test_without_a_judge_there_is_nothing_to_do(tmp_path: Path) -> None:
    for plan in (
        plan_judging([], [], out=None, quiet=True),
        plan_judging([], (), out=None, quiet=True),
    ):
        with pytest.raises(ConfigError, match="name at least one judge"):
            plan.run()
    with pytest.raises(ConfigError, match="name at least one judge"):
        InjectionWork(session_of([], [], tmp_path))


def test_attacks_are_estimated_and_the_first_text_is_shown(tmp_path: Path) -> None:
    work = InjectionWork(session_of([], "io@scripted:first", tmp_path))
    estimate = asyncio.run(work.estimate()).by_model["scripted:first"]
    assert estimate.calls > 0
    assert asyncio.run(work.first_prompt(None)).item == "none-0"
    rates = run_work(work).rates
    assert {rate.judge for rate in rates} == {"io@scripted:first"}
