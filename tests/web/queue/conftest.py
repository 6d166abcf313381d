"""Tasks that people work on, in databases that are emptied for each test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.queue.office import ANNA, Office, office_in
from tests.web.queue.rounds import Round
from tests.web.tasks.test_write import TEXTS

from assize.web._queue import Assignment
from assize.web._storage import Store


@pytest.fixture
def one(play: Round) -> Assignment:
    """Ann's first item."""
    return play.given("ann")


@pytest.fixture
def done(play: Round, one: Assignment) -> Assignment:
    """Ann's first item, answered."""
    return play.answer(one)


@pytest.fixture
def scarce(play: Round) -> Round:
    """Ten items, one rater each."""
    play.sync(replace(play.task, raters_per_item=1, hash="one"))
    return play


@pytest.fixture
def office(either_store: Store, tmp_path: Path) -> Iterator[Office]:
    """Writers and proofreaders, on each database."""
    with office_in(tmp_path, either_store.engine) as found:
        yield found


@pytest.fixture
def written(office: Office) -> Assignment:
    """What Anna wrote, which stands to be read."""
    done = office.write(ANNA, TEXTS)
    assert office.passed() == 1
    return done
