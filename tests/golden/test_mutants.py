"""Every planted fault finds its place in the sources of today, and names tests that there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from golden.mutants import ROOT, Mutant, read_mutants


def test_there_are_sixty() -> None:
    assert len(read_mutants()) >= 60


@pytest.mark.parametrize("mutant", read_mutants(), ids=lambda mutant: mutant.says)
def test_a_fault_finds_its_place_once_and_its_tests(mutant: Mutant) -> None:
    source = Path(ROOT, mutant.file).read_text(encoding="utf8")
    assert mutant.mutate(source) != source
    missing = [test for test in mutant.tests.split() if not Path(ROOT, test).exists()]
    assert missing == []


def test_a_text_that_stands_twice_is_refused() -> None:
    mutant = Mutant("twice", "x.py", "a", "b", "tests")
    with pytest.raises(ValueError, match="2 times"):
        mutant.mutate("a a")
