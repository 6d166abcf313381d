"""Every kind of file that assize reads, and every kind of artefact, has a fuzzer."""

from __future__ import annotations

import re
from pathlib import Path

from tests.fuzz.test_written_files import FILES
from tests.test_names_in_files import PLANTS, READERS, SOURCE

FUZZERS = {
    "calibrator": "artefacts",
    "evaluator": "artefacts",
    "tagger": "artefacts",
    "training": "artefacts",
    "ensemble": "ensembles",
    "index": "indexes",
    "run": "run folders",
}
"""By kind, as `PLANTS` has them, what its fuzzer calls its inputs; `FILES` has the others."""


def fuzzed() -> set[str]:
    """What the fuzzers call their inputs."""
    texts = (path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    return {name for text in texts for name in re.findall(r'fuzz\(\s*"([^"]+)"', text)}


def test_every_kind_of_file_that_is_read_has_a_fuzzer() -> None:
    assert PLANTS.keys() == FUZZERS.keys() | (FILES.keys() & PLANTS.keys())
    assert set(FUZZERS.values()) <= fuzzed()


def test_every_kind_of_artefact_has_a_fuzzer() -> None:
    kinds = [
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if "= Kind(\n" in path.read_text(encoding="utf-8")
    ]
    assert kinds
    assert {READERS[name].removeprefix("plant ") for name in kinds} <= FUZZERS.keys()
