"""Who sits, and how: what is written, and what contradicts itself."""

from __future__ import annotations

import pytest

from assize.errors import ConfigError
from assize.juries import Composition


def test_what_contradicts_itself_is_refused() -> None:
    with pytest.raises(ConfigError, match="leave --panel"):
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
