"""A tagger that is trained once for all tests."""

from __future__ import annotations

import pytest
from acts_taught import FIRST, ITEMS

from assize.acts._tagger import Tagger
from assize.acts._tagging import examples, fit_tagger
from assize.encoders import load_encoder


@pytest.fixture(scope="session")
def trained() -> Tagger:
    return fit_tagger(examples(ITEMS, FIRST, FIRST), load_encoder("minilm", precision="int8"))
