"""A task in a database that two people work on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.web.queue.rounds import Round, round_of

from assize.web._storage import Store

IDS = [f"c{n}" for n in range(4)]


@pytest.fixture
def play(store: Store, tmp_path: Path) -> Iterator[Round]:
    """Four items, two raters each."""
    with round_of(store.engine, tmp_path, len(IDS), ("ann", "bob")) as found:
        yield found
