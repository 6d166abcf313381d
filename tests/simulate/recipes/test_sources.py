"""Documents come from a search or from the topic, numbered as they are cited."""

from __future__ import annotations

import asyncio

from dialogue_parts import PAGES, sources

from assize.base.conversation import Reference
from assize.retrieval import Cutting
from assize.simulate._recipes.sources import Sources, pages_of
from assize.simulate._topics_file import Topic


def test_a_search_gives_five_sources_numbered_from_one() -> None:
    found = asyncio.run(sources().found("rotate thing3"))
    assert [one.id for one in found] == ["1", "2", "3", "4", "5"]
    assert found[0].extra["page"] == "p3"
    assert asyncio.run(sources().found("zebra")) == ()
    assert asyncio.run(Sources().found("anything")) == ()


def test_documents_of_a_topic_are_those_most_clicked_whose_text_is_known() -> None:
    pages = [
        Reference("p1"),
        Reference("own", "Mine", "my text", {"clicks": 9}),
        Reference("gone"),
        Reference("p2", extra={"clicks": 3}),
    ]
    shown = sources(top=2).given(Topic("t", "x", tuple(pages)))
    assert [(one.id, one.extra["page"]) for one in shown] == [("1", "own"), ("2", "p2")]
    assert shown[1].text == PAGES[2]["text"]


def test_a_long_document_is_shown_by_the_passage_that_fits_or_whole() -> None:
    text = " ".join(f"word{n}" for n in range(100))
    topic = Topic("t", "word77", (Reference("long", "", text),))
    cut = Sources(None, cutting=Cutting(20, 0)).given(topic)[0]
    assert "word77" in cut.text.split()
    assert len(cut.text.split()) == 20
    other = Topic("t", "zebra", topic.documents)
    assert Sources(None, cutting=Cutting(20, 0)).given(other)[0].text.startswith("word0 ")
    assert Sources(None, cutting=Cutting(None)).given(topic)[0].text == text


def test_what_is_shown_is_described() -> None:
    found = asyncio.run(sources(top=3).found("rotate thing3"))
    assert pages_of([*found, *found]) == pages_of(found)
    assert sources().described()["shown"] == "passages of 300 words, 50 of them shared"
