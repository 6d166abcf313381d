"""Made ratings of several raters, and the figures of their long table."""

from __future__ import annotations

import pytest
from tests.formats.ratings.sheet_of_raters import (
    ANSWERS,
    QUESTIONS,
    Cells,
    alphas,
    draw_ratings,
    long,
    write_table,
)


@pytest.fixture(scope="session")
def cells() -> Cells:
    return draw_ratings()


@pytest.fixture(scope="session")
def expected(cells: Cells, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """By question the alpha that the long table of the ratings has."""
    path = tmp_path_factory.mktemp("ratings") / "long.csv"
    found = alphas(write_table(path, {"long": long(cells)}))
    assert (len(cells), set(found)) == (ANSWERS, set(QUESTIONS))
    return found
