from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scripts.default_evaluator.corpora import (
    PAIRS,
    RESPONSES,
    SOURCES,
    Table,
    readable,
    source_file,
)

from assize.base.judgment import Judgment
from assize.formats.reading import iter_records

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
BARE = np.array(["", ""])


def test_a_target_is_a_weighted_mean_of_standardised_ratings() -> None:
    ratings = {"up": np.array([0.0, 2.0]), "down": np.array([10.0, 0.0])}
    one = Table(np.zeros((2, 3)), ratings, None, BARE, BARE)
    assert one.target({"up": 1.0, "down": -1.0}).tolist() == [-1.0, 1.0]


def test_a_target_is_of_the_ratings_that_a_row_has() -> None:
    ratings = {"a": np.array([0.0, 2.0, 1.0]), "b": np.array([np.nan, 5.0, 7.0])}
    names = np.array(["", "", ""])
    target = Table(np.zeros((3, 1)), ratings, None, names, names).target({"a": 1.0, "b": 1.0})
    # a standardised is (-s, s, 0) with s = sqrt(3/2); b is (missing, -1, 1)
    step = np.sqrt(1.5)
    np.testing.assert_allclose(target, [-step, (step - 1) / 2, 0.5])


def test_some_rows_keep_what_belongs_to_them() -> None:
    names = np.array(["x", "y"])
    one = Table(np.eye(2), {"a": np.array([1.0, 2.0])}, names, names, names)
    kept = one.take(np.array([False, True]))
    assert kept.rows.tolist() == [[0.0, 1.0]]
    assert kept.ratings["a"].tolist() == [2.0]
    assert kept.groups is not None
    assert [*kept.groups, *kept.bots, *kept.clusters] == ["y", "y", "y"]


@pytest.mark.parametrize("name", SOURCES)
def test_the_published_files_read_as_the_recipe_expects(name: str) -> None:
    path = DATA / source_file(SOURCES[name])
    if not path.exists():
        pytest.skip(f"{path} is not here: the corpora are no part of the project")
    kinds = {"person": 0, "items": 0}
    for record in iter_records(readable(SOURCES[name], DATA)):
        if isinstance(record, Judgment):
            kinds["person"] += record.kind == "person"
        else:
            kinds["items"] += record.id.startswith(RESPONSES.get(name, ""))
    assert kinds["items"] > 100
    assert name in PAIRS or kinds["person"] > kinds["items"]
