"""From files and names to a finished run: settings, estimates, recordings, secrets."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from run_work import judge_session as judge
from tests.judging.conftest import judge_rows, rows_of, served, session

from assize.base.conversation import Pair, Turn
from assize.base.endpoints import address
from assize.base.errors import ConfigError
from assize.base.line_checksum import unseal
from assize.formats import read, write
from assize.judging.dry_run import estimate, expected
from assize.judging.judge import JudgeSettings
from assize.judging.session import RunSettings, Session
from assize.judging.verbs import InjectionWork
from assize.models import Models, ModelSettings

ANY = "io@scripted:any"


def test_a_dry_run_asks_nothing_and_counts_what_is_neither_stored_nor_cached(
    tmp_path: Path, pairs_file: Any
) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        one = served(server, pairs_file(10), out)
        found = asyncio.run(estimate(one)).by_model["openai:tiny"]
        assert (found.calls, found.cached, found.cost_usd) == (20, 0, None)
        assert len(server.seen) == 0
        assert not out.exists()
        small = replace(one, items=read([str(pairs_file(4, "four.jsonl"))]), out=tmp_path / "other")
        judge(small)
        found = asyncio.run(estimate(one)).by_model["openai:tiny"]
        assert (found.calls, found.cached) == (12, 8)
        assert asyncio.run(estimate(small)).by_model == {"openai:tiny": type(found)()}
    prices = tmp_path / "prices.toml"
    prices.write_text('"openai:tiny" = { input = 1000.0, output = 0.0 }\n')
    priced = replace(one, models=replace(one.models, prices=prices))
    found = asyncio.run(estimate(priced)).by_model["openai:tiny"]
    assert found.cost_usd == pytest.approx(found.input_tokens / 1000)


def test_an_estimate_of_a_retry_counts_what_would_be_asked_again(
    tmp_path: Path, pairs_file: Any
) -> None:
    one = session(pairs_file(2), tmp_path / "run")
    judge(one)
    path = tmp_path / "run" / "judgments.jsonl"
    first, *others = path.read_bytes().splitlines(keepends=True)
    row = json.loads(unseal(first))
    del row["answer"]
    row["unscored"] = {"reason": "parse"}
    path.write_bytes(b"".join([json.dumps(row).encode() + b"\n", *others]))
    retry = replace(one, run=RunSettings(retry=True))
    for session_of_run, calls in ((one, 0), (retry, 1)):
        found = asyncio.run(estimate(session_of_run)).by_model
        assert found["scripted:any"].calls == calls
        assert expected(session_of_run) == calls


def test_a_run_can_be_recorded_and_replayed(tmp_path: Path, pairs_file: Any) -> None:
    file, tape = pairs_file(5), tmp_path / "tape.jsonl"
    with ChatServer() as server:
        judge(served(server, file, tmp_path / "run", record=tape))
    judge(session(file, tmp_path / "again", f"io@replay:{tape}"))
    kept = ("item", "order", "answer", "distribution", "outside")

    def seen(folder: str) -> list[list[Any]]:
        rows = sorted(rows_of(tmp_path / folder), key=lambda row: (row["item"], row["order"]))
        return [[row.get(name) for name in kept] for row in rows]

    assert seen("run") == seen("again")


def test_no_secret_enters_the_folder_the_cache_or_a_signature(
    tmp_path: Path, pairs_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret-organisation")
    with ChatServer() as server:
        url = server.url.replace("http://", "http://user:password@")
        models = ModelSettings(base_url=url)
        one = Session(
            read([str(pairs_file(2))]), ["io@openai:tiny"], tmp_path / "run", models=models
        )
        judge(one)
        assert server.seen[0].headers["openai-organization"] == "org-secret-organisation"
        assert server.seen[0].headers["authorization"].startswith("Basic ")
    places = [tmp_path / "run", Path(os.environ["ASSIZE_CACHE_DIR"])]
    data = b"".join(path.read_bytes() for place in places for path in place.iterdir())
    for secret in (b"very-secret", b"secret-organisation", b"password"):
        assert secret not in data


def test_the_progress_bar_knows_how_many_answers_there_will_be(
    tmp_path: Path, pairs_file: Any
) -> None:
    one = session(pairs_file(7), tmp_path / "run", ANY, "explained@scripted:any")
    assert expected(one) == 28
    judge(one)
    assert expected(one) == 0
    assert expected(replace(one, items=read(["-"]))) is None


def test_settings_reach_the_model(tmp_path: Path, pairs_file: Any) -> None:
    with ChatServer() as server:
        settings = JudgeSettings(temperature=0.7, seed=11, max_tokens=33)
        judge(replace(served(server, pairs_file(1), tmp_path / "run"), asked=settings))
        body = server.seen[0].body
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.7, 11, 33)


def test_a_pair_without_context_is_shown_without_one(tmp_path: Path) -> None:
    turns = (Turn("user", "Hi"), Turn("assistant", "Hello"))
    write(tmp_path / "p.jsonl", [Pair("p", (), turns, (turns[0], Turn("assistant", "Hi")))])
    one = session(tmp_path / "p.jsonl", tmp_path / "run", "pairwise@scripted:any")
    assert len(judge_rows(one)) == 2


def test_too_long_for_the_server_is_unscored_with_the_numbers_or_truncated(tmp_path: Path) -> None:
    context = tuple(
        Turn("user" if n % 2 == 0 else "assistant", f"turn {n} " + "word " * 200) for n in range(9)
    )
    side = (Turn("assistant", "Hello"),)
    write(tmp_path / "p.jsonl", [Pair("p", context, side, (Turn("assistant", "Good day"),))])
    with ChatServer(context=1500) as server:
        one = served(server, tmp_path / "p.jsonl", tmp_path / "run")
        short = replace(one, out=tmp_path / "cut", asked=JudgeSettings(truncate="oldest"))
        whole, cut = judge_rows(one), judge_rows(short)
    for row in whole:
        assert row["unscored"]["reason"] == "too_long"
        assert "1500" in row["unscored"]["message"]
    for row in cut:
        assert row["answer"]
        assert 4 <= row["details"]["left_out_turns"] <= 8


def test_a_whole_run_connects_to_the_given_endpoint_and_nowhere_else(
    tmp_path: Path, pairs_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    seen: set[Any] = set()
    connect = socket.socket.connect

    def watched(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            seen.add(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", watched)
    with ChatServer() as server:
        names = ["io@openai:tiny", "dimensions@openai:tiny", "rating@openai:other"]
        judge(served(server, pairs_file(3), tmp_path / "run", *names))
        assert seen == {("127.0.0.1", server.port)}


@pytest.mark.slow("loads a model")
def test_a_model_in_this_process_gives_distributions(
    tmp_path: Path, tiny_llama: Path, pairs_file: Any
) -> None:
    names = (f"io@hf:{tiny_llama}", f"rating@hf:{tiny_llama}")
    rows = judge_rows(session(pairs_file(3), tmp_path / "run", *names))
    assert len(rows) == 12
    for row in rows:
        assert row["details"] == {"method": "logprobs"}
        assert sum(row["distribution"].values()) + row["outside"] <= 1 + 1e-9


def test_injections_are_not_asked_through_batches(tmp_path: Path, pairs_file: Any) -> None:
    one = session(pairs_file(1), tmp_path / "run")
    one = replace(one, models=ModelSettings(batch=tmp_path / "batches"))
    with pytest.raises(ConfigError, match="leave --batch out"):
        InjectionWork(one)


def test_what_a_kill_has_lost_stays_booked(prices: Path, tmp_path: Path, pairs_file: Any) -> None:
    with ChatServer() as server:
        one = served(server, pairs_file(2), tmp_path / "run", prices=prices)
        first = judge(one)
        assert first.summary.spent.booked_usd == pytest.approx(first.summary.spent.cost_usd)
        with (tmp_path / "run" / "money.jsonl").open("a") as stream:
            stream.write('{"call": "99", "most": 0.5}\n')  # in flight when it was killed
        again = judge(one)
    assert again.summary.spent.booked_usd == pytest.approx(first.summary.spent.booked_usd + 0.5)
    assert again.summary.spent.cost_usd == pytest.approx(first.summary.spent.cost_usd)


def test_a_dry_run_shows_what_it_takes_where_an_endpoint_gives_no_log_probabilities(
    tmp_path: Path, pairs_file: Any
) -> None:
    with ChatServer() as server:
        one = served(server, pairs_file(3), tmp_path / "run", cache=tmp_path / "cache")
        found = asyncio.run(estimate(replace(one, asked=JudgeSettings(samples=10))))
    assert found.by_model["openai:tiny"].calls == 6
    assert found.without["openai:tiny"].calls == 6 * 11
    assert [table.rows[0][:2] for table in found.tables.values()] == [
        ["openai:tiny", 6],
        ["openai:tiny", 66],
    ]


def test_one_figure_stands_where_it_is_known_which_one_is_true(
    tmp_path: Path, pairs_file: Any
) -> None:
    models = ModelSettings(base_url="http://127.0.0.1:9", cache=tmp_path / "cache")

    async def refused() -> None:
        async with Models(models) as before:
            before.learn(f"openai:tiny {address(str(models.base_url))}", "logprobs")

    asyncio.run(refused())
    one = Session(
        read([str(pairs_file(3))]),
        ["io@openai:tiny"],
        tmp_path / "run",
        models=models,
        asked=JudgeSettings(samples=10),
    )
    found = asyncio.run(estimate(one))
    assert (found.by_model["openai:tiny"].calls, found.without) == (66, {})
