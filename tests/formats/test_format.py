"""What every format says of itself."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from assize.formats import FORMATS
from assize.formats.rows import Container, Sample


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_says_what_it_is(name: str) -> None:
    described = FORMATS[name]
    assert described.name == name
    assert len(described.summary.splitlines()) == 1
    assert all(described.options.values())
    assert len(set(described.columns)) == len(described.columns)
    assert described.columns or described.container != "csv"


ODD: list[tuple[Any, ...]] = [
    (),
    (None,),
    (1,),
    ([],),
    ({},),
    ({"messages": 1},),
    ({"conversations": [1]},),
    ({"conversation": [{}], "conversation_id": None},),
    ({"chosen": [], "rejected": []},),
]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("rows", ODD, ids=str)
def test_an_odd_sample_is_recognised_or_not_and_never_an_error(
    name: str, rows: tuple[Any, ...]
) -> None:
    for container in get_args(Container):
        assert isinstance(FORMATS[name].recognise(Sample(container, rows, "x")), bool)


def test_there_are_formats_of_every_kind() -> None:
    assert len(FORMATS) > 9
    assert {one.container for one in FORMATS.values()} == set(get_args(Container))
