"""What every format says of itself."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from assize.formats import FORMATS
from assize.formats.rows import Container, Sample

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
def test_a_format_has_its_own_name_and_a_summary_of_one_line(name: str) -> None:
    assert FORMATS[name].name == name
    assert FORMATS[name].summary
    assert "\n" not in FORMATS[name].summary


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("rows", ODD, ids=str)
def test_an_odd_sample_is_recognised_or_not_and_never_an_error(
    name: str, rows: tuple[Any, ...]
) -> None:
    for container in get_args(Container):
        assert isinstance(FORMATS[name].recognise(Sample(container, rows, "x")), bool)


@pytest.mark.parametrize("name", [name for name, one in FORMATS.items() if one.container == "csv"])
def test_a_format_of_tables_has_columns_of_different_names(name: str) -> None:
    columns = FORMATS[name].columns
    assert columns
    assert len(set(columns)) == len(columns)


def test_options_are_explained() -> None:
    explained = {option: text for one in FORMATS.values() for option, text in one.options.items()}
    assert explained
    assert all(explained.values())


def test_there_are_formats_of_every_kind() -> None:
    assert len(FORMATS) > 9
    assert {one.container for one in FORMATS.values()} == set(get_args(Container))
