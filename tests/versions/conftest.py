"""A folder of two versions whose judgments stand in one file."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.versions.one_file import write_versions


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_versions(tmp_path)
    return tmp_path
