from __future__ import annotations

import math

import pytest

from assize.web._monitor.collected import Work
from assize.web._monitor.progress import Progress, progress


@pytest.fixture
def found() -> Progress:
    work = [
        Work("ann", "i", seconds=60, submitted=5.0),
        Work("bob", "i", seconds=30, submitted=6.0, chosen="file"),
        Work("ann", "j", seconds=90, submitted=7.0),
        Work("ann", "g", purpose="gold", chosen="gold", seconds=20, submitted=8.0),
        Work("bob", "j", state="skipped", reason="not in my language"),
        Work("bob", "k", state="reserved"),
        Work("cy", "k", state="expired"),
    ]
    return progress(work, ["i", "j", "k"], 2)


def test_items_are_complete_with_as_many_ratings_as_asked_for(found: Progress) -> None:
    assert (found.items, found.complete, found.ratings, found.needed) == (3, 1, 3, 3)
    assert found.share == 0.5
    assert found.by_count == [1, 1, 1]


def test_what_is_left_is_the_mean_time_of_the_ratings_that_are_missing(found: Progress) -> None:
    assert found.left_hours == pytest.approx(3 * 60 / 3600)
    assert found.seconds == 60


def test_each_rater_has_what_they_did(found: Progress) -> None:
    ann, bob, cy = found.raters
    assert (ann.done, ann.gold, ann.open, ann.last) == (3, 1, 0, 8.0)
    assert ann.seconds == 60
    assert ann.per_hour == pytest.approx(3 * 3600 / 170)
    assert (bob.skipped, bob.open) == ({"not in my language": 1}, 1)
    assert (cy.expired, cy.done, cy.last) == (1, 0, None)
    assert math.isnan(cy.per_hour)


def test_how_items_were_chosen_is_counted(found: Progress) -> None:
    assert found.chosen == {"random": 2, "file": 1, "gold": 1}


def test_more_ratings_than_asked_for_count_as_no_more() -> None:
    work = [Work(name, "i") for name in "abc"]
    found = progress(work, ["i", "j"], 2)
    assert (found.ratings, found.needed) == (2, 2)
    assert found.by_count == [1, 0, 0, 1]


def test_a_task_without_items_has_no_share() -> None:
    assert math.isnan(progress([], [], 3).share)
