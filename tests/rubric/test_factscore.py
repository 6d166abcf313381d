"""`factscore`: claims drawn and checked, the share supported, and when there is none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from tests.base.loops import in_loop
from tests.rubric.conftest import noting

import assize
from assize.base.conversation import Conversation, Reference, Turn
from assize.base.errors import ServerError
from assize.judging.asking import Asking
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.options import FactScoreOptions
from assize.judging.table import open_judge
from assize.models import Models, ModelSettings, Request, Scripted
from assize.rubric._factscore import FactScoreJudge, find_passages, index_sources

SOURCES = (
    Reference("1", "Bridge", "The bridge was rebuilt in 1954."),
    Reference("2", "Town", "The town has a market on Fridays."),
)
TALK = Conversation(
    "c1",
    (
        Turn("user", "When was the bridge rebuilt?"),
        Turn("assistant", "In 1954, and the market is on Mondays.", SOURCES),
        Turn("user", "Thanks. And who paid?"),
        Turn("assistant", "The railway."),
    ),
)
DRAWN = {
    "In 1954": ["The bridge was rebuilt in 1954.", "The market is on Mondays."],
    "The railway.": ["The railway paid for the bridge.", "The railway paid for the bridge.", " "],
}


def honest(request: Request) -> str:
    """Draws the claims above, and supports the first."""
    said = request.messages[-1].text
    if "List its claims" in said:
        turn = said.rpartition("BEGIN turn")[2]
        return json.dumps({"claims": next((c for s, c in DRAWN.items() if s in turn), [])})
    claim = said.rpartition("BEGIN claim")[2]
    return json.dumps({"answer": "yes" if "1954" in claim else "no"})


def judge_of(
    script: Callable[[Request], Any], corpus: str | None = None, **settings: Any
) -> FactScoreJudge:
    options = FactScoreOptions(corpus)
    return FactScoreJudge("scripted:test", Scripted(script), JudgeSettings(**settings), options)


def score(script: Callable[[Request], Any], item: Conversation, **given: Any) -> Any:
    (row,) = asyncio.run(judge_of(script, **given).judge(Task(item)))
    return row


def test_the_score_is_the_share_of_distinct_claims_that_are_supported() -> None:
    row = score(honest, TALK)
    assert row.score == pytest.approx(1 / 3)
    claims = [(one["turn"], one["supported"]) for one in row.details["claims"]]
    assert claims == [(1, True), (1, False), (3, False)]
    assert row.details["claims"][0]["passages"] == ["1#0", "2#0"]
    assert row.attempts == 2 + 3
    assert row.usage.input_tokens > 0


def test_claims_are_drawn_with_the_dialogue_before_and_without_its_sources() -> None:
    asked: list[Request] = []
    score(noting(asked, honest), TALK)
    said = [one.messages[-1].text for one in asked]
    drawn = [text for text in said if "List its claims" in text]
    assert len(drawn) == 2
    assert "When was the bridge rebuilt?" in drawn[1]
    assert not any("market on Fridays" in text for text in drawn)
    assert not any("who paid" in text for text in said if text not in drawn)


def never(request: Request) -> str:
    raise AssertionError


@pytest.mark.parametrize(
    ("script", "item", "reason"),
    [
        (lambda _: '{"claims": []}', TALK, "no_claims"),
        (never, Conversation("c", TALK.turns[2:]), "no_references"),
    ],
)
def test_without_claims_or_sources_it_is_unscored(
    script: Callable[[Request], str], item: Conversation, reason: str
) -> None:
    row = score(script, item)
    assert (row.score, row.unscored.reason) == (None, reason)
    assert ("option corpus" in row.unscored.message) is (script is never)


def test_a_claim_that_could_not_be_checked_leaves_no_score() -> None:
    def script(request: Request) -> str:
        said = "".join(message.text for message in request.messages)
        checked = "The passages:" in said and "on Mondays" in said
        return "no idea" if checked else honest(request)

    row = score(script, TALK, tries=2)
    assert (row.score, row.unscored.reason) == (None, "parse")
    assert [one["supported"] for one in row.details["claims"]] == [True, None, False]

    def down(request: Request) -> str:
        raise ServerError("down")

    with pytest.raises(ServerError):
        score(down, TALK)


def test_a_corpus_stands_in_for_the_sources_and_its_nearest_passages_are_shown(
    tmp_path: Path,
) -> None:
    corpus = tmp_path / "corpus.jsonl"
    lines = [{"id": f"d{n}", "text": f"Nothing to the point, number {n}."} for n in range(50)]
    lines.append({"id": "hit", "title": "Bridges", "text": "Who paid for the bridge: the railway."})
    corpus.write_text("".join(json.dumps(line) + "\n" for line in lines))
    row = score(honest, TALK, corpus=str(corpus))
    assert all(len(one["passages"]) == 5 for one in row.details["claims"])
    assert row.details["claims"][2]["passages"][0] == "hit#0"
    plain, with_corpus = judge_of(honest).signature, judge_of(honest, corpus=str(corpus)).signature
    assert plain != with_corpus


@in_loop
async def test_a_live_server_is_asked_for_claims_and_verdicts() -> None:
    with ChatServer() as server:
        async with Models(ModelSettings(base_url=server.url)) as models:
            (row,) = await open_judge("factscore@openai:m", JudgeContext(models)).judge(Task(TALK))
        assert len(server.seen) >= 3  # two turns, and at least one claim
    assert row.score in (0, 1)
    assert row.judge == "factscore@openai:m"


def test_an_estimate_counts_a_call_a_turn_and_one_a_sentence_that_may_be_a_claim() -> None:
    long = replace(TALK.turns[1], text="It was in 1954. The market is on Mondays! It rains, too")
    chat = replace(TALK, turns=(TALK.turns[0], long, *TALK.turns[2:]))
    found = assize.judge.plan(
        [chat], "factscore@scripted:any", asking=Asking(no_cache=True)
    ).estimate()
    (one,) = found.by_model.values()
    assert (one.calls, one.cached) == (2 + 3 + 1, 0)


def test_each_source_is_cut_and_counts_once() -> None:
    long = Reference("d", "Title", " ".join(f"w{number}" for number in range(250)))
    turn = Turn("assistant", "x", (*SOURCES, long))
    index: Any = index_sources(Conversation("c", (turn, turn)))
    assert len(index) == 2 + 3
    hits = [(hit.page, hit.passage) for hit in find_passages(index, "anything")]
    assert hits == [("1", 0), ("2", 0), ("d", 0), ("d", 1), ("d", 2)]
    assert index_sources(Conversation("c", (Turn("user", "Hi"),))) is None


def test_the_nearest_passages_come_best_first() -> None:
    sources = [Reference(str(n), "", f"Nothing about {n}.") for n in range(9)]
    sources.append(Reference("hit", "Town", "The town has a market on Fridays."))
    index: Any = index_sources(Conversation("c", (Turn("assistant", "x", tuple(sources)),)))
    assert find_passages(index, "When is the market in town?")[0].page == "hit"
