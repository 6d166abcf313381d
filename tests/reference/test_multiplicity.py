"""Multiplicity end to end: a local server whose model varies where matters are open."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import multiplicity_said as said
import pytest
from chat_server import ChatServer
from with_asking import with_asking

import assize
from assize import reference
from assize.base.errors import ConfigError
from assize.reference._samples.result import Multiplicity


def measure(server: ChatServer, out: Path | None = None, **more: Any) -> Multiplicity:
    given: dict[str, Any] = {"n": 25, "base_url": server.url, "quiet": True} | more
    return assize.reference.multiplicity(
        said.talks(12), "openai:gpt-4o", out=out, **with_asking(**given)
    )


def kinds(server: ChatServer) -> Counter[str]:
    return Counter(said.kind_of(one.body) for one in server.seen)


def test_open_questions_have_many_answers_and_settled_ones_one(tmp_path: Path) -> None:
    with ChatServer(said.answer) as server:
        found = measure(server, tmp_path / "run")
        assert {one.body["temperature"] for one in server.seen} == {0.0, 1.0}
    shares = {row.place: row.equivalent for row in found.places}
    assert [one.estimate for one in shares.values()] == [0.0, 1.0, 1.0]
    assert [one.n for one in shares.values()] == [25, 12, 25]
    pairs = list(assize.read(tmp_path / "run" / "continuations.jsonl"))
    assert {one.metadata["set"] for one in pairs} == set(shares)
    table = assize.read_judgments([tmp_path / "run" / "judgments.jsonl"])
    assert len(table) == len(pairs) == 62
    assert {row.answer for row in table} == {"yes", "no"}


def test_a_run_that_goes_on_asks_nothing_twice_and_its_price_is_told(tmp_path: Path) -> None:
    how: Any = {"n": 25, "no_cache": True}
    with ChatServer(said.answer) as server:
        how["base_url"] = server.url
        before = reference.multiplicity.plan(
            said.talks(12), "openai:gpt-4o", **with_asking(**how)
        ).estimate()
        assert not server.seen
        calls = before.by_model["openai:gpt-4o"].calls
        assert (before.by_model["openai:gpt-4o"].cost_usd or 0) > 0
        found = measure(server, tmp_path / "run", no_cache=True)
        assert sum(kinds(server).values()) == found.spent.calls
        # first turns may be drawn again as random ones, which a cache would answer
        assert calls <= found.spent.calls == 2 + 3 * 62
        again = measure(server, tmp_path / "run", no_cache=True)
        assert len(server.seen) == found.spent.calls
    assert again.spent.earlier == found.spent.calls
    assert replace(again, spent=found.spent).to_json() == found.to_json()
    left = reference.multiplicity.plan(
        said.talks(12), "openai:gpt-4o", out=tmp_path / "run", **with_asking(**how)
    ).estimate()
    assert left.by_model["openai:gpt-4o"].calls == 0


def test_what_failed_is_asked_again_and_the_rest_is_not(tmp_path: Path) -> None:
    broken = ["recipe 3"]

    def fault(_: int, body: Any) -> str | None:
        last = body["messages"][-1]["content"]
        return "content_filter" if any(one in last for one in broken) else None

    with ChatServer(said.answer, fault=fault) as server:
        found = measure(server, tmp_path / "run", questions=["Which do you like?"])
        assert found.missing[0] > 0
        assert found.places[1].equivalent.unscored == 1
        broken.clear()
        server.seen.clear()
        whole = measure(
            server, tmp_path / "run", questions=["Which do you like?"], retry=True, no_cache=True
        )
        assert whole.missing[0] == 0
        assert all("recipe 3" in one.text for one in server.seen)


def test_another_experiment_has_another_folder(tmp_path: Path) -> None:
    with ChatServer(said.answer) as server:
        measure(server, tmp_path / "run", n=2)
        for more in ({"n": 3}, {"n": 2, "seed": 1}, {"n": 2, "sample_temperature": 0.5}):
            with pytest.raises(ConfigError, match="another command"):
                measure(server, tmp_path / "run", **more)


def test_it_is_measured_in_memory_and_another_judge_compares() -> None:
    with ChatServer(said.answer) as server:
        found = measure(server, n=2, judge="equivalent-explained@openai:other", seed=3)
    assert found.settings["judge"] == "equivalent-explained@openai:other"
    assert found.settings["seed"] == 3
    assert found.missing[0] == 0
    assert json.dumps(found.to_json())


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"n": 0}, "n: received 0, allowed is at least 1"),
        ({"sample_temperature": 0}, "at which both samples are the same"),
        ({"judge": "equivalence@openai:m"}, "does not say whether two texts are equivalent"),
    ],
)
def test_what_is_not_allowed_is_said(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigError, match=told):
        reference.multiplicity.plan(
            said.talks(2), "openai:m", **with_asking(**more, base_url="http://127.0.0.1:9/v1")
        ).outcome()
