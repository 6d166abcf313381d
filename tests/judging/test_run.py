"""The run in this process: failures that end it, summaries."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from run_work import judge_session as judge
from tests.judging.conftest import judge_rows, rows_of, served, session

from assize.base.errors import AuthenticationError, ConfigError, DataError, OutputError
from assize.formats import read
from assize.judging.session import RunSettings, Session
from assize.models import Limits, ModelSettings
from assize.running import run as running


def test_rows_of_one_call_share_its_id_and_usage_stands_on_the_first(
    tmp_path: Path, pairs_file: Any
) -> None:
    rows = judge_rows(session(pairs_file(2), tmp_path / "run", "dimensions@scripted:any"))
    assert len({row["call"] for row in rows}) == 4
    for call in {row["call"] for row in rows}:
        group = [row for row in rows if row["call"] == call]
        assert len(group) == 11
        assert ["usage" in row for row in group] == [True] + [False] * 10
    assert {row["kind"] for row in rows} == {"model"}
    assert all(row["signature"] and row["at"].endswith("Z") for row in rows)


def test_a_wrong_key_ends_the_run_at_once_and_keeps_what_was_answered(
    tmp_path: Path, pairs_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import scripts_for_tests

    scripts_for_tests.reset(good=5)
    with pytest.raises(AuthenticationError):
        judge(session(pairs_file(50), tmp_path / "run", "io@scripted:scripts_for_tests:loses_key"))
    assert len(rows_of(tmp_path / "run")) == 5


@pytest.mark.parametrize(
    "error",
    [
        TypeError("unhashable type"),
        RecursionError("too deep"),
        AssertionError("ours"),
        UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates"),
        DataError("the item is odd"),
    ],
)
def test_whatever_a_call_raises_leaves_its_item_unscored(
    error: Exception, tmp_path: Path, pairs_file: Any
) -> None:
    import scripts_for_tests

    scripts_for_tests.breaks_with(error)
    one = session(pairs_file(6), tmp_path / "run", "io@scripted:scripts_for_tests:breaks")
    rows = judge_rows(one)
    assert len(rows) == 12
    failed = [row for row in rows if "unscored" in row]
    assert [row["item"] for row in failed] == ["p3", "p3"]
    assert {row["unscored"]["reason"] for row in failed} == {"failed"}
    said = failed[0]["unscored"]["message"]
    assert str(error) in said
    if not isinstance(error, DataError):
        assert said.startswith(f"{type(error).__name__}: ")
        assert re.search(r" \(scripts_for_tests\.py:\d+\)$", said)


@pytest.mark.parametrize("error", [ConfigError("no such setting"), OutputError("the disk is full")])
def test_what_no_item_would_survive_ends_the_run(
    error: Exception, tmp_path: Path, pairs_file: Any
) -> None:
    import scripts_for_tests

    scripts_for_tests.breaks_with(error)
    with pytest.raises(type(error), match=str(error)):
        judge(session(pairs_file(6), tmp_path / "run", "io@scripted:scripts_for_tests:breaks"))


def test_a_defect_that_fails_every_item_stops_the_run(
    tmp_path: Path, pairs_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import scripts_for_tests

    def defect(_: Any) -> str:
        raise TypeError("a defect")

    monkeypatch.setattr(running, "GIVE_UP_AFTER", 10)
    monkeypatch.setattr(scripts_for_tests, "breaks", defect)
    said: list[str] = []
    one = session(pairs_file(100), tmp_path / "run", "io@scripted:scripts_for_tests:breaks")
    outcome = judge(one, note=said.append)
    assert outcome.interrupted
    assert "10 answers in a row failed, the last because: a defect" in said[0]


def test_a_server_that_is_gone_stops_the_run_instead_of_failing_every_item(
    tmp_path: Path, pairs_file: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GIVE_UP_AFTER", 10)
    with ChatServer() as server:
        url = server.url
    said: list[str] = []
    limits = Limits(2, tries=1)
    settings = ModelSettings(base_url=url, limits=limits)
    one = Session(
        read([str(pairs_file(100))]),
        ["io@openai:tiny"],
        tmp_path / "run",
        run=RunSettings(concurrency=2),
        models=settings,
    )
    outcome = judge(one, note=said.append)
    assert outcome.interrupted
    assert f"{url}/chat/completions cannot be reached" in said[0]
    assert "10 answers in a row failed" in said[1]
    assert len(rows_of(tmp_path / "run")) < 40


def test_a_server_that_never_answers_ends_the_run_with_its_address_and_no_unscored_row(
    tmp_path: Path, pairs_file: Any
) -> None:
    settings = ModelSettings(base_url="http://127.0.0.1:9/v1", limits=Limits(first_pause=0.01))
    path, out = str(pairs_file(30)), tmp_path / "run"
    one = Session(read([path]), ["io@openai:tiny"], out, models=settings)
    said: list[str] = []
    with pytest.raises(ConfigError, match=r"http://127\.0\.0\.1:9/v1/chat/completions cannot be"):
        judge(one, note=said.append)
    assert [note for note in said if "trying again" in note] == said[:1]
    assert not (out / "judgments.jsonl").exists()


def test_a_budget_ends_in_unscored_rows_and_a_larger_one_goes_on(
    prices: Path, tmp_path: Path, pairs_file: Any
) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        one = served(server, pairs_file(10), out, prices=prices, max_cost=0.5)
        first = judge(one).summary
        assert 0 < first.reasons["budget"] < 20
        assert 0 < first.spent.cost_usd <= 0.5
        calls = len(server.seen)
        again = judge(one).summary
        assert again.spent.cost_usd <= 0.5
        more = judge(replace(one, models=replace(one.models, max_cost=5.0))).summary
        assert (more.n, more.unscored) == (20, 0)
        assert len(server.seen) == 20 > calls


@pytest.mark.parametrize("wrong", [{"votes": 3}, {"repeats": 0}, {"on_error": "ignore"}])
def test_impossible_settings_are_refused(wrong: Any) -> None:
    with pytest.raises(ConfigError):
        RunSettings(**wrong)
