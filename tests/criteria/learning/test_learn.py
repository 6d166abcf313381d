"""The run: order, batches, batches of the provider, interruption, money."""

from __future__ import annotations

import json
import os
import signal
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import criteria_taught as taught
import pytest
from chat_server import ChatServer

from assize.base.errors import AuthenticationError, ConfigError, DataError
from assize.criteria._criterion import CriteriaSet, Criterion, Pattern
from assize.criteria._learning.extract import Labelled
from assize.criteria._learning.learn import LearningWork, is_pool, read_pool
from assize.criteria._learning.settings import Learning, Rubicon
from assize.criteria._reading import criteria_text
from assize.formats import read
from assize.judging.judge import JudgeSettings
from assize.judging.session import Session
from assize.judging.steps import Step
from assize.models import Limits, ModelSettings
from assize.running import run_sync
from assize.running.progress import progress


def session(
    server: ChatServer,
    out: Path,
    learning: Learning | None = None,
    *,
    count: int = 12,
    batch: bool = False,
    **models: Any,
) -> LearningWork:
    items = taught.taught(count)
    how = ModelSettings(
        base_url=server.url,
        limits=Limits(4, tries=1),
        batch=out / "batches" if batch else None,
        **models,
    )
    labelled = [Labelled(one, one.metadata["thumbs"] == "up") for one in items]
    chosen = learning or Learning(Rubicon(mini_batch=4))
    given = Session(read(items), [], out, asked=JudgeSettings(tries=2), models=how)
    return LearningWork(given, labelled, chosen, "openai:m")


def learn(work: LearningWork) -> Any:
    return run_sync(lambda: work.run(partial(progress, quiet=True)))


def test_mini_batches_have_their_size_and_see_all_earlier_criteria(tmp_path: Path) -> None:
    with ChatServer(taught.answer) as server:
        learn(session(server, tmp_path / "pool", count=20))
        shown = [
            one.body["messages"][1]["content"]
            for one in server.seen
            if taught.stage_of(one.body) == "summarise"
        ]
    good = [one for one in shown if not any(w in one for c in taught.BAD for w in c.wordings)]
    assert [len(taught.pieces(one, "pattern")) for one in good] == [4] * 5
    known = [set(taught.pieces(one, "criterion")) for one in good]
    assert known[0] == set()
    assert all(first <= second for first, second in pairwise(known))


def test_a_stopped_run_says_so_and_goes_on(tmp_path: Path) -> None:
    given_out = tmp_path / "pool"
    with ChatServer(taught.answer, latency=0.02) as server:
        work = session(server, given_out)
        seen: list[Step] = []

        def on_step(step: Step) -> int:
            seen.append(step)
            if len(seen) == 5:
                os.kill(os.getpid(), signal.SIGINT)
            return 1

        work.counts = on_step  # type: ignore[method-assign]
        first = learn(work)
        assert first.interrupted
        assert any("interrupted" in one for one in first.unfinished)
        assert not (given_out / "criteria.yaml").exists()
        asked = len(server.seen)
        whole = learn(session(server, given_out))
        assert not whole.interrupted
        assert asked < len(server.seen)
    assert len(server.seen) == whole.spent.calls
    assert len(whole.pool.criteria) == 6


def test_batches_of_the_provider_are_collected_session_by_session(tmp_path: Path) -> None:
    out = tmp_path / "pool"
    with ChatServer(taught.answer) as server:
        found = learn(session(server, out, batch=True))
        assert found.waiting == 12
        sessions = 1
        while found.waiting and sessions < 20:
            found = learn(session(server, out, batch=True))
            sessions += 1
    assert len(found.pool.criteria) == 6
    assert sessions == 1 + 3 + 1 + 1  # extraction, three mini-batches, look-alikes, the end


def test_money_ends_a_run_gently(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('"openai:m" = { input = 10.0, output = 10.0 }\n')
    out = tmp_path / "pool"
    with ChatServer(taught.answer) as server:
        found = learn(session(server, out, max_cost=0.1, prices=prices))
        assert "budget" in {row.reason for row in found.unscored}
        assert found.spent.booked_usd <= 0.1
        whole = learn(session(server, out, max_cost=10.0, prices=prices))
    assert len(whole.pool.criteria) == 6
    assert (out / "money.jsonl").exists()


def test_a_wrong_key_is_an_error_and_leaves_nothing(tmp_path: Path) -> None:
    with ChatServer(taught.answer) as server:
        given = session(server, tmp_path / "pool")
        object.__setattr__(given, "model", "anthropic:")
        with pytest.raises((AuthenticationError, ConfigError)):
            learn(given)
    assert not (tmp_path / "pool").exists()


PATTERNS = (
    Pattern("c1/1", "c1", "sat", "The user confirms.", "it decides", (0, 2)),
    Pattern("c2/1", "c2", "dsat", "The user asks again."),
)
POOL = CriteriaSet("pool", (Criterion("a", "The user confirms.", "sat", patterns=("c1/1",)),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "criteria.yaml").write_text(criteria_text(POOL))
    lines = [json.dumps(asdict(one)) + "\n" for one in PATTERNS]
    (tmp_path / "patterns.jsonl").write_text("".join(lines))
    return tmp_path


def test_pool_and_patterns_come_back(folder: Path) -> None:
    found = read_pool(folder)
    assert found.pool.criteria == POOL.criteria
    assert found.patterns == PATTERNS
    assert found.counts == {}
    (folder / "patterns.jsonl").write_text("")
    assert read_pool(folder).patterns == ()


def test_a_folder_without_patterns_is_no_pool(folder: Path) -> None:
    (folder / "patterns.jsonl").unlink()
    assert not is_pool(folder)
    assert not is_pool(folder / "criteria.yaml")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "x"}', "no pattern .Field required"),
        ('{"id": "x", "conversation": "c", "text": "t", "polarity": "good"}', "'sat' or 'dsat'"),
        ("{not json", "no pattern"),
    ],
)
def test_a_bad_line_is_named(folder: Path, line: str, problem: str) -> None:
    with (folder / "patterns.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(DataError, match=problem) as told:
        read_pool(folder)
    assert "patterns.jsonl:3" in str(told.value)
