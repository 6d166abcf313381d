from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.simulate.mining.planted_log import SUBJECTS, BySubject, clicks, pages

from assize.base.errors import DataError
from assize.encoders.unknown_tokens import TokenCounts
from assize.simulate._funnel import Funnel
from assize.simulate._mining.mine import (
    Mining,
    choose_queries,
    corpus_of,
    draw_topics,
    with_pages,
)
from assize.simulate._mining.queries import Asked
from assize.simulate._scrubber.scrubber import Scrubber

MINING = Mining(count=5, sites=("forum.org",))


def test_each_step_is_counted() -> None:
    """82 rows, 36 satisfied (35 and the login); 36 queries chosen, of which one is no search."""
    funnel = Funnel()
    queries = choose_queries(clicks(), MINING, None, funnel)
    assert [(one.step, one.left) for one in funnel.stages] == [
        ("given", 82),
        ("clicks of 30 s or more", 36),
        ("of queries with such a click on forum.org", 71),
        ("different", 36),
        ("seek information, by rule", 35),
    ]
    assert funnel.stages[-1].gone == {"the way to a page": 1}
    assert queries[0].clicks == {
        "https://forum.org/storage keys/0": 1,
        "https://docs.org/storage keys": 1,
    }


def test_topics_are_drawn_from_every_subject_with_their_pages() -> None:
    queries = choose_queries(clicks(), MINING, None, Funnel())
    topics = draw_topics(queries, BySubject(), MINING, Funnel())
    subjects = {one.text.rpartition(" ")[0].removeprefix("how to use ") for one in topics}
    assert subjects == set(SUBJECTS)
    assert topics == draw_topics(queries, BySubject(), MINING, Funnel())


def test_the_corpus_takes_all_clicked_pages_and_topics_those_that_are_left() -> None:
    """7 forum pages a subject and one of the docs are clicked: 40; of 10 given one is gone."""
    funnel = Funnel()
    queries = choose_queries(clicks(), MINING, None, Funnel())
    documents = corpus_of(queries, pages(), None, MINING, funnel)
    assert [one.left for one in funnel.stages] == [40, 9]
    assert funnel.stages[1].gone == {"no page given": 30, "broken": 1}
    assert {one.id: one.extra["clicks"] for one in documents}["https://docs.org/storage keys"] == 7
    topics = draw_topics(queries, BySubject(), MINING, Funnel())
    known = {one.id for one in documents}
    assert all(
        {page.id for page in one.documents} <= known for one in with_pages(topics, documents)
    )


def test_what_is_personal_is_out_before_anything_else_sees_it() -> None:
    rows = [Asked("how do I tell anna@x.org about keys")]
    (found,) = choose_queries(rows, Mining(), Scrubber(), Funnel())
    assert found.text == "how do I tell [MAIL 1] about keys"


class ByAscii(BySubject):
    """Other scripts are unknown to it."""

    def token_counts(self, texts: Sequence[str]) -> list[TokenCounts]:
        return [TokenCounts(0, 1) if text.isascii() else TokenCounts(1, 0) for text in texts]


def test_a_query_that_the_encoder_cannot_read_is_counted_and_no_topic() -> None:
    texts = ["how to use key vault", "why use virtual machines", "ฉันรักแมว", "ฝนกำลังตก"]
    queries = choose_queries([Asked(text) for text in texts], Mining(rule=False), None, Funnel())
    funnel = Funnel()
    topics = draw_topics(queries, ByAscii(), Mining(count=100), funnel)
    assert all(topic.text.isascii() for topic in topics)
    assert "queries, left out 2 unreadable; " in str(funnel)
    known = [query for query in queries if query.text.isascii()]
    assert topics == draw_topics(known, BySubject(), Mining(count=100), Funnel())
    thai = [query for query in queries if not query.text.isascii()]
    with pytest.raises(DataError, match="no query can be compared: the encoder by-subject"):
        draw_topics(thai, ByAscii(), Mining(), Funnel())


def test_where_nothing_is_left_the_steps_are_named() -> None:
    with pytest.raises(DataError, match="no query is left: given: 1 rows; different: 1 q"):
        choose_queries([Asked("Hello")], Mining(), None, Funnel())
    with pytest.raises(DataError, match="no row has an address"):
        choose_queries([Asked("how so")], MINING, None, Funnel())
