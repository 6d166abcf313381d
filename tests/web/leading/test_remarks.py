from __future__ import annotations

import pytest
from sqlalchemy import func, select
from tests.web.queue.rounds import Round, add_people

from assize.base.errors import DataError
from assize.web._leading.remarks import remarks, reply, settle
from assize.web._raters.comments import Kind, add_comment
from assize.web._storage.schema import comments


@pytest.fixture
def lead(play: Round) -> int:
    return add_people(play.connection, ["lea"])["lea"]


def said(play: Round, who: str, kind: Kind, text: str) -> int:
    add_comment(play.connection, play.given(who), kind, text, play.tick())
    return int(play.connection.scalars(select(func.max(comments.c.id))).one())


def texts(play: Round, which: str = "open") -> list[str]:
    return [one.text for one in remarks(play.connection, which)[0]]  # type: ignore[arg-type]


def test_the_newest_come_first_and_what_is_settled_is_open_no_more(play: Round) -> None:
    first, _ = said(play, "ann", "flag", "odd"), said(play, "bob", "comment", "why?")
    assert texts(play) == ["why?", "odd"]
    assert texts(play, "flags") == ["odd"]
    assert settle(play.connection, first, 5.0)
    assert texts(play) == ["why?"]
    assert texts(play, "settled") == ["odd"]
    assert settle(play.connection, first, None)
    assert len(texts(play)) == 2
    assert not settle(play.connection, 10_000, 5.0)


def test_a_reply_settles_what_it_answers_and_is_itself_not_open(play: Round, lead: int) -> None:
    number = said(play, "ann", "comment", "why?")
    reply(play.connection, number, lead, " because ", play.tick())
    assert texts(play) == []
    assert "because" in texts(play, "all")


@pytest.mark.parametrize("text", ["", "   ", "x" * 1_000_000])
def test_an_empty_or_endless_reply_is_refused(play: Round, lead: int, text: str) -> None:
    number = said(play, "ann", "comment", "why?")
    with pytest.raises(DataError):
        reply(play.connection, number, lead, text, play.tick())
    with pytest.raises(DataError):
        reply(play.connection, 10_000, lead, "x", play.tick())
