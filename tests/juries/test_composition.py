"""Who sits, and how: what is written, and what contradicts itself."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.juries import Cascade, Composition, Panel, Reliability


def test_what_contradicts_itself_is_refused() -> None:
    with pytest.raises(ConfigError, match="leave panel"):
        Composition(("da",), {"maxim": 1.0})
    with pytest.raises(ConfigError, match="learns the weights"):
        Composition(panel={"da": 2.0}, reliability=True)


@pytest.mark.parametrize(
    ("composition", "written"),
    [
        (Composition(("da", "maxim")), "da > maxim"),
        (Composition(panel={"da": 2.5, "maxim": 1.0}), "panel of da=2.5, maxim"),
        (Composition(), "panel of all"),
        (Composition(panel={"da": 1.0}, reliability=True), "reliability of da"),
    ],
)
def test_a_jury_is_written_in_one_line(composition: Composition, written: str) -> None:
    assert composition.written == written


def test_a_jury_is_named_as_it_is_typed_or_by_a_list() -> None:
    assert Cascade("da > maxim").composition() == Composition(("da", "maxim"))
    assert Cascade(["da", "maxim"], "m").composition() == Composition(("da", "maxim"), model="m")
    assert Panel().composition() == Composition()
    even = Composition(panel={"da": 1.0, "maxim": 1.0})
    assert Panel("da, maxim").composition() == Panel(("da", "maxim")).composition() == even
    weighed = Composition(panel={"da": 2.0, "maxim": 1.0}, unscored="loss", seed=3)
    assert Panel("da=2, maxim").composition("loss", 3) == weighed
    assert Panel({"da": 2.0, "maxim": 1.0}).composition("loss", 3) == weighed
    learnt = Reliability("da, maxim", exchangeable=True, anchor="gold").composition()
    assert learnt == Composition(
        panel={"da": 1.0, "maxim": 1.0}, reliability=True, exchangeable=True, anchor=("gold",)
    )


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
