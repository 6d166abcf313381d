"""Sources of versions, by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.versions.two_versions import two_versions

from assize.versions.sources import name_sources

OLD, NEW = two_versions(3)
ITEMS = list(OLD.items.values())


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (["monday/run.jsonl", "tuesday/run.jsonl"], ["monday/run", "tuesday/run"]),
        (["gpt-4.1.jsonl", "gpt-4.5.jsonl.gz"], ["gpt-4.1", "gpt-4.5"]),
        ([OLD.table, NEW.table], ["old", "new"]),
        ([OLD.table, NEW.table, OLD.table], ["v1", "v2", "v3"]),
        (ITEMS, ["v1"]),
    ],
)
def test_what_has_no_name_gets_a_short_one(given: Any, names: list[str]) -> None:
    assert list(name_sources(given)) == names


def test_a_file_whose_name_has_an_equals_sign_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "k=v.jsonl"
    file.write_text("")
    assert name_sources([str(file)]) == {"k=v": [str(file)]}
