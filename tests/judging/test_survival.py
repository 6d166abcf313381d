"""The run survives: kills, Ctrl-C, faults of every kind; each call is paid for once."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import FAULTS, Body, ChatServer, Llama, mock
from command_line import run
from tests.judging.conftest import judge_rows, kill_at_random, rows_of, served, start_cli

from assize.judging.asking import Asking
from assize.judging.session import RunSettings
from assize.judging.verbs import judge
from assize.models import Limits


def test_an_answer_that_has_lost_rows_in_the_middle_or_at_the_end_is_asked_again_from_the_cache(
    tmp_path: Path, pairs_file: Any
) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        command = ["judge", pairs_file(5), "--judge", "dimensions@openai:tiny", "--base-url"]
        command += [server.url, "--out", out]
        run(*command)
        whole, path = rows_of(out), out / "judgments.jsonl"
        assert len(whole) == 110
        data = path.read_bytes()
        lines = data.splitlines(keepends=True)
        middle = b"".join(lines[:13] + lines[15:40] + lines[41:])
        for kept, told in ((middle, "2 answers in"), (data[:-7], ""), (data[:-600], "")):
            path.write_bytes(kept)
            said = run(*command).stderr
            assert told in said
            assert ("had lost rows" in said) == bool(told)
            assert sorted(map(key, rows_of(out))) == sorted(map(key, whole))
        assert len(server.seen) == 10


CONCURRENCY = 8


def key(row: dict[str, Any]) -> tuple[str, str, str, str | None, int]:
    return row["item"], row["judge"], row["question"], row.get("order"), row.get("repeat", 0)


def stored_calls() -> set[str]:
    """Names of the calls whose answers are in the cache."""
    path = Path(os.environ["ASSIZE_CACHE_DIR"]) / "answers.sqlite"
    if not path.exists():
        return set()
    connection = sqlite3.connect(path)
    try:
        replies = connection.execute("SELECT reply FROM answers").fetchall()
    except sqlite3.OperationalError:  # killed before the tables were made
        replies = []
    connection.close()
    return {json.loads(reply)["model"] for (reply,) in replies}


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(3, marks=pytest.mark.slow("starts the command anew after each kill")),
        pytest.param(10, marks=pytest.mark.nightly("starts the command anew after each kill")),
    ],
)
def test_after_kill_9_at_random_moments_every_row_is_there_once_and_nothing_stored_is_asked_again(
    kills: int, tmp_path: Path, pairs_file: Any
) -> None:
    draw = random.Random(4)
    out = tmp_path / "run"
    asked_by_call: dict[str, str] = {}
    count = 0

    def answer(body: Body) -> Body:
        nonlocal count
        count += 1
        asked_by_call[f"call-{count}"] = json.dumps(body["messages"])
        return mock(body) | {"model": f"call-{count}"}

    pairs, killed, most_unstored, checked = 20 * kills, 0, 0, 0
    with ChatServer(answer, latency=0.06) as server:
        command = ["judge", pairs_file(pairs), "--judge", "io@openai:tiny"]
        command += ["--base-url", server.url, "--out", out, "--concurrency", CONCURRENCY, "--quiet"]

        def arrived() -> Counter[str]:
            return Counter(json.dumps(seen.body["messages"]) for seen in list(server.seen))

        forbidden: set[str] = set()
        for _ in range(kills):
            before = arrived()
            killed += kill_at_random(server, draw, 0.3, *command)
            now = arrived()
            again = [body for body in forbidden if now[body] > before[body]]
            assert not again, "an answer that was stored was asked for again"
            stored = {asked_by_call[call] for call in stored_calls()}
            unstored = sum(now[body] > before[body] for body in set(now) - stored)
            most_unstored = max(most_unstored, unstored)
            forbidden, checked = stored, checked + len(stored)
        server.latency = 0.0
        run(*command)
        total = arrived()
    rows = rows_of(out)
    assert len(rows) == 2 * pairs
    assert max(Counter(map(key, rows)).values()) == 1
    assert all("answer" in row for row in rows)
    assert killed >= kills - 2
    assert len(total) == 2 * pairs
    repeated = sum(total.values()) - len(total)
    assert repeated <= killed * 2 * CONCURRENCY
    print(
        f"\n{killed} kills: {len(total)} distinct calls, {repeated} asked again,"
        f" at most {most_unstored} unstored at a kill (concurrency {CONCURRENCY}),"
        f" {checked} stored answers watched, 0 of them asked again"
    )


@pytest.mark.slow("starts the command twice")
def test_ctrl_c_finishes_what_is_in_flight_and_the_same_command_goes_on(
    tmp_path: Path, pairs_file: Any
) -> None:
    out = tmp_path / "run"
    with ChatServer(latency=0.1) as server:
        command = ["judge", pairs_file(40), "--judge", "io@openai:tiny", "--base-url", server.url]
        command += ["--out", out, "--concurrency", 4]
        process = start_cli(*command)
        while len(server.seen) < 12:
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
        assert process.returncode == 130
        assert "the same command continues" in err
        kept = rows_of(out)
        assert len(kept) == len(server.seen) < 80
        server.latency = 0.0
        run(*command)
        assert len(server.seen) == 80
    assert len({key(row) for row in rows_of(out)}) == len(rows_of(out)) == 80


@pytest.mark.slow("waits between tries")
def test_with_a_fifth_of_the_answers_faulty_in_every_way_each_item_ends_with_a_true_reason(
    tmp_path: Path, pairs_file: Any
) -> None:
    draw = random.Random(1)
    served: Counter[str] = Counter()

    def fault(_: int, __: Body) -> str | None:
        if draw.random() >= 0.2:
            return None
        name: str = draw.choice(FAULTS)
        served[name] += 1
        return name

    out = tmp_path / "run"
    with ChatServer(fault=fault, slow=1.5) as server:
        found = judge.plan(
            [pairs_file(150)],
            "io@openai:tiny",
            out=out,
            quiet=True,
            asking=Asking(base_url=server.url, timeout=1),
        ).outcome()
    assert found.missing[0] <= 0.2 * found.missing[1]
    rows = rows_of(out)
    assert set(served) == set(FAULTS)
    assert len(rows) == len({key(row) for row in rows}) == 300
    scored = [row for row in rows if "answer" in row]
    reasons = Counter(row["unscored"]["reason"] for row in rows if "unscored" in row)
    assert len(scored) + sum(reasons.values()) == 300
    # What another try mends is scored; a content filter's word is final.
    assert reasons == {"refused": served["content_filter"]}
    print(f"\nfaults served {dict(served)}: {len(scored)} scored, unscored {dict(reasons)}")


@pytest.mark.parametrize(
    ("fault", "reason", "asked_again"),
    [
        ("500", "server", True),
        ("slow", "timeout", True),
        ("wrong_shape", "parse", False),
        ("content_filter", "refused", False),
    ],
)
def test_what_never_works_is_unscored_with_its_reason_and_asked_again_only_where_that_can_help(
    fault: str,
    reason: str,
    asked_again: bool,
    tmp_path: Path,
    pairs_file: Any,
) -> None:
    limits = Limits(tries=2, first_pause=0.01)
    with ChatServer(fault=lambda *_: fault, slow=0.6) as server:
        out = tmp_path / "run"
        session = served(server, pairs_file(2), out, timeout=0.3, limits=limits)
        rows = judge_rows(session)
        assert {row["unscored"]["reason"] for row in rows} == {reason}
        assert len(rows) == 4
        if fault == "wrong_shape":
            assert rows[0]["attempts"] == 6
            assert "both are fine" in rows[0]["details"]["raw"]
            assert rows[0]["usage"]["input_tokens"] > 0
        server.fault = None
        assert all(("answer" in row) is asked_again for row in judge_rows(session))
        anew = replace(session.models, use_cache=False)
        rows = judge_rows(replace(session, run=RunSettings(retry=True), models=anew))
        assert all("answer" in row for row in rows)
        assert len({key(row) for row in rows}) == len(rows) == 4


@pytest.mark.slow("a model answers on the processor")
def test_end_to_end_against_a_tiny_llama(tmp_path: Path, tiny_llama: Path, pairs_file: Any) -> None:
    out = tmp_path / "run"
    with ChatServer(Llama(tiny_llama)) as server:
        judges = ["--judge", "io@openai:tiny", "--judge", "explained@openai:tiny"]
        more = ["--base-url", server.url, "--out", out, "--quiet"]
        run("judge", pairs_file(3), *judges, *more)
    rows = rows_of(out)
    assert len(rows) == 12
    for row in rows:
        assert row["answer"] in ("A", "B", "tie")
        if row["judge"].startswith("io@"):
            assert set(row["distribution"]) == {"A", "B", "tie"}
            assert sum(row["distribution"].values()) + row["outside"] <= 1 + 1e-9
