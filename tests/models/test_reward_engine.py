"""Reward models in this process, against plain transformers and heads written out by hand."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from tests.base.loops import in_loop

from assize.base.errors import ConfigError, TooLongError
from assize.models import Request, messages
from assize.models.hf import open_hf_reward

pytestmark = pytest.mark.slow("loads a model")

TALK: Any = (("user", "Is it far?"), ("assistant", "An hour."), ("user", "By train?"))
ASKS = [
    Request(messages(*TALK, ("assistant", answer)), temperature=None, max_tokens=1)
    for answer in ("Yes, an hour by train.", "No.", "word " * 40)
]
K, Q, HIDDEN = 3, 5, 16


@pytest.fixture(scope="module")
def backbone(tiny_llama: Path) -> Any:
    """The tiny Llama as a classifier with one logit, as Skywork-Reward is one."""
    from transformers import AutoModelForSequenceClassification

    return AutoModelForSequenceClassification.from_pretrained(tiny_llama, num_labels=1).eval()


@pytest.fixture(scope="module")
def plain(backbone: Any, tiny_llama: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return saved(backbone, tiny_llama, tmp_path_factory.mktemp("plain"), {})


def saved(model: Any, source: Path, folder: Path, head: dict[str, Any], **config: Any) -> Path:
    """The backbone with another head, as a checkpoint."""
    from safetensors.torch import load_file, save_file

    model.save_pretrained(folder)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (folder / name).write_bytes((source / name).read_bytes())
    if head:
        tensors = load_file(folder / "model.safetensors")
        tensors.pop("score.weight")
        save_file(tensors | head, folder / "model.safetensors", {"format": "pt"})
    settings = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(settings | config))
    return folder


@in_loop
async def rewards(folder: Path, requests: list[Request]) -> list[float]:
    model = open_hf_reward(str(folder))
    replies = await asyncio.gather(*(model.ask(one) for one in requests))
    return [float(reply.text) for reply in replies]


def states(backbone: Any, folder: Path, request: Request, messages: int) -> Any:
    """The backbone's states (L, D) of the first messages alone, without batch or padding."""
    import torch
    from transformers import AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(folder)
    said = [{"role": m.role, "content": m.text} for m in request.messages[:messages]]
    text = tokenizer.apply_chat_template(said, tokenize=False)
    ids = tokenizer(text, add_special_tokens=False, return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        return backbone.model(ids).last_hidden_state[0], ids


def test_one_logit_is_that_of_transformers_for_each_alone(backbone: Any, plain: Path) -> None:
    import torch

    expected = []
    for request in ASKS:
        _, ids = states(backbone, plain, request, 4)
        # its end token is its pad token, so the mask must say where the text ends
        with torch.inference_mode():
            last = backbone.model(ids).last_hidden_state[0, -1]
            expected.append(float(backbone.score(last)))
    assert rewards(plain, ASKS) == pytest.approx(expected, abs=1e-5)
    assert len(set(expected)) == 3


def test_two_layers_are_inf_orm_s(backbone: Any, tiny_llama: Path, tmp_path: Path) -> None:
    import torch

    torch.manual_seed(1)
    size = backbone.config.hidden_size
    head = torch.nn.Sequential(
        torch.nn.Linear(size, size), torch.nn.ReLU(), torch.nn.Linear(size, 1)
    )
    tensors = {f"score.{name}": value.detach() for name, value in head.state_dict().items()}
    folder = saved(backbone, tiny_llama, tmp_path, tensors)
    with torch.inference_mode():
        expected = [float(head(states(backbone, folder, one, 4)[0][-1])) for one in ASKS]
    assert rewards(folder, ASKS) == pytest.approx(expected, abs=1e-5)


def test_quantiles_of_attributes_are_weighed_by_a_gate_that_sees_only_the_prompt(
    backbone: Any, tiny_llama: Path, tmp_path: Path
) -> None:
    import torch

    torch.manual_seed(2)
    size = backbone.config.hidden_size
    regression = torch.nn.Linear(size, K * Q, bias=False)
    first, second = torch.nn.Linear(size, HIDDEN), torch.nn.Linear(HIDDEN, K, bias=False)
    gate = torch.nn.Sequential(first, torch.nn.ReLU(), second)
    tensors = {
        "regression_layer.weight": regression.weight.detach(),
        "gating.layers.0.weight": first.weight.detach(),
        "gating.layers.0.bias": first.bias.detach(),
        "gating.layers.1.weight": second.weight.detach(),
        "gating.logit_scale": torch.ones(1) * 1.5,
    }
    folder = saved(backbone, tiny_llama, tmp_path, tensors, gating_temperature=2.0)
    expected = []
    with torch.inference_mode():
        for one in ASKS:
            last = states(backbone, folder, one, 4)[0][-1]
            prompt = states(backbone, folder, one, 3)[0][-1]  # <|end|> of the last user turn
            weights = 1.5 * torch.softmax(gate(prompt) / 2.0, dim=0)
            expected.append(float(weights @ regression(last).view(K, Q).mean(dim=1)))
    assert rewards(folder, ASKS) == pytest.approx(expected, abs=1e-5)


def test_armo_rm_s_matrix_takes_verbosity_out_of_the_attributes(
    backbone: Any, tiny_llama: Path, tmp_path: Path
) -> None:
    import torch

    torch.manual_seed(3)
    size = backbone.config.hidden_size
    regression, gate = torch.nn.Linear(size, K, bias=False), torch.nn.Linear(size, K, bias=False)
    matrix = torch.eye(K)
    matrix[0, 1:] = -0.4
    tensors = {
        "regression_layer.weight": regression.weight.detach(),
        "gating.layers.0.weight": gate.weight.detach(),
        "reward_transform_matrix": matrix,
    }
    folder = saved(backbone, tiny_llama, tmp_path / "a", tensors, gating_temperature=10)
    expected = []
    with torch.inference_mode():
        for one in ASKS:
            last = states(backbone, folder, one, 4)[0][-1]
            prompt = states(backbone, folder, one, 3)[0][-1]
            expected.append(
                float(torch.softmax(gate(prompt) / 10, dim=0) @ (regression(last) @ matrix))
            )
    assert rewards(folder, ASKS) == pytest.approx(expected, abs=1e-5)
    other = tensors | {"reward_transform_matrix": torch.eye(K + 1)}
    with pytest.raises(ConfigError, match="reward_transform_matrix has the shape"):
        open_hf_reward(str(saved(backbone, tiny_llama, tmp_path / "b", other)))


def test_a_head_that_lacks_a_part_is_refused(
    backbone: Any, tiny_llama: Path, tmp_path: Path
) -> None:
    import torch

    size = backbone.config.hidden_size
    for number, head in enumerate(
        (
            {"score.0.weight": torch.ones(size, size)},
            {"regression_layer.weight": torch.ones(K, size)},
        )
    ):
        folder = saved(backbone, tiny_llama, tmp_path / str(number), head)
        with pytest.raises(ConfigError, match=r"the head of .* cannot be read"):
            open_hf_reward(str(folder))


def test_what_is_no_reward_model_is_refused_with_what_to_do(
    tiny_llama: Path, plain: Path, backbone: Any, tmp_path: Path
) -> None:
    import torch

    with pytest.raises(ConfigError, match="no shape that is known"):
        open_hf_reward(str(tiny_llama))
    two = saved(backbone, tiny_llama, tmp_path / "two", {"score.weight": torch.ones(2, 32)})
    with pytest.raises(ConfigError, match="2 logits"):
        open_hf_reward(str(two))
    bare = saved(backbone, tiny_llama, tmp_path / "bare", {})
    settings = json.loads((bare / "tokenizer_config.json").read_text())
    settings.pop("chat_template")
    (bare / "tokenizer_config.json").write_text(json.dumps(settings))
    with pytest.raises(ConfigError, match="no chat template"):
        open_hf_reward(str(bare))


def test_what_is_too_long_is_said_with_both_numbers(
    backbone: Any, tiny_llama: Path, tmp_path: Path
) -> None:
    folder = saved(backbone, tiny_llama, tmp_path, {}, max_position_embeddings=60)
    assert len(rewards(folder, ASKS[:2])) == 2
    with pytest.raises(TooLongError) as caught:
        rewards(folder, ASKS[2:])
    assert caught.value.limit == 60
    assert caught.value.needed is not None
    assert caught.value.needed > 60


def test_another_head_is_another_identity(
    plain: Path, backbone: Any, tiny_llama: Path, tmp_path: Path
) -> None:
    import torch

    size = backbone.config.hidden_size
    other = saved(
        backbone, tiny_llama, tmp_path / plain.name, {"score.weight": torch.ones(1, size)}
    )
    assert open_hf_reward(str(plain)).identity != open_hf_reward(str(other)).identity
