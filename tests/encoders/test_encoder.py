from __future__ import annotations

from assize.encoders.minilm import MiniLM


def test_the_signature_of_the_embedded_encoder_is_the_published_one(minilm: MiniLM) -> None:
    assert minilm.signature == "d8a6f72d240c4219"
