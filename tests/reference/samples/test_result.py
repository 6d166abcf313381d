"""Shares by kind of place."""

from __future__ import annotations

import math

from assize.base.conversation import Continuation, Turn
from assize.base.judgment import Judgment, Unscored
from assize.reference._samples.result import (
    Group,
    Multiplicity,
    Trial,
    note_places,
    share_places,
)
from assize.stats import share, wilson


def trial(group: Group, number: int, answer: str | None, conversation: str = "") -> Trial:
    name = conversation or f"c{number}"
    hi = (Turn("user", "Hi"),)
    place = Continuation(f"{group}/{number}", hi, "", (), name, 1, metadata={"set": group})
    unscored = Unscored("timeout") if answer is None else None
    return Trial(place, Judgment(place.id, "j", "equivalent", answer=answer, unscored=unscored))


TRIALS = (
    *(trial("open-ended", n, "yes" if n < 7 else "no") for n in range(10)),
    *(trial("first turn", n, "yes" if n < 9 else None) for n in range(10)),
    *(trial("random turn", n, "yes" if n < 6 else "no", f"c{n // 4}") for n in range(12)),
)
FOUND = Multiplicity(share_places(TRIALS), {}, TRIALS, note_places(TRIALS, 12, None))
OPEN, FIRST, RANDOM = FOUND.places


def test_shares_are_of_the_scored_with_wilsons_interval() -> None:
    found = OPEN.equivalent
    assert (found.estimate, found.interval) == (0.7, wilson(7, 10).interval)
    first = FIRST.equivalent
    assert (first.estimate, first.n, first.unscored) == (1.0, 9, 1)


def test_random_turns_of_one_conversation_belong_together() -> None:
    ours = [trial for trial in TRIALS if trial.place.metadata["set"] == "random turn"]
    clusters = [str(one.place.conversation) for one in ours]
    expected = share([one.equivalent for one in ours], clusters=clusters)
    found = RANDOM.equivalent
    assert RANDOM.conversations == 3
    assert found.interval == expected.interval
    assert found.interval[0] < wilson(6, 12).interval[0]
    assert found.clusters == 3


def test_what_is_missing_is_counted_and_said() -> None:
    assert FOUND.missing == (1, 32)
    told = "\n".join(FOUND.notes)
    assert "open-ended: 10 of 12 places are there" in told
    assert "1 unscored: timeout (the same command asks again)" in told


def test_without_places_there_is_no_share() -> None:
    empty = Multiplicity(share_places(()), {}, ())
    found = empty.places[2].equivalent
    assert math.isnan(found.estimate)
    assert found.reason
    assert empty.to_json()["places"][1]["equivalent"]["estimate"] is None
    assert str(empty)
