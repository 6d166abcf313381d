from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest
from chat_server import Body, ChatServer, completion
from tests.simulation.mining.planted_log import BySubject, clicks, pages

from assize.errors import ConfigError
from assize.judging.judge import JudgeSettings
from assize.judging.session import Session
from assize.models import Limits, ModelSettings
from assize.simulation.mining.build import Topics, build_async, estimate
from assize.simulation.mining.mine import Mining
from assize.simulation.topics_file import read_topics

MINING = Mining(count=5, same=0.99)


def answer(body: Body) -> Body:
    """The queries of even numbers."""
    return completion(body, json.dumps({"seeking": [2, 4, 6, 8]}))


def topics(out: Path, url: str = "http://127.0.0.1:9/v1", seeking: str | None = None) -> Topics:
    models = ModelSettings(base_url=url, limits=Limits(8, tries=1), use_cache=False)
    session = Session([], [], out, asked=JudgeSettings(tries=1), models=models)
    return Topics(session, clicks(), BySubject, MINING, pages(), seeking=seeking)


def test_topics_and_corpus_are_written_and_read_again(tmp_path: Path) -> None:
    found = asyncio.run(build_async(topics(tmp_path / "t")))
    assert read_topics(tmp_path / "t" / "topics.jsonl") == list(found)
    lines = (tmp_path / "t" / "corpus.jsonl").read_text().splitlines()
    assert [json.loads(one)["id"] for one in lines] == [one.id for one in found.documents]
    again = asyncio.run(build_async(topics(tmp_path / "u")))
    assert again.signature == found.signature


def test_a_run_without_a_model_says_how_it_was_made_and_no_other_is_written_over(
    tmp_path: Path,
) -> None:
    given = replace(topics(tmp_path / "t"), about={"encoder": "by-subject"})
    found = asyncio.run(build_async(replace(given, mining=replace(MINING, count=4))))
    found = asyncio.run(build_async(given))  # costs nothing, so the folder may be made anew
    told = json.loads((tmp_path / "t" / "run.json").read_text())
    said = told["command"]
    assert (said["simulate"], said["seed"], said["encoder"]) == ("topics", 0, "by-subject")
    assert (said["count"], said["same"], said["sites"], said["seeking"]) == (5, 0.99, [], None)
    assert told["made"]["steps"] == found.funnel.to_json()
    assert told["made"]["signature"] == found.signature
    assert "assize" in told["versions"]
    (tmp_path / "t" / "steps.jsonl").write_text("")
    with pytest.raises(ConfigError, match="another command"):
        asyncio.run(build_async(given))


def test_a_model_decides_in_batches_and_is_asked_once(tmp_path: Path) -> None:
    with ChatServer(answer) as server:
        given = topics(tmp_path / "t", server.url, "openai:reader")
        before = asyncio.run(estimate(given)).by_model["openai:reader"].calls
        found = asyncio.run(build_async(given))
        asyncio.run(build_async(given))
        assert len(server.seen) == before == 2  # 35 queries, 20 a call
        with pytest.raises(ConfigError, match="another command"):
            asyncio.run(build_async(replace(given, mining=replace(MINING, count=4))))
    told = json.loads((tmp_path / "t" / "run.json").read_text())
    assert told["command"]["seeking"][0] == "openai:reader"
    assert told["made"]["steps"] == found.funnel.to_json()
    assert "prompts" in told
    stage = found.funnel.stages[-3]
    assert (stage.left, stage.gone) == (8, {"not chosen": 27})
    assert found.missing == (0, 35)


def test_queries_without_an_answer_are_counted_and_left_out(tmp_path: Path) -> None:
    def fault(number: int, _: Body) -> str | None:
        return "content_filter" if number == 0 else None

    with ChatServer(answer, fault=fault) as server:
        found = asyncio.run(build_async(topics(tmp_path / "t", server.url, "openai:reader")))
    assert found.missing[0] in (15, 20)
    assert found.reasons == {"refused": 1}
    assert found.funnel.stages[-3].gone["unscored"] == found.missing[0]
