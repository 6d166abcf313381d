"""The run in this process: tasks, orders, failures that end it, summaries."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer

from assize.conversation import Conversation, Pair, Turn
from assize.errors import AuthenticationError, ConfigError, DataError
from assize.formats import write
from assize.judging.judge import JudgeSettings
from assize.judging.run import RunSettings, orders
from assize.judging.session import Session, estimate, expected, judge
from assize.models import Limits, ModelSettings
from assize.running import run as running

ANY = "io@scripted:any"


def session(file: Path, out: Path, *judges: str, **run: Any) -> Session:
    return Session([str(file)], judges or (ANY,), out, run=RunSettings(**run))


def test_pairs_get_two_votes_or_one_in_an_order_drawn_by_the_seed(
    tmp_path: Path, pairs_file: Any, rows_of: Any
) -> None:
    file = pairs_file(40)
    judge(session(file, tmp_path / "two"))
    judge(session(file, tmp_path / "one", votes=1))
    assert Counter(row["order"] for row in rows_of(tmp_path / "two")) == {"AB": 40, "BA": 40}
    drawn = Counter(row["order"] for row in rows_of(tmp_path / "one"))
    assert sum(drawn.values()) == 40
    assert min(drawn.values()) >= 10
    assert {orders(f"p{n}", 1, 0) for n in range(40)} != {orders("p0", 1, 0)}
    assert [orders("p1", 1, seed) for seed in range(20)] != [orders("p1", 1, 0)] * 20


def test_repeats_are_asked_independently(tmp_path: Path, pairs_file: Any, rows_of: Any) -> None:
    judge(session(pairs_file(10), tmp_path / "run", repeats=3))
    rows = rows_of(tmp_path / "run")
    assert Counter(row.get("repeat", 0) for row in rows) == {0: 20, 1: 20, 2: 20}
    by_repeat = [[row["answer"] for row in rows if row.get("repeat", 0) == n] for n in range(3)]
    assert by_repeat[0] != by_repeat[1]


def test_a_judge_of_conversations_judges_both_sides_of_a_pair(
    tmp_path: Path, pairs_file: Any, rows_of: Any
) -> None:
    judge(session(pairs_file(2), tmp_path / "run", "rating@scripted:any"))
    assert sorted(row["item"] for row in rows_of(tmp_path / "run")) == [
        "p0/A", "p0/B", "p1/A", "p1/B",
    ]  # fmt: skip


def test_what_a_judge_does_not_take_ends_the_run_or_is_unscored_with_skip(
    tmp_path: Path, rows_of: Any
) -> None:
    file = tmp_path / "talks.jsonl"
    write(file, [Conversation("c1", (Turn("user", "Hi"),))])
    with pytest.raises(DataError, match="io@scripted:any judges pairs"):
        judge(session(file, tmp_path / "run"))
    judge(session(file, tmp_path / "run", on_error="skip"))
    assert [row["unscored"]["reason"] for row in rows_of(tmp_path / "run")] == ["unsupported"]


def test_an_id_that_is_there_twice_is_refused_or_passed_over_and_counted(
    tmp_path: Path, pairs_file: Any, rows_of: Any
) -> None:
    file = pairs_file(2)
    file.write_text(file.read_text() * 2)
    with pytest.raises(DataError, match="two items have the id 'p0'"):
        judge(session(file, tmp_path / "run"))
    outcome = judge(session(file, tmp_path / "run", on_error="skip"))
    assert outcome.summary.skipped == 2
    assert len(rows_of(tmp_path / "run")) == 4


def test_rows_of_one_call_share_its_id_and_usage_stands_on_the_first(
    tmp_path: Path, pairs_file: Any, rows_of: Any
) -> None:
    judge(session(pairs_file(2), tmp_path / "run", "dimensions@scripted:any"))
    rows = rows_of(tmp_path / "run")
    assert len({row["call"] for row in rows}) == 4
    for call in {row["call"] for row in rows}:
        group = [row for row in rows if row["call"] == call]
        assert len(group) == 11
        assert ["usage" in row for row in group] == [True] + [False] * 10
    assert {row["kind"] for row in rows} == {"model"}
    assert all(row["signature"] and row["at"].endswith("Z") for row in rows)


def test_a_wrong_key_ends_the_run_at_once_and_keeps_what_was_answered(
    tmp_path: Path, pairs_file: Any, rows_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import scripts_for_tests

    scripts_for_tests.reset(good=5)
    with pytest.raises(AuthenticationError):
        judge(session(pairs_file(50), tmp_path / "run", "io@scripted:scripts_for_tests:loses_key"))
    assert len(rows_of(tmp_path / "run")) == 5


def test_a_server_that_is_gone_stops_the_run_instead_of_failing_every_item(
    tmp_path: Path, pairs_file: Any, rows_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GIVE_UP_AFTER", 10)
    with ChatServer() as server:
        url = server.url
    said: list[str] = []
    limits = Limits(2, tries=1)
    settings = ModelSettings(base_url=url, limits=limits)
    one = Session(
        [str(pairs_file(100))],
        ["io@openai:tiny"],
        tmp_path / "run",
        run=RunSettings(concurrency=2),
        models=settings,
    )
    outcome = judge(one, note=said.append)
    assert outcome.interrupted
    assert "10 answers in a row failed" in said[0]
    assert len(rows_of(tmp_path / "run")) < 40


def test_a_budget_ends_in_unscored_rows_and_a_larger_one_goes_on(
    tmp_path: Path, pairs_file: Any, rows_of: Any
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('"openai:tiny" = { input = 100.0, output = 100.0 }\n')
    out = tmp_path / "run"
    with ChatServer() as server:
        models = ModelSettings(base_url=server.url, prices=prices, max_cost=0.3)
        one = Session([str(pairs_file(10))], ["io@openai:tiny"], out, models=models)
        first = judge(one).summary
        assert 0 < first.reasons["budget"] < 20
        assert 0 < first.cost_usd <= 0.3
        calls = len(server.seen)
        again = judge(one).summary
        assert again.cost_usd <= 0.3
        more = judge(replace(one, models=replace(models, max_cost=5.0))).summary
        assert (more.n, more.unscored) == (20, 0)
        assert len(server.seen) == 20 > calls


def test_a_dry_run_asks_nothing_and_counts_what_is_neither_stored_nor_cached(
    tmp_path: Path, pairs_file: Any
) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        models = ModelSettings(base_url=server.url)
        one = Session([str(pairs_file(10))], ["io@openai:tiny"], out, models=models)
        found = asyncio.run(estimate(one))["openai:tiny"]
        assert (found.calls, found.cached, found.cost_usd) == (20, 0, None)
        assert len(server.seen) == 0
        assert not out.exists()
        small = replace(one, files=[str(pairs_file(4, "four.jsonl"))], out=tmp_path / "other")
        judge(small)
        found = asyncio.run(estimate(one))["openai:tiny"]
        assert (found.calls, found.cached) == (12, 8)
        assert asyncio.run(estimate(small)) == {"openai:tiny": type(found)()}
        actual = sum(seen.body["max_tokens"] for seen in server.seen)
        assert actual
    prices = tmp_path / "prices.toml"
    prices.write_text('"openai:tiny" = { input = 1000.0, output = 0.0 }\n')
    priced = replace(one, models=replace(one.models, prices=prices))
    found = asyncio.run(estimate(priced))["openai:tiny"]
    assert found.cost_usd == pytest.approx(found.input_tokens / 1000)


def test_a_run_can_be_recorded_and_replayed(tmp_path: Path, pairs_file: Any, rows_of: Any) -> None:
    file, tape = pairs_file(5), tmp_path / "tape.jsonl"
    with ChatServer() as server:
        models = ModelSettings(base_url=server.url, record=tape)
        judge(Session([str(file)], ["io@openai:tiny"], tmp_path / "run", models=models))
    judge(session(file, tmp_path / "again", f"io@replay:{tape}"))
    kept = ("item", "order", "answer", "distribution", "outside")

    def seen(folder: str) -> list[list[Any]]:
        rows = sorted(rows_of(tmp_path / folder), key=lambda row: (row["item"], row["order"]))
        return [[row.get(name) for name in kept] for row in rows]

    assert seen("run") == seen("again")


def test_what_was_not_recorded_is_unscored_and_says_so(
    tmp_path: Path, pairs_file: Any, rows_of: Any
) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text(
        '{"item": "p0", "judge": "io", "order": "AB", "text": "{\\"answer\\": \\"A\\"}"}\n'
    )
    judge(session(pairs_file(1), tmp_path / "run", f"io@replay:{tape}"))
    rows = {row["order"]: row for row in rows_of(tmp_path / "run")}
    assert rows["AB"]["answer"] == "A"
    assert rows["BA"]["unscored"]["reason"] == "not_recorded"


def test_no_secret_enters_the_folder_the_cache_or_a_signature(
    tmp_path: Path, pairs_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import os

    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret-organisation")
    with ChatServer() as server:
        url = server.url.replace("http://", "http://user:password@")
        models = ModelSettings(base_url=url)
        one = Session([str(pairs_file(2))], ["io@openai:tiny"], tmp_path / "run", models=models)
        judge(one)
        assert server.seen[0].headers["openai-organization"] == "org-secret-organisation"
        assert server.seen[0].headers["authorization"].startswith("Basic ")
    places = [tmp_path / "run", Path(os.environ["ASSIZE_CACHE_DIR"])]
    data = b"".join(path.read_bytes() for place in places for path in place.iterdir())
    for secret in (b"very-secret", b"secret-organisation", b"password"):
        assert secret not in data


@pytest.mark.parametrize("wrong", [{"votes": 3}, {"repeats": 0}, {"on_error": "ignore"}])
def test_impossible_settings_are_refused(wrong: Any) -> None:
    with pytest.raises(ConfigError):
        RunSettings(**wrong)


def test_the_progress_bar_knows_how_many_answers_there_will_be(
    tmp_path: Path, pairs_file: Any
) -> None:
    one = session(pairs_file(7), tmp_path / "run", ANY, "explained@scripted:any")
    assert expected(one) == 28
    judge(one)
    assert expected(one) == 0
    assert expected(replace(one, files=["-"])) is None


def test_two_judges_of_one_name_and_unknown_judges_are_refused(
    tmp_path: Path, pairs_file: Any
) -> None:
    file = pairs_file(1)
    with pytest.raises(ConfigError, match="each once"):
        judge(session(file, tmp_path / "run", ANY, ANY))
    for name in ("io", "io@", "unknown@scripted:any"):
        with pytest.raises(ConfigError, match="no judge"):
            judge(session(file, tmp_path / "run", name))


def test_settings_reach_the_model(tmp_path: Path, pairs_file: Any) -> None:
    with ChatServer() as server:
        one = Session(
            [str(pairs_file(1))],
            ["io@openai:tiny"],
            tmp_path / "run",
            asked=JudgeSettings(temperature=0.7, seed=11, max_tokens=33),
            models=ModelSettings(base_url=server.url),
        )
        judge(one)
        body = server.seen[0].body
    assert (body["temperature"], body["seed"], body["max_tokens"]) == (0.7, 11, 33)


def test_a_pair_without_context_is_shown_without_one(tmp_path: Path, rows_of: Any) -> None:
    turns = (Turn("user", "Hi"), Turn("assistant", "Hello"))
    write(tmp_path / "p.jsonl", [Pair("p", (), turns, (turns[0], Turn("assistant", "Hi")))])
    judge(session(tmp_path / "p.jsonl", tmp_path / "run", "pairwise@scripted:any"))
    assert len(rows_of(tmp_path / "run")) == 2


def test_too_long_for_the_server_is_unscored_with_the_numbers_or_truncated(
    tmp_path: Path, rows_of: Any
) -> None:
    context = tuple(
        Turn("user" if n % 2 == 0 else "assistant", f"turn {n} " + "word " * 200) for n in range(9)
    )
    side = (Turn("assistant", "Hello"),)
    write(tmp_path / "p.jsonl", [Pair("p", context, side, (Turn("assistant", "Good day"),))])
    with ChatServer(context=1500) as server:
        one = Session(
            [str(tmp_path / "p.jsonl")],
            ["io@openai:tiny"],
            tmp_path / "run",
            models=ModelSettings(base_url=server.url),
        )
        judge(one)
        judge(replace(one, out=tmp_path / "cut", asked=JudgeSettings(truncate="oldest")))
    for row in rows_of(tmp_path / "run"):
        assert row["unscored"]["reason"] == "too_long"
        assert "1500" in row["unscored"]["message"]
    for row in rows_of(tmp_path / "cut"):
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
        models = ModelSettings(base_url=server.url)
        names = ["io@openai:tiny", "dimensions@openai:tiny", "rating@openai:other"]
        judge(Session([str(pairs_file(3))], names, tmp_path / "run", models=models))
        assert seen == {("127.0.0.1", server.port)}


@pytest.mark.slow
def test_a_model_in_this_process_gives_exact_distributions(
    tmp_path: Path, tiny_llama: Path, pairs_file: Any, rows_of: Any
) -> None:
    judge(
        session(pairs_file(3), tmp_path / "run", f"io@hf:{tiny_llama}", f"rating@hf:{tiny_llama}")
    )
    rows = rows_of(tmp_path / "run")
    assert len(rows) == 12
    for row in rows:
        assert row["details"] == {"method": "scores"}
        assert sum(row["distribution"].values()) + row["outside"] == pytest.approx(1)
        assert row["answer"] == max(row["distribution"], key=lambda a: row["distribution"][a])
