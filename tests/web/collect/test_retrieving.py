"""What an assistant is shown, by mode."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from tests.web.collect.conftest import PAGES

from assize.base.conversation import Reference, Turn
from assize.models import Request, Scripted
from assize.retrieval import Index, Page, build_index
from assize.simulate._recipes.sources import Sources
from assize.simulate._topics_file import Topic
from assize.web._collect.retrieving import Retrieved, all_sources, numbered, retrieve
from assize.web._collect.settings import System

TOPIC = Topic("keys", "rotate storage keys", (Reference("keys.md"),))
SAID = (Turn("user", "My vault was deleted"),)


@pytest.fixture(scope="module")
def index() -> Index:
    return build_index([Page(name, text) for name, text in PAGES.items()])


def found(index: Index, said: tuple[Turn, ...] = SAID, **how: Any) -> Retrieved:
    model = how.pop("model", Scripted(lambda request: json.dumps({"query": "cats sleep"})))
    system = System(name="s", model="scripted:first", **how)
    return asyncio.run(retrieve(system, Sources(index, system.sources), model, TOPIC, said))


def pages(given: Retrieved) -> list[Any]:
    return [one.extra["page"] for one in given.references]


WRITTEN = {"retrieval": "bm25-dialogue", "query": "written", "sources": 1}
SILENT = Scripted(lambda request: '{"query": " "}')


@pytest.mark.parametrize(
    ("how", "shown", "query"),
    [
        ({}, [], None),
        ({"retrieval": "topic"}, ["keys.md"], None),
        ({"retrieval": "bm25-topic", "sources": 1}, ["keys.md"], TOPIC.text),
        (WRITTEN, ["cats.md"], "cats sleep"),
        ({**WRITTEN, "model": SILENT}, ["vaults.md"], SAID[0].text),
    ],
    ids=[
        "without retrieval nothing",
        "the topic's own documents",
        "a search for the topic",
        "a search by a query that the model writes",
        "without such a query, a search for all that was said",
    ],
)
def test_what_is_shown_depends_on_the_mode(
    index: Index, how: dict[str, Any], shown: list[str], query: str | None
) -> None:
    given = found(index, **how)
    assert (pages(given), given.query) == (shown, query)


def test_the_dialogue_is_searched_for_as_it_was_said(index: Index) -> None:
    said = (*SAID, Turn("assistant", "Which one?"), Turn("user", "The one with secrets"))
    given = found(index, said, retrieval="bm25-dialogue", sources=1)
    assert pages(given) == ["vaults.md"]
    assert given.query == "My vault was deleted\nWhich one?\nThe one with secrets"


def test_the_query_is_asked_for_without_sources_or_topic(index: Index) -> None:
    seen: list[Request] = []

    def script(request: Request) -> str:
        seen.append(request)
        return '{"query": "x"}'

    turns = (Turn("assistant", "Hi", (Reference("1", text="hidden text"),)), *SAID)
    found(index, turns, retrieval="bm25-dialogue", query="written", model=Scripted(script))
    asked = "".join(message.text for message in seen[0].messages)
    assert "My vault was deleted" in asked
    assert "hidden text" not in asked
    assert TOPIC.text not in asked


def test_a_source_keeps_its_number_for_the_whole_conversation() -> None:
    a, b, c = (Reference("1", text=one, extra={"page": one, "passage": 0}) for one in "abc")
    first = numbered([a, b], ())
    second = numbered([c, b, b], first)
    assert [one.id for one in first] == ["1", "2"]
    assert [one.id for one in second] == ["3", "2", "2"]


def test_all_sources_are_each_there_once_and_say_whether_any_turn_cites_them() -> None:
    a, b = (Reference(id, text=id) for id in ("10", "2"))
    said = (
        Turn("assistant", "See [10].", (a, b)),
        Turn("user", "And [2]?"),
        Turn("assistant", "x", (b,)),
    )
    assert [(one.id, one.extra["cited"]) for one in all_sources(said)] == [
        ("2", False),
        ("10", True),
    ]
