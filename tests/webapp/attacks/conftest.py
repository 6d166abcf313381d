"""One world for all attacks: what is refused changes nothing in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from chromium import chromium
from tests.webapp.attacks.world import World, prepare_dashboards, running, work, write_hostile


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A running project of strangers, in which Ana, Ben and Lea, who leads, have worked."""
    folder = tmp_path_factory.mktemp("project")
    write_hostile(folder)
    prepare_dashboards(folder)
    with running(folder) as found:
        work(found)
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as opened:
        yield opened
