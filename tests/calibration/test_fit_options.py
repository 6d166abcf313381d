from __future__ import annotations

import pytest

from assize.calibration import FitOptions
from assize.errors import ConfigError


def test_what_is_personal_is_one_of_two() -> None:
    assert FitOptions(personal="last").personal == "last"
    with pytest.raises(ConfigError, match="personal first: allowed are all and last"):
        FitOptions(personal="first")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("option", "given"),
    [("grid", "small"), ("folds", 3), ("seeds", 2), ("dropout", 0.0), ("answer_embeddings", 5)],
)
def test_an_option_of_the_search_is_refused_where_nothing_is_searched(
    option: str, given: object
) -> None:
    FitOptions(personal="last", seed=3).check_no_search()
    with pytest.raises(ConfigError, match=f"{option} is for network paper"):
        FitOptions(**{option: given}).check_no_search()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("option", "given", "allowed"),
    [
        ("folds", 1, "at least 2"),
        ("seeds", 0, "at least 1"),
        ("dropout", 0.95, "0 to 0.9"),
        ("answer_embeddings", 0, "at least 1"),
    ],
)
def test_a_number_outside_its_range_is_refused(option: str, given: float, allowed: str) -> None:
    with pytest.raises(ConfigError, match=f"{option}: received {given}, allowed is {allowed}"):
        FitOptions(**{option: given})  # type: ignore[arg-type]
