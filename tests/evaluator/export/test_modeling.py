"""The module of an exported head against numpy, and padding on either side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

BACKBONE = {
    "model_type": "llama", "vocab_size": 20, "hidden_size": 8, "intermediate_size": 16,
    "num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1,
    "max_position_embeddings": 32,
}  # fmt: skip
TOWERS = [{"layers": [3, 1], "linear": False}, {"layers": [1], "linear": True}]


def model(pooling: str = "last") -> Any:
    """One of random numbers everywhere."""
    from assize.evaluator.export.modeling import AssizeConfig, AssizeForSequenceClassification

    torch.manual_seed(0)
    config = AssizeConfig(BACKBONE, pooling, activation="tanh", members=2, towers=TOWERS, clip=1.5)
    made: Any = AssizeForSequenceClassification(config)
    made.eval()
    with torch.no_grad():
        for name, one in (*made.head.named_parameters(), *made.head.named_buffers()):
            one.copy_(torch.rand_like(one) + 0.2 if name in ("scale", "spread") else
                      torch.randn_like(one))  # fmt: skip
    return made


def test_the_head_is_the_mean_of_its_members_by_hand() -> None:
    head = model().head
    part = {name: one.detach().numpy() for name, one in head.state_dict().items()}
    x = np.random.default_rng(1).normal(size=(5, 8)).astype(np.float32)
    standard = np.clip((x - part["center"]) / part["scale"], -1.5, 1.5) * part["gain"]
    members = []
    for m in range(2):
        hidden = np.tanh(standard @ part["towers.0.weights.0"][m] + part["towers.0.biases.0"][m])
        first = hidden @ part["towers.0.weights.1"][m] + part["towers.0.biases.1"][m]
        second = standard @ (part["towers.1.weights.0"][m] + part["towers.1.linear"][m])
        members.append(np.hstack([first, second + part["towers.1.biases.0"][m]]))
    expected = np.mean(members, axis=0) / part["spread"]
    with torch.inference_mode():
        np.testing.assert_allclose(head(torch.from_numpy(x)).numpy(), expected, atol=1e-5)


@pytest.mark.parametrize("pooling", ["last", "mean", "cls"])
@pytest.mark.parametrize("left", [False, True])
def test_padding_on_either_side_changes_nothing(pooling: str, left: bool) -> None:
    made = model(pooling)
    ids = torch.tensor([[4, 5, 6]])
    blank = torch.zeros((1, 2), dtype=torch.long)
    padded = torch.cat([blank, ids] if left else [ids, blank], dim=1)
    mask = torch.cat([blank, torch.ones_like(ids)] if left else [torch.ones_like(ids), blank], 1)
    with torch.inference_mode():
        alone = made(ids).logits
        torch.testing.assert_close(made(padded, mask).logits, alone, atol=1e-4, rtol=1e-4)
        loss = made(ids, labels=alone + 2).loss
    assert float(loss) == pytest.approx(4.0, abs=1e-4)
