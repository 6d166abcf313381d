"""Runs through batch endpoints: submit, leave, come back, collect."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from run_work import judge_session as judge
from tests.judging.conftest import rows_of, served

from assize.judging.outcome import Outcome
from assize.judging.session import Session
from assize.models import batch
from assize.running.budget import read_ledger


def session(server: ChatServer, file: Path, out: Path, **models: Any) -> Session:
    return served(server, file, out, batch=out / "batches", **models)


def come_back(one: Session) -> tuple[Outcome, list[str]]:
    said: list[str] = []
    return judge(one, note=said.append), said


def test_submit_leave_come_back_collect(prices: Path, tmp_path: Path, pairs_file: Any) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        server.batch_delay = 1
        one = session(server, pairs_file(5), out, prices=prices)
        outcome, said = come_back(one)
        assert (outcome.waiting, outcome.summary.n) == (10, 0)
        assert "10 requests to openai:tiny submitted" in said[0]
        outcome, said = come_back(one)
        assert (outcome.waiting, outcome.summary.n) == (10, 0)
        assert "still at work" in said[0]
        outcome, _ = come_back(one)
        assert (outcome.waiting, outcome.summary.n, outcome.summary.unscored) == (0, 10, 0)
        paths = Counter(seen.path for seen in server.seen)
        assert paths["/v1/chat/completions"] == 0
        assert paths["/v1/batches"] == 1
    usage = [row["usage"] for row in rows_of(out)]
    assert all("cached" not in one for one in usage)
    paid = [100e-6 * (one["input_tokens"] + one["output_tokens"]) / 2 for one in usage]
    assert [one["cost_usd"] for one in usage] == pytest.approx(paid)


def test_what_a_batch_did_not_answer_is_submitted_again_and_given_up_in_the_end(
    tmp_path: Path, pairs_file: Any
) -> None:
    faults = {0: "500", 1: "expired", 2: "missing"}
    out = tmp_path / "run"
    with ChatServer() as server:
        server.batch_fault = lambda number, _: faults.get(number)
        one = session(server, pairs_file(4), out)
        seen = [come_back(one)[0] for _ in range(2)]
        assert [outcome.waiting for outcome in seen] == [8, 3]
        assert seen[1].summary.n == 5
        while come_back(one)[0].waiting:
            pass
        rows = rows_of(out)
    assert len(rows) == 8
    assert Counter(row.get("unscored", {}).get("reason") for row in rows) == {None: 5, "server": 3}


def test_a_wrong_shape_is_asked_again_in_the_next_batch(tmp_path: Path, pairs_file: Any) -> None:
    from chat_server import Body, completion, mock

    def answer(body: Body) -> Body:
        return mock(body) if len(body["messages"]) > 2 else completion(body, "A, I think")

    out = tmp_path / "run"
    with ChatServer(answer) as server:
        one = session(server, pairs_file(2), out)
        assert [come_back(one)[0].waiting for _ in range(3)] == [4, 4, 0]
    assert [row["attempts"] for row in rows_of(out)] == [2] * 4


def test_a_budget_holds_for_batches(prices: Path, tmp_path: Path, pairs_file: Any) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        one = session(server, pairs_file(10), out, prices=prices, max_cost=1.0)
        outcome, _ = come_back(one)
        assert 0 < outcome.waiting < 20
        assert outcome.summary.reasons["budget"] == 20 - outcome.waiting
        come_back(one)
        more = replace(one, models=replace(one.models, max_cost=10.0))
        while come_back(more)[0].waiting:
            pass
    assert all("answer" in row for row in rows_of(out))
    assert len(rows_of(out)) == 20


def test_anthropic_batches_too(
    tmp_path: Path, pairs_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")
    out = tmp_path / "run"
    with ChatServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        server.batch_fault = lambda number, _: "overloaded" if number == 0 else None
        one = replace(session(server, pairs_file(3), out), judges=["explained@anthropic:claude"])
        waits = [come_back(one)[0].waiting for _ in range(2)]
        assert waits == [6, 1]
        server.batch_fault = None
        while come_back(one)[0].waiting:
            pass
    assert len([row for row in rows_of(out) if "answer" in row]) == 6


KILLED = """
import os, signal, sys
from assize.models import batch
from assize.running import durable

point, written, replace = sys.argv.pop(1), 0, durable.replace

def noted(path, pieces):
    global written
    written += path.name == "batches.json"
    if path.name == "batches.json" and point == f"before note {written}":
        os.kill(os.getpid(), signal.SIGKILL)
    replace(path, pieces)
    if path.name == "batches.json" and point == f"after note {written}":
        os.kill(os.getpid(), signal.SIGKILL)

durable.replace = noted
from assize.cli import main
main()
"""
NOTES = ["before note 1", "after note 1", "before note 2", "after note 2"]
STEPS = ["upload lost", "uploaded", "submit lost", "submitted"]


SOON = {
    ("openai:tiny", "uploaded"),
    ("openai:tiny", "after note 1"),
    ("anthropic:claude", "submitted"),
}
POINTS = [
    *(("openai:tiny", point) for point in (*NOTES, *STEPS)),
    *(("anthropic:claude", point) for point in (*NOTES, *STEPS[2:])),
]


@pytest.mark.parametrize(
    ("model", "point"),
    [
        pytest.param(
            *one,
            marks=pytest.mark.slow("starts the command anew after a kill")
            if one in SOON
            else pytest.mark.nightly("starts the command anew after a kill"),
        )
        for one in POINTS
    ],
)
def test_a_kill_at_any_point_of_a_submission_submits_each_request_once_where_it_can_be_told(
    model: str,
    point: str,
    tmp_path: Path,
    pairs_file: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if model.startswith("anthropic"):
        pytest.importorskip("anthropic", reason="the extra `anthropic` is not installed")
    monkeypatch.setattr(batch, "ARRIVES", 0.0)  # of the sessions after the kill
    prices, out, file = tmp_path / "prices.toml", tmp_path / "run", pairs_file(3)
    prices.write_text(f'"{model}" = {{ input = 100.0, output = 100.0 }}\n')
    with ChatServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        arguments = ["judge", file, "--judge", f"explained@{model}", "--out", out, "--batch"]
        arguments += ["--base-url", server.url, "--prices", prices, "--quiet"]
        killed = subprocess.Popen([sys.executable, "-c", KILLED, point, *map(str, arguments)])

        def step(name: str) -> bool:
            if point in (name, f"{name} lost") and killed.poll() is None:
                killed.kill()
                killed.wait()
                return point == name
            return True

        server.batch_step = step
        assert killed.wait(60) == -signal.SIGKILL
        one = replace(session(server, file, out, prices=prices), judges=[f"explained@{model}"])
        said: list[str] = []
        for _ in range(5):
            outcome, news = come_back(one)
            said += news
            if not outcome.waiting:
                break
        asked = [
            row["custom_id"][-43:] for made in server.batches.values() for row in made["asked"]
        ]
        unseen = model.startswith("anthropic") and point in ("submitted", "before note 2")
        assert (len(set(asked)), len(asked)) == (6, 12 if unseen else 6), said
        untold = any("they stay booked" in line for line in said)
        assert untold or not unseen, said
        assert len(server.names) == len(server.batches) * model.startswith("openai")
    rows = rows_of(out)
    assert (len(rows), outcome.waiting, outcome.summary.unscored) == (6, 0, 0)
    paid = [row["usage"]["cost_usd"] for row in rows]
    booked = outcome.summary.spent.booked_usd
    assert read_ledger(out).booked == pytest.approx(booked)
    if untold:  # what may have been submitted stays booked at its highest price
        assert booked > 2 * sum(paid)
    else:
        assert booked == pytest.approx(sum(paid))
