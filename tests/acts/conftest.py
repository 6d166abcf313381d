"""A tagger that is trained once for all tests."""

from __future__ import annotations

import pytest
from acts_taught import FIRST, ITEMS

from assize.acts._tagger import Tagger, TaggerFigures
from assize.acts._tagging import Training, examples, fit_tagger
from assize.encoders import load_encoder


@pytest.fixture(scope="session")
def trained() -> tuple[Tagger, TaggerFigures]:
    found = examples(ITEMS, FIRST, FIRST)
    return fit_tagger(found, load_encoder("minilm", precision="int8"), Training(penalty=1.0))
