"""What tests of several commands read."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.versions.two_versions import HELPFUL, two_versions

from assize.formats import write


@pytest.fixture
def versions(tmp_path: Path) -> list[str]:
    """Judgments and conversations of two versions, old and new."""
    files = []
    for version in two_versions():
        judged, chats = (tmp_path / f"{version.name}{end}.jsonl" for end in ("", "-chats"))
        write(judged, list(version.table), questions=[HELPFUL])
        write(chats, list(version.items.values()))
        files += [f"{version.name}={judged}", f"{version.name}={chats}"]
    return files
