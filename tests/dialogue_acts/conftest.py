"""A tagger that is trained once for all tests."""

from __future__ import annotations

import pytest
from acts_taught import FIRST, ITEMS

from assize.dialogue_acts.tagger import Tagger, TaggerFigures
from assize.dialogue_acts.tagging import Training, examples, train
from assize.encoders import load_encoder


@pytest.fixture(scope="session")
def trained() -> tuple[Tagger, TaggerFigures]:
    found = examples(ITEMS, FIRST, FIRST)
    return train(found, load_encoder("minilm", precision="int8"), Training(penalty=1.0))
