from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.webapp.queue.rounds import conversations, task_in

from assize.conversation import Item, Pair, Turn
from assize.errors import DataError
from assize.judgment import Judgment, Unscored
from assize.webapp.exporting.rated import worked_of
from assize.webapp.tasks import Rating, Task, kind_of

AT = "2026-11-20T10:00:00+00:00"


@pytest.fixture
def pairs(tmp_path: Path) -> tuple[Task, dict[str, Item]]:
    task = Task("which", "compare", "Which?", tmp_path, settings={"why": "optional"})
    said = (Turn("assistant", "a"),)
    return task, {"p": Pair("p", (Turn("user", "hi"),), said, said)}


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_sides_are_mapped_back_to_what_was_shown(
    pairs: tuple[Task, dict[str, Item]], order: str
) -> None:
    task, records = pairs
    rating = Rating("ann", 1, 2.0, AT, "BA" if order == "BA" else None)
    answers = {"preference": "A", "why": "clearer"}
    rows = kind_of(task).judgments(task, records["p"], answers, rating)
    (one,) = worked_of(task, records, rows)
    assert one.events[0].answers == answers
    assert one.order == rating.order


def test_a_skip_comes_back_with_its_reason(pairs: tuple[Task, dict[str, Item]]) -> None:
    row = Judgment("p", "ann", "preference", unscored=Unscored("skipped", "odd"), at=AT)
    (one,) = worked_of(*pairs, [row])
    assert (one.events[0].event, one.events[0].reason) == ("skip", "odd")


def test_who_rated_and_when_comes_from_the_details(tmp_path: Path) -> None:
    conversations(tmp_path, ["c"])
    task = task_in(tmp_path)
    item = kind_of(task).items(task)[0]
    row = Judgment(
        "c", "ann", "warm", answer="2", at=AT, kind="person",
        details={"seconds": 4.5, "version": 3, "chosen": "active", "pilot": True},
    )  # fmt: skip
    (one,) = worked_of(task, {"c": item}, [row])
    assert (one.rater, one.chosen, one.pilot) == ("ann", "active", True)
    assert (one.events[0].seconds, one.events[0].version) == (4.5, 3)
    assert one.created == 1_795_168_800.0


def test_a_time_without_a_zone_is_utc(pairs: tuple[Task, dict[str, Item]]) -> None:
    row = Judgment("p", "ann", "preference", answer="A", order="AB", at=AT[:19])
    (one,) = worked_of(*pairs, [row])
    assert one.created == worked_of(*pairs, [replace(row, at=AT)])[0].created


def test_an_answer_that_the_form_does_not_offer_is_refused(tmp_path: Path) -> None:
    conversations(tmp_path, ["c"])
    task = task_in(tmp_path)
    item = kind_of(task).items(task)[0]
    rows = [Judgment("c", "ann", "warm", answer="1", turn=4)]
    with pytest.raises(DataError, match="import the folder of an export"):
        worked_of(task, {"c": item}, rows)


def test_an_answer_to_what_was_changed_since_is_not_taken_for_one_to_the_item(
    pairs: tuple[Task, dict[str, Item]],
) -> None:
    row = Judgment("p", "ann", "preference", answer="A", at=AT, details={"edition": 2})
    with pytest.raises(DataError, match=r"edition 2 of 'p', .* import the folder of an export"):
        worked_of(*pairs, [row])
