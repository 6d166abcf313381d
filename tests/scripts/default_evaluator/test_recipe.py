from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scripts.default_evaluator.recipe import FILES, Corpora, Dimension, Table, sources

from assize.formats import read
from assize.judgment import Judgment

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


def test_the_left_out_corpus_is_not_among_the_sources(
    corpora: Corpora, dimensions: list[Dimension]
) -> None:
    found = sources(dimensions[0], corpora, left_out="reliable-eval")
    assert [source.corpus for source in found] == ["other"]


def test_a_target_is_a_weighted_mean_of_standardised_ratings() -> None:
    ratings = {"up": np.array([0.0, 2.0]), "down": np.array([10.0, 0.0])}
    bare = np.array(["", ""])
    one = Table(np.zeros((2, 3)), ratings, None, bare, bare)
    assert one.target({"up": 1.0, "down": -1.0}).tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("name", FILES)
def test_the_published_files_read_as_the_recipe_expects(name: str) -> None:
    path = DATA / FILES[name]
    if not path.exists():
        pytest.skip(f"{path} is not here: the corpora are no part of the project")
    kinds = {"person": 0, "items": 0}
    for record in read(path):
        if isinstance(record, Judgment):
            kinds["person"] += record.kind == "person"
        else:
            kinds["items"] += 1
    assert kinds["items"] > 100
    assert name == "hh-harmless" or kinds["person"] > kinds["items"]
