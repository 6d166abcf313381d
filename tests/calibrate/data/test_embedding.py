from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.conftest import answer_rows, make_table, vector

from assize.base.conversation import Continuation, Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.calibrate._data.embedding import (
    embed_conversations,
    embedding_blocks,
    features_for,
)
from assize.encoders import load_encoder

CHATS = [
    Conversation("i0", (Turn("user", "Hello"), Turn("assistant", "Rain"), Turn("user", "Why?"))),
    Conversation("i1", (Turn("system", "Be nice"), Turn("assistant", "Cake"))),
]
UNITS = [("i0", None), ("i0", 1), ("i1", None), ("gone", None)]


def test_turns_of_either_side_are_averaged_up_to_the_one_that_is_judged() -> None:
    found = embed_conversations(UNITS, CHATS, load_encoder("minilm"), "minilm")
    user, assistant = found.x[:, :384], found.x[:, 384:]
    assert user[0] == pytest.approx((vector("Hello") + vector("Why?")) / 2, abs=1e-5)
    assert user[1] == pytest.approx(vector("Hello"), abs=1e-5)
    assert assistant[2] == pytest.approx(vector("Cake"), abs=1e-5)
    assert np.isnan(user[2]).all()
    assert np.isnan(found.x[3]).all()
    assert [block.late for block in found.blocks] == [True]


def test_a_candidate_is_embedded_as_the_assistants_turn() -> None:
    one = Continuation("k", (Turn("user", "Hello"),), "Cake", ("said",))
    found = embed_conversations([("k", None)], [one], load_encoder("minilm"), "minilm")
    assert found.x[0, 384:] == pytest.approx(vector("Cake"), abs=1e-5)


def test_turns_that_the_encoder_cannot_read_are_missing() -> None:
    turns = (Turn("user", "Hello"), Turn("assistant", "ฝนกำลังตก"), Turn("user", "👍"))
    found = embed_conversations(
        [("i0", None)], [Conversation("i0", turns)], load_encoder("minilm"), "minilm"
    )
    assert not np.isnan(found.x[0, :384]).any()
    assert np.isnan(found.x[0, 384:]).all()


def test_ids_that_are_no_conversations_are_an_error() -> None:
    with pytest.raises(DataError, match="none of the items with answers is among"):
        embed_conversations([("x", None)], CHATS, load_encoder("minilm"), "minilm")


SAID = make_table([row for row in answer_rows() if row.item in ("i0", "i1")])


def test_embeddings_that_were_fitted_are_made_anew() -> None:
    blocks = features_for([], SAID).blocks
    embedded = embed_conversations(UNITS[:1], CHATS, load_encoder("minilm"), "minilm").blocks
    found = features_for([*blocks, *embedded], SAID, CHATS)
    assert embedding_blocks(found.blocks) == list(embedded)
    assert not np.isnan(found.x[0]).any()
    assert not np.isnan(found.x[:, found.columns[-1]]).all(axis=1).any()
    with pytest.raises(ConfigError, match="reads the conversations' embeddings: give items"):
        features_for(embedded, SAID)
    other = Judgment("i5", "m", "Q0", answer="1", kind="model")
    more = features_for([*blocks, *embedded], make_table([*SAID, other]), CHATS)
    assert np.isnan(more.x[:, more.columns[-1]]).all(axis=1).tolist() == [False, False, True]


def test_an_encoder_that_is_not_built_in_needs_the_users_word() -> None:
    """A calibrator's folder says the name; nothing is opened by it alone."""
    blocks = features_for([], SAID).blocks
    (embedded,) = embed_conversations(UNITS[:1], CHATS, load_encoder("minilm"), "openai:e").blocks
    with pytest.raises(ConfigError, match=r"encoder openai:e;.*--encoder openai:e"):
        features_for([*blocks, embedded], SAID, CHATS)
    found = features_for([*blocks, embedded], SAID, CHATS, {embedded: "minilm"})
    assert found.blocks[-1] == embedded
    cls = replace(embedded, variant="0")
    with pytest.raises(DataError, match="encoder minilm gives other vectors"):
        features_for([*blocks, cls], SAID, CHATS, {cls: "minilm"})
