"""A pool that is read from its folder again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.base.errors import DataError
from assize.criteria._criterion import CriteriaSet, Criterion, Pattern
from assize.criteria._learning.extract import pattern_line
from assize.criteria._learning.stored import is_pool, stored_pool
from assize.criteria._reading import criteria_text

PATTERNS = (
    Pattern("c1/1", "c1", "sat", "The user confirms.", "it decides", (0, 2)),
    Pattern("c2/1", "c2", "dsat", "The user asks again."),
)
POOL = CriteriaSet("pool", (Criterion("a", "The user confirms.", "sat", patterns=("c1/1",)),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "criteria.yaml").write_text(criteria_text(POOL))
    lines = [json.dumps(pattern_line(one)) + "\n" for one in PATTERNS]
    (tmp_path / "patterns.jsonl").write_text("".join(lines))
    return tmp_path


def test_pool_and_patterns_come_back(folder: Path) -> None:
    assert is_pool(folder)
    found = stored_pool(folder)
    assert found.pool.criteria == POOL.criteria
    assert found.patterns == PATTERNS
    assert found.sides == {}


def test_a_pool_may_have_no_pattern(folder: Path) -> None:
    (folder / "patterns.jsonl").write_text("")
    assert stored_pool(folder).patterns == ()


def test_a_folder_without_patterns_is_no_pool(folder: Path) -> None:
    (folder / "patterns.jsonl").unlink()
    assert not is_pool(folder)
    assert not is_pool(folder / "criteria.yaml")


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": "x"}', "no pattern .'polarity'."),
        ('{"id": "x", "polarity": "good"}', "polarity 'good'; allowed are sat and dsat"),
        ("{not json", "no pattern"),
    ],
)
def test_a_bad_line_is_named(folder: Path, line: str, problem: str) -> None:
    with (folder / "patterns.jsonl").open("a") as file:
        file.write(line + "\n")
    with pytest.raises(DataError, match=problem) as told:
        stored_pool(folder)
    assert "patterns.jsonl:3" in str(told.value)
