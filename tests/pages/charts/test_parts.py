"""What charts share."""

from __future__ import annotations

import pytest

from assize.pages import charts
from assize.pages.charts import parts


@pytest.mark.parametrize("count", [0, 1, 2, 7, 30])
def test_a_ramp_has_as_many_colours_as_asked(count: int) -> None:
    assert len(charts.ramp(count)) == count


def test_a_span_holds_all_values_and_has_some_width() -> None:
    low, high = parts.span([0.5, 2.0])
    assert low <= 0.5
    assert high >= 2.0
    low, high = parts.span([1.0])
    assert low < high


def test_a_long_name_leaves_less_room_to_the_plot() -> None:
    assert parts.room(["a"]) > parts.room(["a", "a much longer name"])
