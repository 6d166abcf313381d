"""How far a task is, by what people did."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from tests.web.monitor.worked import Worked, two, write_project

from assize.web._progress import read_progress


def test_ratings_skips_and_times_are_counted(tmp_path: Path) -> None:
    write_project(tmp_path, items=3)
    worked = Worked(tmp_path)
    worked.rate("ann", lambda *_: two("1", "2"))
    worked.rate("bob", lambda *_: two("1", "2"), most=1)
    worked.rate("cy", lambda _, one: None if one.key == "c0" else two("2", "2"))
    found = worked.store.read_now(read_progress, worked.task)
    ann, bob, cy = found.by_rater
    assert (found.items, found.complete, found.ratings, found.needed) == (3, 1, 6, 9)
    assert (ann.done, ann.skipped, ann.seconds, ann.an_hour) == (3, 0, 30, 120)
    assert (bob.done, cy.done, cy.skipped) == (1, 2, 1)
    assert (found.skipped, found.reasons) == (1, {"no idea": 1})
    assert found.chosen == {"at random": 6}
    assert found.hours == pytest.approx(3 * 30 / 3600)
    assert ann.last.startswith("2023-11-14")


def test_before_anybody_has_begun_nothing_is_known(tmp_path: Path) -> None:
    write_project(tmp_path, items=2)
    worked = Worked(tmp_path)
    found = worked.store.read_now(read_progress, worked.task)
    assert (found.ratings, found.needed, list(found.by_rater)) == (0, 6, [])
    assert math.isnan(found.hours)
