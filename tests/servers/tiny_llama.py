"""A Llama of a few thousand random weights, with tokenizer and chat template."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEMPLATE = (
    "{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
CORPUS = [
    "The user asks a question and the assistant answers it. " * 3,
    '{"answer": "A"} {"answer": "tie"} {"explanation": "because"} {"rating": 7}',
    "Which response is better, A or B? Say tie when they are equally good.",
]


def make_tiny_llama(folder: Path, *, seed: int = 0, context: int = 16384) -> Path:
    """Writes model and tokenizer into `folder`; the same seed makes the same weights."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM

    bpe: Any = Tokenizer(models.BPE())
    bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    bpe.decoder = decoders.ByteLevel()
    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=special, initial_alphabet=alphabet, show_progress=False
    )
    bpe.train_from_iterator(CORPUS, trainer)
    folder.mkdir(parents=True, exist_ok=True)
    bpe.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(
        json.dumps(
            {
                "tokenizer_class": "PreTrainedTokenizerFast",
                "eos_token": "<|end|>",
                "pad_token": "<|end|>",
                "chat_template": TEMPLATE,
            }
        )
    )
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=bpe.get_vocab_size(),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=context,
        eos_token_id=0,
        bos_token_id=None,
        pad_token_id=0,
        initializer_range=0.3,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder
