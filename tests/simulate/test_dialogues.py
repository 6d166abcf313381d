"""Dialogues end to end: a server whose models play both sides, kills, prices, a real model."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import dialogues_played as played
import pytest
from chat_server import ChatServer, Llama
from dialogue_parts import PAGES
from typer.testing import CliRunner
from with_settings import with_settings

import assize
from assize.base.errors import ConfigError, DataError
from assize.cli import app
from assize.judging.asking import Asking
from assize.simulate import Retrieval
from assize.simulate._recipes.simulated import SimulatedDialogues

arguments = partial(with_settings, assize.simulate.dialogues)
FIVE = ["DS1", "DS2", "DS3", "DS4", "DS5"]
TOPICS = [
    {"id": f"t{n}", "text": f"rotate thing{n}", "documents": [{"id": f"p{n}"}]} for n in range(2)
]
SCRIPTED = "scripted:dialogues_played:play"
PRICES = (
    '["openai:writer"]\ninput = 2.0\noutput = 8.0\n["openai:asker"]\ninput = 1.0\noutput = 4.0\n'
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    (folder / "pages.jsonl").write_text("".join(json.dumps(one) + "\n" for one in PAGES))
    return folder


def plan(pages: Path | None, model: str = "openai:writer", **more: Any) -> Any:
    given: dict[str, Any] = {"documents": pages, "recipe": FIVE, "quiet": True, "no_cache": True}
    return assize.simulate.dialogues.plan(TOPICS, model, **arguments(**given | more))


def simulate(server: ChatServer, pages: Path, out: Path | None, **more: Any) -> SimulatedDialogues:
    given = {"user": "openai:asker", "base_url": server.url, "out": out} | more
    return plan(pages, **given).outcome()  # type: ignore[no-any-return]


def test_each_recipe_end_to_end_by_a_model_that_plays_both_sides(
    pages: Path, tmp_path: Path
) -> None:
    with ChatServer(played.answer) as server:
        found = simulate(server, pages, tmp_path / "run")
        models = Counter(one.body["model"] for one in server.seen)
        temperatures = {one.body["temperature"] for one in server.seen}
        seeds = {one.body["seed"] for one in server.seen}
    # A topic: DS1 to DS3 one call each; DS4 4 of the user and 3 answers; DS5 3 queries more.
    assert models == {"writer": 2 * (3 + 3 + 6), "asker": 2 * (4 + 4)}
    assert temperatures == {0.7}
    assert len(seeds) == 10
    assert [one.id for one in found] == [f"t{n}-{name}" for n in range(2) for name in FIVE]
    assert list(assize.read(tmp_path / "run" / "dialogues.jsonl")) == list(found)
    assert [row.recipe for row in found.recipes] == list(FIVE)
    assert [row.ended for row in found.recipes] == [{"one call": 2}] * 3 + [{"user": 2}] * 2
    assert [row.shown for row in found.sources] == [0, 2, 10, 30, 30]
    assert [row.unknown for row in found.sources] == [0, 0, 0, 2, 2]
    recalls = [row.recall and row.recall.estimate for row in found.sources]
    assert recalls == [None, None, 1.0, 1.0, 1.0]


def test_the_same_seed_gives_the_same_dialogues(pages: Path) -> None:
    one, two = (plan(pages, SCRIPTED, recipe=["DS1", "DS4"]).run() for _ in range(2))
    assert list(one) == list(two)
    assert one.out is None
    assert one.outputs == {}


def test_what_failed_is_counted_kept_and_asked_again(pages: Path, tmp_path: Path) -> None:
    def fault(_: int, body: Any) -> str | None:
        failing = "thing1" in body["messages"][-1]["content"] and body["model"] == "asker"
        return "content_filter" if failing else None

    failures = tmp_path / "run" / "failed.jsonl"
    with ChatServer(played.answer, fault=fault) as server:
        found = simulate(server, pages, tmp_path / "run", recipe="DS4")
        assert dict(found.reasons) == {"refused": 1}
        assert found.missing == (1, 2)
        assert len(found) == 1
        failed = json.loads(failures.read_text())
        assert (failed["dialogue"], failed["reason"]) == ("t1-DS4", "refused")
        server.fault = None
        server.seen.clear()
        whole = simulate(server, pages, tmp_path / "run", recipe="DS4", retry=True)
        assert len(server.seen) == 7
    assert len(whole) == 2
    assert failures.read_text() == ""


def test_dry_runs_state_calls_and_cost(pages: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    given: dict[str, Any] = {"prices": prices, "out": tmp_path / "run", "exchanges": 4}
    found = plan(pages, user="openai:asker", **given).estimate()
    assert not (tmp_path / "run").exists()
    with ChatServer(played.answer) as server:
        made: Any = simulate(server, pages, **given)
    assert made.spent.calls == 40
    assert sum(one.calls for one in found.by_model.values()) == 2 * (3 + 8 + 12)
    assert made.spent.booked_usd < sum(one.cost_usd or 0 for one in found.by_model.values())
    told = "At most, if every dialogue reaches 4 exchanges."
    assert found.tables["by_model"].notes == (told,)
    # What the user ended is at its end; nothing of it would be asked.
    left = plan(pages, user="openai:asker", base_url=server.url, **given).estimate()
    assert sum(one.calls for one in left.by_model.values()) == 0


def test_at_the_limit_the_dry_run_counts_exactly_and_costs_no_less(
    pages: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(PRICES)
    more: Any = {"recipe": ["DS4", "DS5"], "exchanges": 2, "prices": prices}
    most = plan(pages, user="openai:asker", **more).estimate().by_model
    with ChatServer(played.answer) as server:
        made: Any = simulate(server, pages, None, **more)
    assert sum(one.calls for one in most.values()) == made.spent.calls == 2 * (4 + 6)
    assert sum(one.cost_usd or 0 for one in most.values()) >= made.spent.booked_usd
    assert {one.metadata["simulated"]["ended"] for one in made} == {"limit"}


def test_batches_bring_one_call_of_each_dialogue_a_run(pages: Path, tmp_path: Path) -> None:
    waiting = []
    with ChatServer(played.answer) as server:
        for _ in range(12):  # a batch may not be done when it is first asked after
            told: Any = {"recipe": "DS4", "exchanges": 1, "batch": True, "no_cache": False}
            found = plan(pages, base_url=server.url, out=tmp_path / "run", **told).outcome()
            waiting.append(found.waiting)
            if not found.waiting:
                break
    assert (waiting[0], waiting[-1]) == (2, 0)
    assert len(found) == 2


def test_preset_paper_shows_five_whole_pages_and_leaves_the_temperature(
    pages: Path, tmp_path: Path
) -> None:
    topics = [one | {"persona": "a cook"} for one in TOPICS]
    (tmp_path / "topics.jsonl").write_text("".join(json.dumps(one) + "\n" for one in topics))
    with ChatServer(played.answer) as server:
        command = ["simulate", "dialogues", tmp_path / "topics.jsonl", "--documents", pages]
        command += ["--model", "openai:writer", "--base-url", server.url, "--no-cache"]
        command += ["--preset", "paper", "--out", tmp_path / "run", "--quiet"]
        done = CliRunner().invoke(app, list(map(str, command)))
        assert done.exit_code == 0, repr(done.exception)
        assert all("temperature" not in one.body for one in server.seen)
        found = assize.simulate.dialogues(
            topics,
            "openai:writer",
            retrieval=Retrieval(pages, words=0),
            sample_temperature=None,
            personas="none",
            quiet=True,
            asking=Asking(base_url=server.url, no_cache=True),
        )
    assert list(assize.read(tmp_path / "run" / "dialogues.jsonl")) == list(found)
    told = found.records[0].metadata["simulated"]
    assert told["retrieval"]["shown"] == "whole pages"
    assert told.get("persona") is None


def test_the_tiny_real_model_keeps_to_the_schemas(pages: Path, tiny_llama: Path) -> None:
    how: Any = {"recipe": ["DS4", "DS5"], "exchanges": 1, "words": 8, "overlap": 0, "top": 1}
    with ChatServer(Llama(tiny_llama)) as server:
        try:
            found = simulate(server, pages, None, **how)
        except DataError as error:  # every message was empty, which random words may be
            pytest.skip(str(error))
    for chat in found:
        assert [one.role for one in chat.turns] == ["assistant", "user", "assistant"]
        assert all(one.text.strip() for one in chat.turns)


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"recipe": "DS9"}, "recipe: received 'DS9'"),
        ({"documents": None}, "documents: DS3, DS4, DS5 search; name a folder"),
        ({"documents": "nowhere"}, "nowhere: there is no such file or folder"),
        ({"exchanges": 0}, "exchanges: received 0"),
        ({"sample_temperature": 3}, "sample_temperature: received 3"),
        ({"personas": "nowhere.txt"}, "nowhere.txt"),
        ({"index": "nowhere", "documents": None}, "there is no index here"),
        ({"temperature": 0.3}, "give sample_temperature"),
    ],
)
def test_what_is_not_allowed_is_said_before_anything_is_asked(
    pages: Path, more: dict[str, Any], problem: str
) -> None:
    with pytest.raises((ConfigError, DataError), match=problem):
        plan(pages, SCRIPTED, **more).outcome()


def test_ds2_needs_topics_that_name_documents(pages: Path) -> None:
    plan = assize.simulate.dialogues.plan(
        [{"text": "x"}], "scripted:first", recipe="DS2", retrieval=Retrieval(pages)
    )
    with pytest.raises(DataError, match="DS2 shows the documents that a topic names"):
        plan.outcome()


def test_the_command_reads_topics_a_line_and_draws_users_from_a_file(
    pages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("topics.txt").write_text("rotate thing1\nrotate thing2\n")
    Path("kinds.txt").write_text("# who asks\na cook\n")
    command = ["simulate", "dialogues", "topics.txt", "--documents", str(pages), "-m", SCRIPTED]
    command += ["--recipe", "ds4", "--personas", "kinds.txt", "--index", "index", "--out", "run"]
    command += ["--no-cache", "--json"]
    dry = CliRunner().invoke(app, [*command, "--dry-run"])
    assert "at_most" in json.loads(dry.stdout)
    found = CliRunner().invoke(app, command)
    assert json.loads(found.stdout)["count"] == 2
    told: Any = next(iter(assize.read("run/dialogues.jsonl")))
    assert told.metadata["simulated"]["persona"] == "a cook"
    assert Path("index", "index.json").exists()
