"""Values that are too deep for whoever goes through them by calling itself."""

from __future__ import annotations

import json

import pytest

from assize.base.depth import DEEPEST, check_depth, parse_toml


def test_a_value_may_be_as_deep_as_the_bound_and_no_deeper() -> None:
    for opened, closed in (("[", "]"), ('{"a": ', "}")):
        deep = json.loads(opened * DEEPEST + "1" + closed * DEEPEST)
        assert check_depth(deep) is deep
        with pytest.raises(ValueError, match="more than 100 deep"):
            check_depth([deep])


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 5_000 + "]" * 5_000,
        ".".join("a" * 5_000) + " = 1",
        f"[{'.'.join('a' * 101)}]",
    ],
)
def test_toml_that_is_too_deep_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="more than 100 deep"):
        parse_toml(text)
