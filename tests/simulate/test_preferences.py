"""Preference data end to end: a server whose models answer, and judges whose taste is known."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pairs_answered as answered
import pytest
from chat_server import ChatServer, completion
from typer.testing import CliRunner
from with_settings import with_settings

import assize
from assize import Cascade
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
        better = ("openai:small", "openai:small", "openai:large", "openai:large", None)[number % 5]
        assert systems.get(str(found.labels[one.id])) == better
    told = {one.judge: (one.asked, one.same, one.changed) for one in found.consistency}
    assert told == {JUDGES[0]: (20, 20, 0), JUDGES[1]: (20, 17, 3)}
    first = found.preferences[0]
    assert first.judge == JUDGES[0]
    assert first.tie == len(TIES - BROKEN)
    assert first.a + first.b == 14


def test_the_files_are_read_by_whatever_learns(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        found = simulate(server, tmp_path)
    assert list(assize.read(tmp_path / "pairs.jsonl")) == list(found.records)
    votes = assize.read_judgments([tmp_path])
    assert len(votes) == 17 * 2 * 2 * 11
    assert not votes.inferred
    decided = assize.jury(votes, Cascade("dimensions@openai:judge-1"), question="Overall")
    assert decided.to_json()["n"] == 17
    every = assize.read_judgments([tmp_path / "all-judgments.jsonl"])
    assert len(every) == 20 * 2 * 2 * 11
    chosen = assize.simulate.select(tmp_path / "all-pairs.jsonl", votes=every, choice=CONSISTENT)
    assert [one.id for one in chosen.records] == [one.id for one in found.records]


def test_recorded_answers_may_be_one_side_and_lead() -> None:
    with ChatServer(answered.answer) as server:
        how = arguments(given=True, words=0, base_url=server.url, quiet=True, no_cache=True)
        found = assize.simulate.preferences(TALKS[:4], "openai:large", **how)
        kinds = Counter(answered.kind_of(one.body) for one in server.seen)
    assert kinds == {"respond": 4 * 2 * 2}  # 40 words, then 30 as recorded
    assert len(found) == 4
    assert {length_difference(one) for one in found} == {0}
    systems = {tuple(sorted(one.metadata["systems"].values())) for one in found}
    assert systems == {("openai:large", "openai:old")}
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
    assert found.spent is not None
    assert again.spent is not None
    assert again.spent.earlier == found.spent.calls
    assert replace(again, spent=found.spent).to_json() == found.to_json()


def test_what_failed_is_counted_and_asked_again(tmp_path: Path) -> None:
    def fault(_: int, body: Any) -> str | None:
        failing = "matter 3?" in body["messages"][-1]["content"]
        return "content_filter" if failing and answered.kind_of(body) == "respond" else None

    with ChatServer(answered.answer, fault=fault) as server:
        found = simulate(server, tmp_path / "run")
        assert found.missing[0] == 1
        assert found.reasons == {"refused": 1}
        assert "c3" not in {one.id for one in found}
        assert any("no answer by" in one for one in found.steps[4].gone)
        server.fault = None
        server.seen.clear()
        whole = simulate(server, tmp_path / "run", retry=True)
        assert whole.missing[0] == 0
        assert "c3" in {one.id for one in whole}
        assert all("matter 3?" in one.text for one in server.seen)


def test_nothing_that_was_paid_for_is_lost_where_no_balance_can_be_had(
    tmp_path: Path,
) -> None:
    chats = [answered.talk(n) for n in (1, 2)]  # one for each side, no tie
    with ChatServer(answered.answer) as server:
        asking = Asking(base_url=server.url, no_cache=True)
        with pytest.raises(DataError, match=r"no pairs can have these shares.*all-pairs") as found:
            assize.simulate.preferences(
                chats,
                answered.MODELS,
                judges=JUDGES[0],
                answers=Answers(words=-1),
                out=tmp_path,
                quiet=True,
                asking=asking,
            )
    assert "balanced 40/40/20: 0 pairs, left out 2 labelled B" in str(found.value)
    votes = tmp_path / "all-judgments.jsonl"
    kept = assize.simulate.select(tmp_path / "all-pairs.jsonl", votes=votes, choice=CONSISTENT)
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"jargon": "nowhere.txt"}, "nowhere.txt"),
        ({"judges": "dimensions@openai:small"}, "should not judge what it wrote"),
        ({"judges": "rating@openai:x"}, "not judge pairs"),
    ],
)
def test_what_is_not_allowed_is_said_before_anything_is_asked(
    more: dict[str, Any], problem: str
) -> None:
    how = arguments(base_url="http://127.0.0.1:9/v1", quiet=True, **more)
    with pytest.raises((ConfigError, DataError), match=problem):
        assize.simulate.preferences.plan(TALKS, answered.MODELS, **how).outcome()


def test_one_conversation_must_pass() -> None:
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
        published: Any = simulate(server, tmp_path / "run", balance="40/40/20")
        assert len(server.seen) == calls
    assert (len(loose), len(strict)) == (20, 9)
    assert published.shares == {"A": 5, "B": 5, "tie": 2}  # of 14 sided ones the fewer decide
    assert set(published.judgments.items) == {one.id for one in published.records}


def test_the_published_recipe_end_to_end(tmp_path: Path) -> None:
    """Filtered, then translated, then answered; a card with every count; as the preset has it."""
    talks = [*TALKS, answered.talk(20, 2, "Which javascript?")]
    with ChatServer(answered.answer) as server:
        found = assize.simulate.preferences(
            talks,
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
        assize.write(tmp_path / "chats.jsonl", talks)
        done = preset([*PRESET, "--base-url", server.url, "--json"], tmp_path)
    first = [kinds.index(one) for one in ("coherence", "translate", "respond", "vote")]
    assert first == sorted(first)
    assert [(one.step, one.left) for one in found.steps][:7] == [
        ("given", 21),
        ("speakers take turns", 21),
        ("2 to 10 turns", 21),
        ("no trivial turn", 21),
        ("no words to leave out", 20),
        ("hold together", 20),
        ("translated into English", 20),
    ]
    assert all(one.metadata["translated"]["language"] == "English" for one in found)
    card = (tmp_path / "run" / "card.md").read_text()
    assert all(f"| {stage.step} |" in card for stage in found.steps)
    assert "How far judges vote alike" in card
    assert [row.unanimous for row in found.agreement] == [len(found)]
    assert [(row.turns, row.pairs) for row in found.turns] == [(2, len(found))]
    steps = [row["step"] for row in json.loads(done.stdout)["steps"]]
    assert steps[4:6] == ["no words to leave out", "hold together"]
    assert steps[-1] == "balanced 40/40/20"


def preset(more: list[str], folder: Path, judges: tuple[str, ...] = JUDGES) -> Any:
    """The command about `chats.jsonl` in a folder."""
    command = ["simulate", "preferences", str(folder / "chats.jsonl"), *more]
    command += [word for name in judges for word in ("--judge", name)]
    command += [word for name in answered.MODELS for word in ("--model", name)]
    return CliRunner().invoke(app, [*command, "--out", str(folder / "preset")])


PRESET = ["--preset", "paper", "--coherence", "openai:judge-3", "--quiet", "--no-cache"]
NOWHERE = ["--base-url", "http://127.0.0.1:9/v1"]


@pytest.mark.parametrize(
    ("more", "judges", "problem"),
    [
        ([], JUDGES[:1], "preset paper: give --judge 2 times or more"),
        (["--words", "20"], JUDGES, "--words: preset paper decides that"),
        (["--no-consistent"], JUDGES, "--no-consistent: preset paper decides that"),
        (["--translate", "openai:judge-1"], JUDGES, "should not judge what it wrote"),
        (["--translate", "openai:x", "--language", " "], JUDGES, "language ' ': name one"),
    ],
)
def test_the_preset_refuses_what_is_not_the_recipe(
    more: list[str], judges: tuple[str, ...], problem: str, tmp_path: Path
) -> None:
    assize.write(tmp_path / "chats.jsonl", TALKS)
    done = preset([*PRESET, *NOWHERE, *more], tmp_path, judges)
    assert isinstance(done.exception, ConfigError), done.output
    assert problem in str(done.exception)


def test_replies_that_cannot_be_read_are_counted_where_they_were_lost(tmp_path: Path) -> None:
    def garbled(body: Any) -> Any:
        if answered.kind_of(body) == "coherence":
            return completion(body, "I would rather not say.")
        return answered.answer(body)

    filters = ConversationFilters(coherence="openai:judge-3")
    with ChatServer(garbled) as server, pytest.raises(DataError) as refused:
        simulate(server, tmp_path / "run", filters=filters)
    assert "hold together: 0 conversations, left out 20 unscored: parse" in str(refused.value)
