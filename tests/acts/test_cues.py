"""What of a turn the tagger reads beside its encoding."""

from __future__ import annotations

import zlib

import numpy as np
from acts_taught import ITEMS

from assize.acts import _cues as cues
from assize.acts._cues import utterances
from assize.encoders import load_encoder


def test_turns_of_both_responses_come_after_the_same_turn() -> None:
    said = utterances(ITEMS["p0"])
    assert [one.before for one in said[3:]] == ["Thanks a lot!", "Thanks a lot!"]
    assert [one.response for one in said] == [False, False, False, True, True]


def test_cues_are_hashed_alike_everywhere() -> None:
    said = utterances(ITEMS["p0"])
    rows = cues.features(said, load_encoder("minilm", precision="int8"))
    hashed = rows[:, 2 * 384 + cues.FLAGS :]
    assert hashed.shape == (5, cues.PLACES)
    assert np.allclose((hashed**2).sum(axis=1), 1)
    assert np.flatnonzero(hashed[2]).tolist() == sorted(
        {zlib.crc32(cue.encode()) % cues.PLACES for cue in cues.cues(said[2])}
    )
