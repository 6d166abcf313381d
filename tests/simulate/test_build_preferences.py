from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pairs_answered as answered
import pytest
from chat_server import ChatServer
from run_work import run_work

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError
from assize.formats import read
from assize.judging.judge import JudgeSettings
from assize.judging.session import Session
from assize.models import Limits, ModelSettings
from assize.simulate._build_preferences import PreferenceWork, check_sources, filtered
from assize.simulate._chats import Chats
from assize.simulate._funnel import Funnel
from assize.simulate._responses import GIVEN
from assize.simulate._settings import ConversationFilters


def building(
    out: Path, url: str, chats: Any, judges: tuple[str, ...], **more: Any
) -> PreferenceWork:
    models = ModelSettings(base_url=url, limits=Limits(8, tries=1), use_cache=False)
    names = [f"dimensions@openai:{one}" for one in judges]
    session = Session(read(chats), names, out, asked=JudgeSettings(tries=2), models=models)
    return PreferenceWork(session, Chats(chats), more.pop("sources", answered.MODELS), **more)


TALKS = [
    answered.talk(1),
    answered.talk(2, 1),
    answered.talk(3, 11),
    answered.talk(4, 2, "Thanks!"),
    answered.talk(5, 2, "And the zebra?"),
    Conversation("tool", (Turn("user", "x"), Turn("tool", "y"), Turn("assistant", "z"))),
]


def test_filters_that_need_no_model_are_counted_one_by_one() -> None:
    funnel = Funnel()
    kept = filtered(TALKS, ConversationFilters(), ("zebra",), funnel)
    assert [one.id for one in kept] == ["c1"]
    assert [one.left for one in funnel.stages] == [6, 5, 3, 2, 1]
    assert len(filtered(TALKS, ConversationFilters("any", "keep"), (), Funnel())) == 5


def test_conversations_that_do_not_hold_together_are_not_answered(tmp_path: Path) -> None:
    with ChatServer(answered.answer) as server:
        filters = ConversationFilters(coherence="openai:reader")
        given = building(tmp_path / "run", server.url, TALKS, (), filters=filters)
        found = run_work(given)
        kinds = {one.body["model"] for one in server.seen if "zebra" in one.text}
    assert [one.id for one in found.records] == ["c1"]
    assert kinds == {"reader"}
    told = {one.step: (one.left, dict(one.gone)) for one in found.steps}
    assert told["hold together"] == (1, {"do not hold together": 1})
    assert found.judgments is None


def test_an_estimate_counts_calls_and_asks_nothing(tmp_path: Path) -> None:
    chats = [answered.talk(n) for n in range(6)]
    with ChatServer(answered.answer) as server:
        filters = ConversationFilters(coherence="openai:reader")
        given = building(tmp_path / "run", server.url, chats, ("judge-1",), filters=filters)
        before = asyncio.run(given.estimate()).by_model
        assert not server.seen
        run_work(given)
        made = {
            name: sum(f"openai:{one.body['model']}" == name for one in server.seen)
            for name in before
        }
        left = asyncio.run(given.estimate()).by_model
    assert before["openai:reader"].calls == made["openai:reader"] == 6
    assert made["openai:judge-1"] <= before["openai:judge-1"].calls == 12
    writers = [before[name].calls for name in answered.MODELS]
    assert sum(writers) == 6 * 2 * 2  # two turns by two models
    assert left["openai:reader"].calls == left["openai:judge-1"].calls == 0


@pytest.mark.parametrize(
    ("sources", "judges", "problem"),
    [
        (("openai:a",), [], "two different models must answer"),
        (("openai:a", "openai:a"), [], "two different models must answer"),
        (("openai:a", "openai:b"), ["io@openai:a"], "same model generates: io@openai:a"),
        (("openai:a", GIVEN), ["io@openai:old"], r"io@openai:old \(openai:old\)"),
    ],
)
def test_who_answers_must_be_two_and_not_judge(
    sources: Any, judges: list[str], problem: str, tmp_path: Path
) -> None:
    given = building(tmp_path, "http://x/v1", [answered.talk(1)], (), sources=sources)
    with pytest.raises(ConfigError, match=problem):
        check_sources(given, judges)


def test_the_published_models_may_judge_one_another_s_family(tmp_path: Path) -> None:
    given = building(tmp_path, "http://x/v1", [], (), sources=("openai:gpt-4o-mini", GIVEN))
    check_sources(given, ["dimensions@openai:gpt-4o"])
