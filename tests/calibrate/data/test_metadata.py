from __future__ import annotations

import numpy as np
import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.metadata import metadata_blocks, metadata_features, with_metadata

TURNS = (Turn("user", "Hello"),)
CHATS = [
    Conversation("i0", TURNS, "a", {"topic": "tax"}),
    Conversation("i1", TURNS, "b", {"topic": "rain"}),
    Conversation("i2", TURNS, "a", {}),
]
UNITS = [(f"i{n}", None) for n in range(4)]


def answered() -> Features:
    block = Block("m", "", "Q", ("1", "2"), (1, 2), ordered=True)
    return Features(tuple(UNITS), (block,), np.full((4, 2), 0.5))


def test_a_field_is_a_column_a_value_and_what_is_not_known_is_missing() -> None:
    found = metadata_features(UNITS, CHATS, ["system", "metadata.topic"])
    assert [block.answers for block in found.blocks] == [("a", "b"), ("rain", "tax")]
    assert all(block.late for block in found.blocks)
    gap = [np.nan, np.nan]
    wanted = [[1, 0, 0, 1], [0, 1, 1, 0], [1, 0, *gap], [*gap, *gap]]
    assert np.array_equal(found.x, np.array(wanted, dtype=float), equal_nan=True)


def test_new_values_and_masked_fields_are_missing() -> None:
    blocks = metadata_features(UNITS, CHATS, ["system", "metadata.topic"]).blocks
    new = [Conversation("i0", TURNS, "z", {"topic": "tax"})]
    found = with_metadata(answered(), blocks, new).aligned([*answered().blocks, *blocks])
    assert np.isnan(found.x[0, 2:4]).all()
    assert found.x[0, 4:].tolist() == [0, 1]
    only = with_metadata(answered(), blocks, CHATS, ["system"])
    assert [block.question for block in metadata_blocks(only.blocks)] == ["metadata.topic"]
    assert with_metadata(answered(), blocks, CHATS, ["all"]).blocks == answered().blocks
    assert with_metadata(answered(), answered().blocks, CHATS).blocks == answered().blocks


@pytest.mark.parametrize(
    ("chats", "fields", "message"),
    [
        (CHATS, ["rater"], "who rated is known without"),
        (CHATS, ["system", "system"], "each field once"),
        (CHATS, ["metadata.date"], "none of the 4 items has a metadata.date"),
        ([CHATS[0], CHATS[2]], ["system"], "the same system"),
    ],
)
def test_what_says_nothing_is_refused(
    chats: list[Conversation], fields: list[str], message: str
) -> None:
    with pytest.raises((ConfigError, DataError), match=message):
        metadata_features(UNITS, chats, fields)


def test_only_what_is_read_can_be_masked() -> None:
    blocks = metadata_features(UNITS, CHATS, ["system"]).blocks
    with pytest.raises(ConfigError, match=r"mask metadata.topic: the calibrator reads system"):
        with_metadata(answered(), blocks, CHATS, ["metadata.topic"])
