from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.calibrate import Default, Private, Published


@pytest.mark.parametrize("kind", [Default, Published])
def test_what_is_personal_is_one_of_two(kind: Any) -> None:
    assert kind(personal="last").personal == "last"
    with pytest.raises(ConfigError, match="personal first: allowed are all and last"):
        kind(personal="first")


def test_what_cannot_be_together_cannot_be_written() -> None:
    """Nothing is searched but by the published network, and sets have levels in the default."""
    own = {kind: {part.name for part in fields(kind)} for kind in (Default, Published, Private)}
    assert own[Default] & own[Published] == {"personal", "joint_errors", "seed"}
    assert own[Private] & (own[Default] | own[Published]) == set()


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("folds", 1, "at least 2"),
        ("seeds", 0, "at least 1"),
        ("dropout", 0.95, "0 to 0.9"),
        ("answer_embeddings", 0, "at least 1"),
        ("start", 11, "0.001 to 10"),
        ("mask_questions", -0.1, "0 to 0.9"),
    ],
)
def test_a_number_outside_its_range_is_refused(option: str, value: float, allowed: str) -> None:
    with pytest.raises(ConfigError, match=f"{option}: received {value}, allowed is {allowed}"):
        Published(**{option: value})  # type: ignore[arg-type]


def test_a_grid_that_there_is_not_is_refused() -> None:
    with pytest.raises(ConfigError, match="grid large: allowed are small and published"):
        Published(grid="large")  # type: ignore[arg-type]
