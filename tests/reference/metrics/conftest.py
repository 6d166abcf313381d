from __future__ import annotations

from pathlib import Path

import pytest
from tiny_bert import make_bert


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny random BERT."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return make_bert(tmp_path_factory.mktemp("bert") / "tiny")
