"""An evaluator as a model of transformers gives the evaluator's raw numbers."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from dialogue_evaluator import QUESTIONS, dialogues, evaluator_on, llama, views
from letters import Letters

from assize.errors import ConfigError
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator.export.checkpoint import MODELING, write_checkpoint
from assize.evaluator.features.featuriser import feature_rows

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TALKS = dialogues(5)


def raw(evaluator: Evaluator) -> Any:
    return evaluator.raw(feature_rows(views(TALKS), evaluator.encoder, evaluator.featuriser))


def tokenised(folder: Path) -> Any:
    """Ids and mask of the dialogues, as any user of transformers gets them."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    said = [[{"role": one.role, "content": one.text} for one in talk.turns] for talk in TALKS]
    return tokenizer.apply_chat_template(
        said, tokenize=True, padding=True, return_dict=True, return_tensors="pt"
    )


def logits(folder: Path, **how: Any) -> Any:
    import assize.evaluator.export.modeling  # noqa: F401

    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder, **how).eval()
    assert type(model).__name__ == "AssizeForSequenceClassification"
    found = tokenised(folder)
    with torch.inference_mode():
        return model(found["input_ids"], found["attention_mask"]).logits.numpy()


def perceptrons(rows: Any) -> Any:
    """A head `network` of two members and two towers, one with a linear part."""
    network = pytest.importorskip("assize.evaluator.heads.network")
    from assize.evaluator.heads.linear import Scaling

    rng = np.random.default_rng(5)
    size = rows.shape[1]

    def drawn(*shape: int) -> Any:
        return rng.normal(size=shape) * 0.3

    towers = (
        network.Tower((drawn(2, size, 7), drawn(2, 7, 1)), (drawn(2, 7), drawn(2, 1))),
        network.Tower((drawn(2, size, 1),), (drawn(2, 1),), drawn(2, size, 1)),
    )
    scaling = Scaling(rows.mean(axis=0), rows.std(axis=0) + 1e-3)
    gain, spread = rng.uniform(0.5, 1, size), np.array([0.7, 1.3])
    return network.Network(QUESTIONS, scaling, gain, towers, spread, "silu")


@pytest.mark.parametrize("pooling", ["last", "mean"])
def test_logits_are_the_raw_numbers_of_the_evaluator(
    tiny_llama: Path, tmp_path: Path, pooling: str
) -> None:
    evaluator = evaluator_on(llama(tiny_llama, pooling=pooling))
    files = write_checkpoint(evaluator, tmp_path / "out")
    assert {"config.json", "model.safetensors", MODELING, "tokenizer.json"} <= set(files)
    np.testing.assert_allclose(logits(tmp_path / "out"), raw(evaluator), atol=1e-4)
    assert np.ptp(raw(evaluator), axis=0).min() > 0.5  # the dialogues differ, or nothing is shown
    settings = json.loads((tmp_path / "out" / "config.json").read_text())
    assert settings["id2label"] == {"0": "Overall", "1": "Relevance"}
    assert settings["assize"]["signature"] == evaluator.signature
    assert str(tiny_llama) not in json.dumps(settings)


def test_a_network_and_an_inner_layer_are_exported_too(tiny_llama: Path, tmp_path: Path) -> None:
    evaluator = evaluator_on(llama(tiny_llama, layer=1), head=perceptrons)
    write_checkpoint(evaluator, tmp_path)
    np.testing.assert_allclose(logits(tmp_path), raw(evaluator), atol=1e-4)


def test_the_head_stays_exact_where_the_backbone_is_halved(
    tiny_llama: Path, tmp_path: Path
) -> None:
    evaluator = evaluator_on(llama(tiny_llama, precision="bf16"))
    write_checkpoint(evaluator, tmp_path)
    import assize.evaluator.export.modeling  # noqa: F401

    model = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path)
    kinds = {name: one.dtype for name, one in model.named_parameters()}
    assert {kind for name, kind in kinds.items() if name.startswith("head.")} == {torch.float32}
    assert {kind for name, kind in kinds.items() if name.startswith("backbone.")} == {
        torch.bfloat16
    }
    # batches pad differently, and 8 bits of mantissa are 3 digits
    np.testing.assert_allclose(logits(tmp_path), raw(evaluator), atol=0.15)


WITHOUT = """
import sys
sys.modules["assize"] = None  # how Python marks what cannot be imported
import torch, transformers
folder = sys.argv[1]
model = transformers.AutoModelForSequenceClassification.from_pretrained(
    folder, trust_remote_code=True
).eval()
with torch.inference_mode():
    print(model(torch.tensor([[1, 2, 3]])).logits[0].tolist())
"""


@pytest.mark.nightly
def test_it_opens_without_assize_for_those_who_trust_its_code(
    tiny_llama: Path, tmp_path: Path
) -> None:
    import assize.evaluator.export.modeling  # noqa: F401

    write_checkpoint(evaluator_on(llama(tiny_llama)), tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, str(tmp_path)],
        env={"HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path).eval()
    with torch.inference_mode():
        expected = model(torch.tensor([[1, 2, 3]])).logits[0].tolist()
    assert json.loads(done.stdout) == pytest.approx(expected, abs=1e-6)


def test_more_tokens_than_it_reads_are_refused_and_not_cut(
    tiny_llama: Path, tmp_path: Path
) -> None:
    import assize.evaluator.export.modeling  # noqa: F401

    write_checkpoint(evaluator_on(llama(tiny_llama, window=40)), tmp_path)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path)
    with pytest.raises(ValueError, match="41 tokens are more than the 40"):
        model(torch.ones((1, 41), dtype=torch.long))


def test_what_no_model_can_stand_for_is_refused(tiny_llama: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"the featuriser exchanges on minilm.*--to trl"):
        write_checkpoint(load_evaluator(), tmp_path / "out")
    with pytest.raises(ConfigError, match="the featuriser dialogue on letters"):
        write_checkpoint(evaluator_on(Letters()), tmp_path / "out")
    with pytest.raises(ConfigError, match="8-bit weights"):
        write_checkpoint(evaluator_on(llama(tiny_llama, precision="int8")), tmp_path / "out")
    assert not (tmp_path / "out").exists()
