"""Preference data end to end: a server whose models answer, and judges whose taste is known."""

from __future__ import annotations

import json
import signal
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import pairs_answered as answered
import pytest
from chat_server import ChatServer, completion
from tests.judging.conftest import start_cli
from typer.testing import CliRunner
from with_settings import with_settings

import assize
from assize import Cascade
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.cli import app
from assize.judging.asking import Asking
from assize.simulate import Answers, ConversationFilters, PairChoice, Scrub, Translation
from assize.simulate._lengths import length_difference
from assize.simulate._preference_data import PreferenceData

JUDGES = ("dimensions@openai:judge-1", "dimensions@openai:judge-2")
TALKS = [answered.talk(n) for n in range(20)]
# Matters 0 and 5, 1 and 6, ... : small, small, large, large, neither; `judge-2` breaks at 0, 7, 14.
TIES, BROKEN = {4, 9, 14, 19}, {0, 7, 14}
CONSISTENT = PairChoice(balance=None)
arguments = partial(with_settings, assize.simulate.preferences)


def simulate(server: ChatServer, out: Path | None = None, **more: Any) -> PreferenceData:
    given: dict[str, Any] = {"judges": JUDGES, "balance": "none", "base_url": server.url}
    given |= {"quiet": True, "no_cache": True, "attempts": 2, "out": out, "words": 30, **more}
    return assize.simulate.preferences(TALKS, answered.MODELS, **arguments(**given))


def test_pairs_votes_and_counts_are_what_the_models_make_of_them(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        found = simulate(server, tmp_path / "run")
        kinds = Counter(answered.kind_of(one.body) for one in server.seen)
        assert {one.body["temperature"] for one in server.seen} == {0.0, 0.7}
    assert kinds == {"respond": 20 * 4, "vote": 20 * 2 * 2}
    kept = [n for n in range(20) if n not in BROKEN]
    assert [one.id for one in found.records] == [f"c{n}" for n in kept]
    assert [one.left for one in found.steps] == [20, 20, 20, 20, 20, 17]
    for number, one in zip(kept, found.records, strict=True):
        systems = one.metadata["systems"]
        assert sorted(systems.values()) == sorted(answered.MODELS)
        assert one.a[1].text.startswith(systems["A"].removeprefix("openai:"))
        assert one.shared_user
        assert one.metadata["topic"] == "steps"
        better = ("openai:small", "openai:small", "openai:large", "openai:large", None)[number % 5]
        label = found.labels[one.id]
        assert label is not None
        assert systems.get(label) == better
    told = {one.judge: (one.asked, one.same, one.changed) for one in found.consistency}
    assert told == {JUDGES[0]: (20, 20, 0), JUDGES[1]: (20, 17, 3)}
    first = found.preferences[0]
    assert (first.judge, first.tie) == (JUDGES[0], len(TIES - BROKEN))
    assert (first.tie, first.a + first.b) == (3, 14)


def test_the_files_are_read_by_whatever_learns(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        found = simulate(server, tmp_path / "run")
    pairs = list(assize.read(tmp_path / "run" / "pairs.jsonl"))
    assert pairs == list(found.records)
    votes = assize.read_judgments([tmp_path / "run"])
    assert len(votes) == 17 * 2 * 2 * 11
    assert not votes.inferred
    decided = assize.jury(votes, Cascade("dimensions@openai:judge-1"), question="Overall")
    assert decided.to_json()["n"] == 17
    every = assize.read_judgments([tmp_path / "run" / "all-judgments.jsonl"])
    assert len(every) == 20 * 2 * 2 * 11
    chosen = assize.simulate.select(
        tmp_path / "run" / "all-pairs.jsonl", votes=every, choice=CONSISTENT
    )
    assert [one.id for one in chosen.records] == [one.id for one in found.records]


def test_the_published_balance_is_kept(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        found = simulate(server, tmp_path / "run", balance="40/40/20")
    assert found.shares == {"A": 5, "B": 5, "tie": 2}  # of 14 sided ones the fewer decide
    assert found.judgments is not None
    assert set(found.judgments.items) == {one.id for one in found.records}


def test_recorded_answers_may_be_one_side_and_lead(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        given: Any = {"given": True, "words": 0, "base_url": server.url, "quiet": True}
        found = assize.simulate.preferences(
            TALKS[:4], "openai:large", **arguments(**given, no_cache=True)
        )
        kinds = Counter(answered.kind_of(one.body) for one in server.seen)
    assert kinds == {"respond": 4 * 2 * 2}  # 40 words, then 30 as recorded
    assert len(found) == 4
    assert {length_difference(one) for one in found} == {0}
    assert all(
        sorted(one.metadata["systems"].values()) == ["openai:large", "openai:old"] for one in found
    )
    assert found.out is None
    assert found.outputs == {}


def test_a_run_that_goes_on_asks_nothing_twice(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        found = simulate(server, tmp_path / "run")
        calls = len(server.seen)
        again = simulate(server, tmp_path / "run")
        assert len(server.seen) == calls
        with pytest.raises(ConfigError, match="another command"):
            simulate(server, tmp_path / "run", sample_temperature=0.1)
    assert again.to_json() == found.to_json()


def test_what_failed_is_counted_and_asked_again(tmp_path: Path) -> None:
    broken = ["matter 3?"]

    def fault(_: int, body: Any) -> str | None:
        said = body["messages"][-1]["content"]
        failing = answered.kind_of(body) == "respond" and any(one in said for one in broken)
        return "content_filter" if failing else None

    with ChatServer(answered.answer, fault=fault) as server:
        found = simulate(server, tmp_path / "run")
        assert found.missing[0] == 1
        assert found.reasons == {"refused": 1}
        assert "c3" not in {one.id for one in found}
        assert any("no answer by" in one for one in found.steps[4].gone)
        broken.clear()
        server.seen.clear()
        whole = simulate(server, tmp_path / "run", retry=True)
        assert whole.missing[0] == 0
        assert "c3" in {one.id for one in whole}
        assert all("matter 3?" in one.text for one in server.seen)


def test_nothing_that_was_paid_for_is_lost_where_no_balance_can_be_had(
    tmp_path: Path,
) -> None:
    chats = [answered.talk(n) for n in (1, 2)]  # one for each side, no tie
    given: Any = {"judges": JUDGES[0], "words": -1, "quiet": True, "no_cache": True}
    with ChatServer(answered.answer) as server:
        given |= {"base_url": server.url, "out": tmp_path / "run"}
        with pytest.raises(DataError, match=r"no pairs can have these shares.*all-pairs") as found:
            assize.simulate.preferences(chats, answered.MODELS, **arguments(**given))
    assert "balanced 40/40/20: 0 pairs, left out 2 labelled B" in str(found.value)
    pairs = [
        one for one in assize.read(tmp_path / "run" / "all-pairs.jsonl") if isinstance(one, Pair)
    ]
    votes = tmp_path / "run" / "all-judgments.jsonl"
    kept = assize.simulate.select(pairs, votes=votes, choice=CONSISTENT)
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"turns": "10-2"}, "turns '10-2': give the fewest and the most"),
        ({"words": -3}, "words: received -3"),
        ({"attempts": 0}, "attempts: received 0"),
        ({"sample_temperature": 3}, "sample_temperature: received 3"),
        ({"balance": "1/2"}, "balance '1/2'"),
        ({"trivial": "x"}, "trivial"),
        ({"jargon": "nowhere.txt"}, "nowhere.txt"),
        ({"judges": "dimensions@openai:small"}, "should not judge what it wrote"),
        ({"base_url": "http://127.0.0.1:9/v1", "judges": "rating@openai:x"}, "not judge pairs"),
    ],
)
def test_what_is_not_allowed_is_said_before_anything_is_asked(
    more: dict[str, Any], problem: str
) -> None:
    given: dict[str, Any] = {"base_url": "http://127.0.0.1:9/v1", "quiet": True, **more}
    with pytest.raises((ConfigError, DataError), match=problem):
        assize.simulate.preferences.plan(TALKS, answered.MODELS, **arguments(**given)).outcome()


def test_conversations_must_be_given_and_one_must_pass() -> None:
    pair = Pair("p", (), TALKS[0].turns, TALKS[0].turns)
    with pytest.raises(DataError, match="there is no conversation among the items"):
        assize.simulate.preferences.plan([pair], answered.MODELS).outcome()
    with pytest.raises(DataError, match="1 ids stand there more than once, the first 'c3'"):
        assize.simulate.preferences.plan([*TALKS, TALKS[3]], answered.MODELS).outcome()
    few = ConversationFilters(turns="5-6")
    with pytest.raises(DataError, match="no conversation passes the filters: given: 20 conv"):
        assize.simulate.preferences.plan(TALKS, answered.MODELS, filters=few, quiet=True).outcome()


def test_words_to_leave_out_are_read_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "jargon.txt"
    path.write_text("# words\nmatter 3\n\n")
    found = assize.simulate.preferences.plan(
        TALKS[:4],
        answered.MODELS,
        filters=ConversationFilters(jargon=path),
        answers=Answers(words=-1),
        asking=Asking(no_cache=True),
    ).estimate()
    assert sum(one.calls for one in found.by_model.values()) == 3 * 2 * 2


def test_another_balance_on_the_same_folder_asks_nothing(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        loose = simulate(server, tmp_path / "run", consistent=False)
        calls = len(server.seen)
        strict = simulate(server, tmp_path / "run", balance="1/1/1", consistent_on="all")
        assert len(server.seen) == calls
    assert (len(loose), len(strict)) == (20, 9)


@pytest.mark.slow
def test_after_kill_9_the_same_command_goes_on_and_ends_as_it_would_have(tmp_path: Path) -> None:
    source, at_once = tmp_path / "chats.jsonl", 2
    assize.write(source, TALKS)
    with ChatServer(answered.answer, latency=0.1) as server:
        more: list[Any] = ["--base-url", server.url, "--concurrency", at_once, "--quiet"]
        command: list[Any] = ["simulate", "preferences", source, "--words", 30, *more]
        for name in answered.MODELS:
            command += ["--model", name]
        for name in JUDGES:
            command += ["--judge", name]
        command += ["--balance", "none", "--no-cache"]
        until = time.monotonic() + 60
        process = start_cli(*command, "--out", tmp_path / "run")
        while len(server.seen) < 40 and time.monotonic() < until:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert process.returncode == -signal.SIGKILL  # it was not at its end
        server.latency = 0.0
        result = CliRunner().invoke(app, [*map(str, command), "--out", str(tmp_path / "run")])
        assert result.exit_code == 0, result.output + repr(result.exception)
        asked = Counter(json.dumps(one.body) for one in server.seen)
        whole = CliRunner().invoke(app, [*map(str, command), "--out", str(tmp_path / "whole")])
        assert whole.exit_code == 0, whole.output
    # Asked once more is only what was in flight, or answered and not on disk, of four models.
    assert sum(count - 1 for count in asked.values()) <= 2 * 4 * at_once
    for name in ("pairs.jsonl", "all-pairs.jsonl"):
        assert (tmp_path / "run" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_the_published_recipe_end_to_end(tmp_path: Path) -> None:
    """Filtered, then translated, then answered; a card with every count."""
    with ChatServer(answered.answer) as server:
        found = assize.simulate.preferences(
            [*TALKS, answered.talk(20, 2, "Which javascript?")],
            answered.MODELS,
            judges=JUDGES,
            filters=ConversationFilters(jargon="shipped", coherence="openai:judge-3"),
            translation=Translation("openai:to-english"),
            answers=Answers(attempts=2),
            out=tmp_path / "run",
            scrub=Scrub(),
            quiet=True,
            asking=Asking(base_url=server.url, no_cache=True),
        )
        kinds = [answered.kind_of(one.body) for one in server.seen if "matter 3?" in one.text]
        said = [one.text for one in server.seen if answered.kind_of(one.body) == "respond"]
    first = [kinds.index(one) for one in ("coherence", "translate", "respond", "vote")]
    assert first == sorted(first)
    assert all("In English: What is step" in one for one in said)
    stages = [(one.step, one.left) for one in found.steps]
    assert stages[:7] == [
        ("given", 21),
        ("speakers take turns", 21),
        ("2 to 10 turns", 21),
        ("no trivial turn", 21),
        ("no words to leave out", 20),
        ("hold together", 20),
        ("translated into English", 20),
    ]
    made = [
        one for one in assize.read(tmp_path / "run" / "all-pairs.jsonl") if isinstance(one, Pair)
    ]
    assert len(made) >= len(found)
    assert all(one.metadata["translated"]["language"] == "English" for one in found)
    card = (tmp_path / "run" / "card.md").read_text()
    for stage in found.steps:
        assert f"| {stage.step} |" in card
    assert "How far judges vote alike" in card
    assert [row.unanimous for row in found.agreement] == [len(found)]
    assert [(row.turns, row.pairs) for row in found.turns] == [(2, len(found))]


PRESET = ["--preset", "paper", "--coherence", "openai:judge-3", "--quiet", "--no-cache"]
NOWHERE = ["--base-url", "http://127.0.0.1:9/v1"]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        (["--judge", JUDGES[0]], "preset paper: give --judge 2 times or more"),
        (["--words", "20"], "--words: preset paper decides that"),
        (["--no-consistent"], "--no-consistent: preset paper decides that"),
        (["--translate", "openai:judge-1"], "should not judge what it wrote"),
        (["--translate", "openai:x", "--language", " "], "language ' ': name one"),
    ],
)
def test_the_preset_refuses_what_is_not_the_recipe(
    more: list[str], problem: str, tmp_path: Path
) -> None:
    source = tmp_path / "chats.jsonl"
    assize.write(source, TALKS)
    judges = [] if "--judge" in more else [word for name in JUDGES for word in ("--judge", name)]
    models = [word for name in answered.MODELS for word in ("--model", name)]
    command = ["simulate", "preferences", str(source), *models, *judges, *PRESET, *NOWHERE, *more]
    done = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "run")])
    assert isinstance(done.exception, ConfigError), done.output
    assert problem in str(done.exception)


def test_the_preset_is_the_published_recipe(tmp_path: Path) -> None:
    source = tmp_path / "chats.jsonl"
    assize.write(source, [*TALKS, answered.talk(20, 2, "Which javascript?")])
    with ChatServer(answered.answer) as server:
        command = ["simulate", "preferences", source, *PRESET, "--base-url", server.url]
        command += [word for name in JUDGES for word in ("--judge", name)]
        command += [word for name in answered.MODELS for word in ("--model", name)]
        done = CliRunner().invoke(app, [*map(str, command), "--json", "--out", str(tmp_path / "r")])
    assert done.exit_code == 0, repr(done.exception)
    steps = [row["step"] for row in json.loads(done.stdout)["steps"]]
    assert steps[4:6] == ["no words to leave out", "hold together"]
    assert steps[-1] == "balanced 40/40/20"


def test_replies_that_cannot_be_read_are_counted_where_they_were_lost(tmp_path: Path) -> None:
    def garbled(body: Any) -> Any:
        if answered.kind_of(body) == "coherence":
            return completion(body, "I would rather not say.")
        return answered.answer(body)

    filters = ConversationFilters(coherence="openai:judge-3")
    with ChatServer(garbled) as server, pytest.raises(DataError) as refused:
        simulate(server, tmp_path / "run", filters=filters)
    assert "hold together: 0 conversations, left out 20 unscored: parse" in str(refused.value)
