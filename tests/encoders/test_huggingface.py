from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree
from typing import Any

import numpy as np
import pytest
from tests.encoders.token_states import states_of
from tiny_bert import MARKS, WORDS, make_bert

from assize.base.errors import ConfigError, DataError
from assize.encoders import load_encoder, reopen_encoder, windows_of
from assize.encoders.dialogue import written
from assize.encoders.huggingface import HuggingFace

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

TEXTS = ["the cat sat", "", "a dog ran over the cat and sat", "the cat sat"]


def change_tokenizer(folder: Path, **changes: Any) -> Path:
    settings = folder / "tokenizer_config.json"
    settings.write_text(json.dumps(json.loads(settings.read_text()) | changes))
    return folder


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT whose tokeniser reads less than its model does."""
    return change_tokenizer(make_bert(tmp_path_factory.mktemp("bert")), model_max_length=16)


@pytest.fixture(scope="module")
def reward(tmp_path_factory: pytest.TempPathFactory, tiny_llama: Path) -> Path:
    """A reward model: a decoder with a head of one number."""
    folder = copytree(tiny_llama, tmp_path_factory.mktemp("reward") / "tiny")
    torch.manual_seed(1)
    config = transformers.AutoConfig.from_pretrained(tiny_llama, num_labels=1)
    transformers.LlamaForSequenceClassification(config).save_pretrained(folder)
    return change_tokenizer(folder, bos_token="<|system|>")


def states(folder: Path, ids: list[int], layer: int = -1) -> Any:
    """(tokens T, 16) from the model as transformers runs it, one text alone."""
    model = transformers.AutoModel.from_pretrained(folder).eval()
    with torch.inference_mode():
        answer = model(input_ids=torch.tensor([ids]), output_hidden_states=True)
    return answer.hidden_states[layer][0].numpy()


def unit(vector: Any) -> Any:
    return vector / np.linalg.norm(vector)


def ids(text: str) -> list[int]:
    """Of the tiny BERT."""
    return [2, *(len(MARKS) + WORDS.index(word) for word in text.split()), 3]


@pytest.mark.parametrize("layer", [None, 0, 2, -2])
def test_an_encoder_gives_the_states_of_its_model(bert: Path, layer: int | None) -> None:
    found = load_encoder(f"hf:{bert}", layer=layer).encode(TEXTS, tokens=True)
    for text, vector, tokens in zip(TEXTS, found.vectors, states_of(found), strict=True):
        expected = states(bert, ids(text), -1 if layer is None else layer)
        np.testing.assert_allclose(tokens.states, expected, atol=1e-5)
        np.testing.assert_allclose(vector, unit(expected.mean(axis=0)), atol=1e-5)
        assert tokens.mask.tolist() == [False, *[True] * len(text.split()), False]


def test_it_is_opened_again_as_it_was_kept(bert: Path) -> None:
    first = load_encoder(f"hf:{bert}", pooling="cls", window=12)
    again = reopen_encoder(first.details, first.name, said=first.name)
    assert again.signature == first.signature
    with pytest.raises(ConfigError, match="encoder 'hf' is not known"):
        reopen_encoder(first.details, said="hf")


def test_a_reward_model_is_read_below_its_head_at_the_last_token(
    reward: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    encoder = load_encoder(f"hf:{reward}", pooling="last")
    assert capfd.readouterr().err == ""  # the head that is left out is not reported
    assert encoder.details["architecture"] == "LlamaModel"
    found = encoder.encode(TEXTS)
    tokens = transformers.AutoTokenizer.from_pretrained(reward)(TEXTS)["input_ids"]
    for own, vector in zip(tokens, found.vectors, strict=True):
        expected = states(reward, own or [1])[-1]  # its first mark where there is no text
        np.testing.assert_allclose(vector, unit(expected), atol=1e-5)


def test_a_long_text_is_read_in_windows(bert: Path) -> None:
    # model_max_length 16 leaves 14 words a window: 30 words are three windows of 10.
    encoder = load_encoder(f"hf:{bert}")
    assert encoder.details["window"] == 16
    found = encoder.encode([" ".join(WORDS[:10] * 3), " ".join(WORDS[:10])], tokens=True)
    assert found.windows.tolist() == [3, 1]
    np.testing.assert_allclose(found.vectors[0], found.vectors[1], atol=1e-6)


def test_a_mark_in_a_text_is_plain_text(bert: Path) -> None:
    (found,) = states_of(load_encoder(f"hf:{bert}").encode(["the [SEP] cat"], tokens=True))
    assert found.mask.tolist() == [False, *[True] * (len(found.mask) - 2), False]
    assert len(found.mask) > 5  # "[", "SEP" and "]" instead of one mark


def test_bf16_and_threads_are_honoured(bert: Path) -> None:
    threads = torch.get_num_threads()
    try:
        half = load_encoder(f"hf:{bert}", precision="bf16", threads=1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(threads)
    assert isinstance(half, HuggingFace)
    assert half.model.dtype is torch.bfloat16
    whole = load_encoder(f"hf:{bert}")
    cosines = (half.encode(TEXTS).vectors * whole.encode(TEXTS).vectors).sum(axis=1)
    assert cosines.min() > 0.99


def test_the_signature_follows_weights_and_settings_and_not_the_place(
    bert: Path, reward: Path, tmp_path: Path
) -> None:
    first = load_encoder(f"hf:{bert}")
    assert load_encoder(f"hf:{copytree(bert, tmp_path / 'copy')}").signature == first.signature
    changed: list[dict[str, Any]] = [{"layer": 1}, {"pooling": "cls"}, {"window": 8}]
    others = [load_encoder(f"hf:{bert}", **settings) for settings in changed]
    signatures = {one.signature for one in (first, load_encoder(f"hf:{reward}"), *others)}
    assert len(signatures) == 5
    assert str(bert) not in str(first.details)


def test_weights_that_lack_a_tensor_are_refused(bert: Path, tmp_path: Path) -> None:
    from safetensors.numpy import load_file, save_file

    folder = copytree(bert, tmp_path / "copy")
    tensors = load_file(folder / "model.safetensors")
    del tensors["encoder.layer.1.output.dense.weight"]
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(DataError, match=r"lack 1 of the model's tensors, such as .*layer\.1"):
        load_encoder(f"hf:{folder}")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"precision": "int8"}, "known: fp32, bf16"),
        ({"window": 17}, r"window 17 is outside 3\.\.16"),
        ({"window": 2}, "window 2"),
        ({"layer": 3}, "0 to 2"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(
    bert: Path, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        load_encoder(f"hf:{bert}", **settings)


TALKS = [
    written([("user", "Is it far?"), ("assistant", "An hour by train.")]),
    written([("user", "The user asks a question."), ("assistant", "No."), ("user", "Why?")]),
]


def templated(folder: Path, text: str) -> list[int]:
    from assize.encoders.dialogue import turns_in

    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    said = [{"role": role, "content": one} for role, one in turns_in(text)]
    return list(tokenizer.apply_chat_template(said, tokenize=True, return_dict=False))


@pytest.mark.parametrize("pooling", ["last", "mean"])
def test_a_dialogue_is_read_in_the_models_chat_template(tiny_llama: Path, pooling: Any) -> None:
    encoder = load_encoder(f"hf:{tiny_llama}", pooling=pooling, template="chat")
    found = encoder.encode(TALKS)
    for text, vector in zip(TALKS, found.vectors, strict=True):
        rows = states(tiny_llama, templated(tiny_llama, text))
        expected = rows[-1] if pooling == "last" else rows.mean(axis=0)
        np.testing.assert_allclose(vector, unit(expected), atol=1e-5)
    plain = load_encoder(f"hf:{tiny_llama}", pooling=pooling)
    assert plain.signature != encoder.signature
    assert "template" not in plain.details  # signatures of before stay


def test_a_long_dialogue_is_read_in_windows_of_its_template(tiny_llama: Path) -> None:
    whole = templated(tiny_llama, TALKS[1])
    cut, half = len(whole) // 2, -(-len(whole) // 2)
    encoder = load_encoder(f"hf:{tiny_llama}", pooling="last", template="chat", window=half)
    found = encoder.encode(TALKS[1:])
    assert windows_of(encoder, TALKS[1:]) == found.windows.tolist() == [2]
    ends = [states(tiny_llama, part)[-1] * len(part) for part in (whole[:cut], whole[cut:])]
    np.testing.assert_allclose(found.vectors[0], unit(sum(ends)), atol=1e-5)


def test_what_was_read_in_a_template_is_opened_again_so(tiny_llama: Path) -> None:
    first = load_encoder(f"hf:{tiny_llama}?pooling=last&template=chat&window=100")
    again = reopen_encoder(first.details, first.name, said=f"{first.name}?device=cpu")
    assert again.signature == first.signature
    with pytest.raises(ConfigError, match=r"another encoder: window 100 \(here 50\)"):
        reopen_encoder(first.details, first.name, said=f"{first.name}?window=50")


@pytest.mark.parametrize("pooling", ["mean", "cls", "last"])
def test_pooling_beside_the_model_is_pooling_of_its_states(bert: Path, pooling: Any) -> None:
    encoder = load_encoder(f"hf:{bert}", pooling=pooling)
    beside = encoder.encode(TEXTS).vectors
    of_states = encoder.encode(TEXTS, tokens=True).vectors
    np.testing.assert_allclose(beside, of_states, atol=1e-6)


def test_nothing_is_kept_for_writing_on(tiny_llama: Path) -> None:
    encoder: Any = load_encoder(f"hf:{tiny_llama}")
    with torch.inference_mode():
        answer = encoder.model(input_ids=torch.tensor([[1, 2]]))
    assert answer.past_key_values is None


def test_the_ways_to_attend_agree(tiny_llama: Path) -> None:
    one, other = (
        load_encoder(f"hf:{tiny_llama}?attention={how}").encode(["an hour", "no"]).vectors
        for how in ("eager", "sdpa")
    )
    np.testing.assert_allclose(one, other, atol=1e-5)


def test_a_model_in_memory_reads_as_the_same_model_from_its_folder(tiny_llama: Path) -> None:
    from_folder = load_encoder(f"hf:{tiny_llama}", pooling="last", template="chat")
    assert isinstance(from_folder, HuggingFace)
    made = HuggingFace(
        "mine", from_folder.tokenizer, from_folder.model, pooling="last", template="chat"
    )
    np.testing.assert_array_equal(made.encode(TALKS).vectors, from_folder.encode(TALKS).vectors)
    assert made.name == made.details["weights"] == "mine"
    assert made.signature != from_folder.signature


def test_a_window_goes_up_to_what_the_model_reads(tiny_llama: Path) -> None:
    spec = f"hf:{tiny_llama}"
    found = [load_encoder(spec, window=asked).details["window"] for asked in (None, 16384)]
    assert found == [4096, 16384]
    with pytest.raises(ConfigError, match=r"window 16385 is outside 1\.\.16384"):
        load_encoder(spec, window=16385)


def test_a_folder_without_a_model_and_states_of_dialogues_are_refused(
    tiny_llama: Path, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="holds no model"):
        load_encoder(f"hf:{tmp_path}")
    with pytest.raises(ConfigError, match="not of dialogues in a template"):
        load_encoder(f"hf:{tiny_llama}", template="chat").encode(TALKS, tokens=True)
