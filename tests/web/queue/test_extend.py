from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.queue.rounds import Round, assignment, check, round_of

from assize.base.errors import ConfigError
from assize.web._queue import Gone
from assize.web._queue.reassign import extend
from assize.web._storage.engine import make_engine
from assize.web._storage.migrating import upgrade


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Round]:
    engine = make_engine(f"sqlite:///{tmp_path / 'x.db'}")
    upgrade(engine)
    with round_of(engine, tmp_path) as found:
        found.sync(replace(found.task, raters_per_item=1, hash="one"))
        yield found
    engine.dispose()


def test_a_reservation_is_kept_until_the_time_that_is_said(play: Round) -> None:
    one = play.given("ann")
    extend(play.connection, play.task, one.id, play.now + 90_000, play.tick())
    play.tick(80_000)
    assert one.key not in {other.key for other in play.worked("bob")}
    assert assignment(play.connection, one.id, one.person).state == "reserved"


def test_one_that_ran_out_is_reserved_again_unless_others_have_it(play: Round) -> None:
    one = play.given("ann")
    play.tick(4_000)
    play.given("bob")
    assert assignment(play.connection, one.id, one.person).state == "expired"
    extend(play.connection, play.task, one.id, play.now + 5_000, play.tick())
    assert assignment(play.connection, one.id, one.person).state == "reserved"
    check(play.connection, play.task)
    play.tick(6_000)
    play.worked("cat")
    with pytest.raises(Gone):
        extend(play.connection, play.task, one.id, play.now + 5_000, play.tick())


def test_what_is_no_reservation_and_a_time_that_is_over_are_refused(play: Round) -> None:
    done = play.answer(play.given("ann"))
    for number, until in ((done.id, 9e9), (10_000, 9e9), (play.given("ann").id, 1.0)):
        with pytest.raises(ConfigError):
            extend(play.connection, play.task, number, until, play.tick())
