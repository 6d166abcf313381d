"""One world for all attacks: what is refused changes nothing in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.webapp.attacks.world import World, fill_everything, running, write_hostile


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A running project of strangers, in which Ana, Ben and Lea, who leads, have worked."""
    folder = tmp_path_factory.mktemp("project")
    write_hostile(folder)
    with running(folder) as found:
        for name, role in (("Ana", "rater"), ("Ben", "rater"), ("Lea", "admin")):
            fill_everything(found, name, role)
        yield found
