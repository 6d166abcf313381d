"""The table of judges."""

from __future__ import annotations

import pytest

from assize.errors import ConfigError
from assize.judging.table import JUDGES, offer


@pytest.mark.parametrize("name", JUDGES)
def test_every_row_names_something_that_opens_judges(name: str) -> None:
    found = offer(name)
    assert found.about
    assert callable(found.open)


def test_an_unknown_judge_lists_the_known() -> None:
    with pytest.raises(ConfigError, match="explained-fewshot"):
        offer("nobody")
