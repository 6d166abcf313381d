from __future__ import annotations

import pytest

from assize.calibration import FitOptions
from assize.errors import ConfigError


def test_what_is_personal_is_one_of_two() -> None:
    assert FitOptions(personal="last").personal == "last"
    with pytest.raises(ConfigError, match="--personal first: allowed are all and last"):
        FitOptions(personal="first")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("option", "given"),
    [("grid", "small"), ("folds", 3), ("seeds", 2), ("dropout", 0.0), ("answer_embeddings", 5)],
)
def test_an_option_of_the_search_is_refused_where_nothing_is_searched(
    option: str, given: object
) -> None:
    FitOptions(personal="last", seed=3).check_no_search()
    with pytest.raises(ConfigError, match=f"--{option.replace('_', '-')} is for --network paper"):
        FitOptions(**{option: given}).check_no_search()  # type: ignore[arg-type]
