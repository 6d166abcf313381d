"""Mutated indexes of pages: each is opened and searched, or refused.

An index may come from anybody, with sizes that are right: its manifest, its lines of pages and its
arrays are damaged or made odd.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from tests.fuzz.fuzzing import Folder, contents, damaged, fill, fuzz, tries
from tests.fuzz.test_artefacts import nearly, other_array
from tests.fuzz.test_replies import mutated

from assize.retrieval import Cutting, Page, build_index, open_index

PAGES = [
    Page("one", "Keys are rotated once a year. " * 6 + "Storage keys expire.", "Keys"),
    Page("two", "Who rotates a key writes it down, and says so. " * 3, "", {"url": "http://x"}),
    Page("three", "An index of words."),
]


@pytest.fixture(scope="module")
def seeds(tmp_path_factory: pytest.TempPathFactory) -> list[Folder]:
    place = tmp_path_factory.mktemp("seeds")
    for name, cutting in (("cut", Cutting(8, 2)), ("whole", Cutting(None))):
        build_index(PAGES, place / name, cutting)
    return [contents(folder) for folder in sorted(place.iterdir())]


def changed(name: str, data: bytes, rng: random.Random) -> bytes:
    """A file with damaged bytes, or with odd facts, pages or numbers."""
    if rng.random() < 0.3:
        return damaged(data, rng)
    if name.endswith(".npy"):
        out = io.BytesIO()
        array = other_array(np.load(io.BytesIO(data)), rng)
        np.save(out, np.zeros(0) if array is None else array)
        return out.getvalue()
    odd = rng.choice([nearly, mutated])
    lines = data.splitlines() if name.endswith(".jsonl") else [data]
    at = rng.randrange(len(lines))
    lines[at] = json.dumps(odd(json.loads(lines[at]), rng)).encode()
    return b"\n".join(lines) + b"\n" * name.endswith(".jsonl")


def inputs(seeds: list[Folder], rng: random.Random, count: int) -> Iterator[Folder]:
    for _ in range(count):
        files = dict(rng.choice(seeds))
        for name in rng.sample(sorted(files), rng.choice([1, 1, 2])):
            files[name] = changed(name, files[name], rng)
        yield files


def use(folder: Path, files: Folder) -> None:
    """What the commands do with an index."""
    fill(folder, files)
    index = open_index(folder)
    for query in ("rotated keys", "nothing of it"):
        for hit in index.search(query, 2):
            assert hit.score >= 0
    index.longest(2)
    for page in index.pages:
        assert index.page(page.id) is not None
    assert index.signature


@pytest.mark.filterwarnings("default")
def test_a_mutated_index_is_searched_or_refused(seeds: list[Folder], tmp_path: Path) -> None:
    indexes = inputs(seeds, random.Random(0), tries(400))
    assert fuzz("indexes", indexes, partial(use, tmp_path / "x"), sound=seeds).mixed
