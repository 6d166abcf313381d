from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import insert, select
from tests.web.queue.rounds import Round, round_of

from assize.base.errors import DataError
from assize.web._leading.remarks import remarks, reply, settle
from assize.web._storage.engine import make_engine
from assize.web._storage.migrating import upgrade
from assize.web._storage.schema import comments, people


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Round]:
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}")
    upgrade(engine)
    with round_of(engine, tmp_path) as found:
        lead = insert(people).values(name="lea", role="admin", disabled=False, created=0.0)
        found.connection.execute(lead)
        found.people["lea"] = found.connection.scalars(
            select(people.c.id).where(people.c.name == "lea")
        ).one()
        yield found
    engine.dispose()


def said(play: Round, who: str, kind: str, text: str) -> int:
    one = play.given(who)
    row = insert(comments).values(
        task=one.task,
        item=one.item,
        assignment=one.id,
        person=one.person,
        kind=kind,
        text=text,
        at=play.tick(),
    )
    return int(play.connection.execute(row.returning(comments.c.id)).scalar_one())


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


def test_a_reply_settles_what_it_answers_and_is_itself_not_open(play: Round) -> None:
    number = said(play, "ann", "comment", "why?")
    reply(play.connection, number, play.people["lea"], " because ", play.tick())
    assert texts(play) == []
    assert "because" in texts(play, "all")


@pytest.mark.parametrize("text", ["", "   ", "x" * 1_000_000])
def test_an_empty_or_endless_reply_is_refused(play: Round, text: str) -> None:
    number = said(play, "ann", "comment", "why?")
    with pytest.raises(DataError):
        reply(play.connection, number, play.people["lea"], text, play.tick())
    with pytest.raises(DataError):
        reply(play.connection, 10_000, play.people["lea"], "x", play.tick())
