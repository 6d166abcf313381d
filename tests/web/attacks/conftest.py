"""One world for all attacks: what is refused changes nothing in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from postgres import Postgres
from tests.web.attacks.world import World, prepare_dashboards, running, work, write_hostile


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A running project of strangers, in which Ana, Ben and Lea, who leads, have worked."""
    with _made(tmp_path_factory.mktemp("project")) as found:
        yield found


@pytest.fixture(scope="session")
def postgres_world(
    tmp_path_factory: pytest.TempPathFactory, postgres_server: Postgres
) -> Iterator[World]:
    """The same on PostgreSQL."""
    folder = tmp_path_factory.mktemp("project")
    with _made(folder, postgres_server.database()) as found:
        yield found


@contextmanager
def _made(folder: Path, database: str | None = None) -> Iterator[World]:
    write_hostile(folder)
    prepare_dashboards(folder)
    with running(folder, database=database) as found:
        work(found)
        yield found


@contextmanager
def left_alone(world: World) -> Iterator[World]:
    """Nothing in the world is changed until the block ends."""
    before = world.state()
    yield world
    assert world.state() == before


@pytest.fixture
def unchanged(world: World) -> Iterator[World]:
    """The world, in which the test may change nothing; everybody is there and was crawled."""
    for name, role in (("Ana", "rater"), ("Ben", "rater"), ("Eve", "rater"), ("Lea", "admin")):
        world.crawled(name, role)
    with left_alone(world) as found:
        yield found
