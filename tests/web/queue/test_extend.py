from __future__ import annotations

import pytest
from tests.web.queue.rounds import Round, assignment, check

from assize.base.errors import ConfigError
from assize.web._queue import Gone
from assize.web._queue.reassign import extend


def test_a_reservation_is_kept_until_the_time_that_is_said(scarce: Round) -> None:
    one = scarce.given("ann")
    extend(scarce.connection, scarce.task, one.id, scarce.now + 90_000, scarce.tick())
    scarce.tick(80_000)
    assert one.key not in {other.key for other in scarce.worked("bob")}
    assert assignment(scarce.connection, one.id, one.person).state == "reserved"


def test_one_that_ran_out_is_reserved_again_unless_others_have_it(scarce: Round) -> None:
    one = scarce.given("ann")
    scarce.tick(4_000)
    scarce.given("bob")
    assert assignment(scarce.connection, one.id, one.person).state == "expired"
    extend(scarce.connection, scarce.task, one.id, scarce.now + 5_000, scarce.tick())
    assert assignment(scarce.connection, one.id, one.person).state == "reserved"
    check(scarce.connection, scarce.task)
    scarce.tick(6_000)
    scarce.worked("cat")
    with pytest.raises(Gone):
        extend(scarce.connection, scarce.task, one.id, scarce.now + 5_000, scarce.tick())


def test_what_is_no_reservation_and_a_time_that_is_over_are_refused(scarce: Round) -> None:
    done = scarce.answer(scarce.given("ann"))
    for number, until in ((done.id, 9e9), (10_000, 9e9), (scarce.given("ann").id, 1.0)):
        with pytest.raises(ConfigError):
            extend(scarce.connection, scarce.task, number, until, scarce.tick())
