from __future__ import annotations

import pytest

from assize.base.errors import ConfigError
from assize.encoders.encoder import depth, known, readable, signature_of
from assize.encoders.minilm import MiniLM


def test_text_that_no_tokeniser_takes_is_replaced_character_for_character() -> None:
    assert readable("a\0b\ud800\u00e9") == "a\ufffdb\ufffd\u00e9"
    assert readable("plain") == "plain"


def test_a_signature_stands_for_the_settings_whatever_their_order() -> None:
    assert signature_of({"a": 1, "b": 2}) == signature_of({"b": 2, "a": 1})
    assert signature_of({"a": 1}) != signature_of({"a": 2})


def test_the_signature_of_the_embedded_encoder_is_the_published_one(minilm: MiniLM) -> None:
    assert minilm.signature == "d8a6f72d240c4219"


@pytest.mark.parametrize("layer", [7, -8])
def test_a_layer_that_does_not_exist_is_refused(layer: int) -> None:
    with pytest.raises(ConfigError, match=f"layer {layer} does not exist"):
        depth(layer, 6)


def test_an_unknown_setting_is_refused_with_what_is_known() -> None:
    assert known("pooling", "cls", ("mean", "cls")) == "cls"
    with pytest.raises(ConfigError, match="pooling 'max' is not known here; known: mean, cls"):
        known("pooling", "max", ("mean", "cls"))
