"""Which group each item belongs to."""

from __future__ import annotations

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.judgments.membership import group_units, unit_labels

CHATS = [Conversation("V1_a", (), system="s1"), Conversation("V2_a", (), system="s2")]
UNITS = [("V1_a", None), ("V2_a", 3), ("other", None)]


def test_groups_come_from_systems_and_metadata() -> None:
    units = [("x", None), ("y", 3), ("gone", None)]
    items = [
        Conversation("x", (), system="s1", metadata={"user": {"lang": "de"}}),
        Conversation("y", (), metadata={"user": {"lang": 7}, "tags": ["t"]}),
    ]
    found = unit_labels(["rater", "system", "metadata.user.lang"], units, items)
    assert found == {"system": ("s1", None, None), "metadata.user.lang": ("de", "7", None)}
    with pytest.raises(ConfigError, match=r"no groups by 'V\(a\)'; allowed are rater, system"):
        unit_labels(["V(a)"], units, items)
    with pytest.raises(DataError, match=r"none of the 3 items has a metadata\.age.*tags, user"):
        unit_labels(["metadata.age"], units, items)
    with pytest.raises(DataError, match=r"item 'y': metadata\.tags is list"):
        unit_labels(["metadata.tags"], units, items)


def test_units_are_grouped_by_a_field_or_by_a_pattern_in_their_ids() -> None:
    by_system = group_units(UNITS, "system", CHATS)
    assert by_system.names == ("s1", "s2", None)
    assert by_system.rest == ("V1_a", "V2_a", "other")
    by_pattern = group_units(UNITS, r"(V\d)_")
    assert by_pattern.names == ("V1", "V2", None)
    assert by_pattern.rest == ("_a", "_a", "other")


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("system", "over system needs the conversations"),
        ("V(", "is no pattern"),
        ("V", "neither system nor metadata.NAME nor a pattern with a group"),
        ("(W)", "finds a group in none of 3 ids"),
    ],
)
def test_what_groups_nothing_is_refused(by: str, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        group_units(UNITS, by, option="over")
    assert said in str(error.value)
