"""The tree of errors, and what their messages say."""

from __future__ import annotations

import inspect
import re

import pytest

from assize.base import errors
from assize.base.errors import (
    AssizeError,
    ConfigError,
    DataError,
    Interrupted,
    MissingExtra,
    ModelError,
)

CLASSES = [
    one
    for one in vars(errors).values()
    if inspect.isclass(one) and one.__module__ == errors.__name__
]


def drawn() -> dict[str, str | None]:
    """Each class that the module's drawing shows, with the one above it."""
    found: dict[str, str | None] = {}
    above: list[str] = []
    for line in str(errors.__doc__).splitlines():
        if match := re.match(r"    ([│├└─ ]*)(\w+Error|Missing\w+|ModelTimeout|Stopped)", line):
            depth = len(match[1]) // 4
            above = [*above[:depth], match[2]]
            found[match[2]] = above[depth - 1] if depth else None
    return found


def test_the_tree_is_as_it_is_drawn() -> None:
    assert drawn() == {
        one.__name__: None if one is AssizeError else one.__bases__[0].__name__
        for one in CLASSES
        if one is not Interrupted  # which is no failure
    }


def test_only_errors_that_time_can_mend_are_retried() -> None:
    retried = {one.__name__ for one in CLASSES if issubclass(one, ModelError) and one.retryable}
    assert retried == {"RateLimitError", "ModelTimeout", "ServerError", "UnreachableError"}


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (DataError("is bad"), "is bad"),
        (DataError("is bad", field="turns[0]"), "turns[0]: is bad"),
        (DataError("is bad", source="a.csv"), "a.csv: is bad"),
        (DataError("is bad", source="a.csv", line=17), "a.csv:17: is bad"),
        (DataError("is bad", source="a.csv", line=17, field="id"), "a.csv:17: id: is bad"),
        (DataError("is bad", field="id").at("a.csv", 17), "a.csv:17: id: is bad"),
        (DataError("is bad", source="b.csv", line=3).at("a.csv", 17), "b.csv:3: is bad"),
        (DataError("is bad").at("a.yaml", None), "a.yaml: is bad"),
    ],
)
def test_a_data_error_says_where_before_what(error: DataError, message: str) -> None:
    assert str(error) == message


def test_a_missing_extra_says_what_to_install_and_is_a_matter_of_configuration() -> None:
    error = MissingExtra("drawing", extra="report", missing="altair")
    assert isinstance(error, ConfigError)
    assert error.extra == "report"
    assert str(error).endswith(
        "needs altair, which is not installed: in the clone, pip install '.[report]'"
    )
