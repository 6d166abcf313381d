from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.formats.any_log.paths import ABSENT, describe_missing, fields, find, without

LOG = {"who": {"role": "bot"}, "said": [{"t": "Hi"}, {"t": "Bye"}], "chat.id": 7, "none": None}


@pytest.mark.parametrize(
    ("value", "path", "found"),
    [
        (LOG, "who.role", "bot"),
        (LOG, "said.0.t", "Hi"),
        (LOG, "said.-1.t", "Bye"),
        (LOG, "said.*.t", ["Hi", "Bye"]),
        (LOG, "chat.id", 7),
        (LOG, "none", None),
        (LOG, "absent|who.role", "bot"),
        ({"m": '[{"t": "Hi"}]'}, "m.0.t", "Hi"),  # a cell that is JSON
        ({"threads": [{"m": [1, 2]}, {"m": [3]}]}, "threads.*.m", [1, 2, 3]),
    ],
)
def test_a_path_finds(value: Any, path: str, found: Any) -> None:
    assert find(value, path) == found


@pytest.mark.parametrize(
    "path", ["who.name", "said.5.t", "said.x", "chat", "chat.id.more", "said.*.u"]
)
def test_nothing_is_absent_and_not_null(path: str) -> None:
    assert find(LOG, path) is ABSENT


KEYS = st.text(min_size=1).filter(lambda key: "|" not in key and key == key.strip())


@given(st.dictionaries(KEYS, st.integers(), min_size=1))
def test_every_key_is_found_as_it_is(value: dict[str, int]) -> None:
    assert all(find(value, key) == one for key, one in value.items())


def test_what_is_lacking_says_how_far_it_goes() -> None:
    assert describe_missing(LOG, "who.name") == "is not there: who has the fields role"
    assert describe_missing({"who": "bot"}, "who.name") == "is not there: who is 'bot'"


def test_fields_are_cut_short() -> None:
    assert fields({str(n): 0 for n in range(14)}).endswith(" and 2 more")
    assert without({"a": {"b": 1, "c": 2}, "d": 3}, "a.b") == {"a": {"c": 2}, "d": 3}
