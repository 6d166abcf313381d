"""Who sits, and how: what is written, and what contradicts itself."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.juries import Cascade, Jury, Panel, Reliability


@pytest.mark.parametrize(
    ("jury", "written"),
    [
        (Cascade(("da", "maxim")), "da > maxim"),
        (Panel({"da": 2.5, "maxim": 1.0}), "panel of da=2.5, maxim"),
        (Panel(), "panel of all"),
        (Reliability("da"), "reliability of da"),
    ],
)
def test_a_jury_is_written_in_one_line(jury: Jury, written: str) -> None:
    assert jury.written == written


def test_a_jury_is_named_as_it_is_typed_or_by_a_list() -> None:
    assert Cascade("da > maxim").names == Cascade(["da", "maxim"]).names == ("da", "maxim")
    assert (Panel().names, Panel().weights) == ((), {})
    even = {"da": 1.0, "maxim": 1.0}
    assert Panel("da, maxim").weights == Panel(("da", "maxim")).weights == even
    weighed = {"da": 2.0, "maxim": 1.0}
    assert Panel("da=2, maxim").weights == Panel(weighed).weights == weighed
    assert Reliability("da, maxim", anchor="gold").anchors == ("gold",)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Cascade("da > da"), "'da > da': name each judge once"),
        (lambda: Cascade(["da", "da"]), "name each judge once"),
        (lambda: Cascade([]), "name each judge once"),
        (lambda: Panel(["da", ""]), "name each judge once"),
        (lambda: Panel({"da": 0}), "the weight of da is 0; it must be above 0"),
        (lambda: Reliability("da=2, maxim"), "reliability learns the weights"),
    ],
)
def test_a_jury_that_cannot_be_is_refused_when_it_is_written(make: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make()
