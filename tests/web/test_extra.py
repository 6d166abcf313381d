"""What the web app needs beside the base install."""

from __future__ import annotations

import sys

import pytest

from assize.base.errors import MissingExtra
from assize.web._extra import require


def test_what_is_missing_is_named_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    require()
    monkeypatch.setitem(sys.modules, "argon2", None)
    with pytest.raises(MissingExtra, match="web"):
        require()
