"""Several processes over one cache: each question is asked once, also after a kill or a failure."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from counting_server import CountingServer
from tests.judging.conftest import rows_of, start_cli

PAIRS = 100  # 200 questions: a pair is judged in two orders
CONCURRENCY = 8


class Failing(CountingServer):
    """Fails the first call for each question with a 500."""

    def reply(self, body: bytes) -> bytes:
        whole = super().reply(body)
        digest = json.loads(whole.partition(b"\r\n\r\n")[2])["model"]
        if self.asked[digest] > 1:
            return whole
        return b"HTTP/1.1 500 Broken\r\ncontent-type: text/plain\r\ncontent-length: 6\r\n\r\nbroken"


def command(file: Path, server: CountingServer, out: Path, *more: object) -> list[object]:
    asked = ["judge", file, "--judge", "io@openai:tiny", "--base-url", server.url, "--out", out]
    return [*asked, "--concurrency", CONCURRENCY, "--quiet", *more]


def finish(process: Any) -> None:
    _, said = process.communicate(timeout=300)
    assert process.returncode == 0, said


def wait_for(server: CountingServer, calls: int) -> None:
    deadline = time.monotonic() + 60
    while server.asked.total() < calls:
        assert time.monotonic() < deadline
        time.sleep(0.002)


@pytest.mark.parametrize(
    "processes",
    [
        pytest.param(2, marks=pytest.mark.slow("starts processes that share a cache")),
        pytest.param(4, marks=pytest.mark.nightly("starts processes that share a cache")),
    ],
)
def test_processes_with_one_cache_ask_each_question_once(
    processes: int, tmp_path: Path, pairs_file: Any
) -> None:
    file = pairs_file(PAIRS)
    with CountingServer(latency=0.1) as server:
        outs = [tmp_path / f"run-{number}" for number in range(processes)]
        for process in [start_cli(*command(file, server, out)) for out in outs]:
            finish(process)
        assert server.asked.total() == len(server.asked) == 2 * PAIRS
    for out in outs:
        assert len([row for row in rows_of(out) if row["answer"]]) == 2 * PAIRS


@pytest.mark.slow("starts processes that share a cache")
def test_a_killed_process_costs_its_calls_in_flight_and_no_more(
    tmp_path: Path, pairs_file: Any
) -> None:
    file = pairs_file(PAIRS)
    with CountingServer(latency=0.1) as server:
        outs = [tmp_path / f"run-{number}" for number in range(2)]
        killed, other = [start_cli(*command(file, server, out)) for out in outs]
        wait_for(server, PAIRS)
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        assert killed.returncode == -signal.SIGKILL, "it had ended before it was killed"
        finish(other)
        assert len(server.asked) == 2 * PAIRS
        assert server.asked.total() <= 2 * PAIRS + CONCURRENCY
    assert len(rows_of(outs[1])) == 2 * PAIRS


@pytest.mark.slow("starts processes that share a cache")
def test_a_question_whose_call_fails_is_asked_by_the_process_that_waits(
    tmp_path: Path, pairs_file: Any
) -> None:
    file = pairs_file(20)
    with Failing(latency=0.02) as server:
        outs = [tmp_path / f"run-{number}" for number in range(2)]
        for process in [start_cli(*command(file, server, out)) for out in outs]:
            finish(process)
        assert set(server.asked.values()) == {2}  # a failure, and the answer


def test_ctrl_c_ends_a_process_that_waits_for_another(tmp_path: Path, pairs_file: Any) -> None:
    file, prices = pairs_file(3), tmp_path / "prices.toml"
    prices.write_text('"openai:tiny" = { input = 1.0, output = 1.0 }\n')
    paid = ["--prices", prices, "--max-cost", 1]
    with CountingServer(latency=60.0) as server:
        asking = start_cli(*command(file, server, tmp_path / "asking", *paid))
        wait_for(server, 6)
        waiting = start_cli(*command(file, server, tmp_path / "waiting", *paid))
        deadline = time.monotonic() + 60
        while not (tmp_path / "waiting" / "run.json").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(0.3)
        waiting.send_signal(signal.SIGINT)
        _, said = waiting.communicate(timeout=30)
        assert "Traceback" not in said
        assert server.asked.total() == 6
        assert (tmp_path / "asking" / "money.jsonl").exists()
        assert not (tmp_path / "waiting" / "money.jsonl").exists()  # nothing was set aside
        asking.kill()
        asking.communicate()
