"""A tiny random BERT, whose numbers mean nothing and are the same in every package."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WORDS = [
    "the",
    "a",
    "cat",
    "dog",
    "sat",
    "ran",
    "on",
    "mat",
    "over",
    "and",
    "fast",
    "slow",
    "river",
    "bank",
    "money",
    "deep",
    "takes",
    "lends",
    "it",
    "that",
]
MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def make_bert(folder: Path) -> Path:
    """A BERT of two layers that reads words, and positions up to 32."""
    import torch
    import transformers

    tokenizers: Any = transformers

    vocabulary = folder / "vocab.txt"
    folder.mkdir(parents=True, exist_ok=True)
    known = (*MARKS, *WORDS, ".", ",", "!", "?")
    vocabulary.write_text("\n".join(known))
    tokenizers.BertTokenizerFast(str(vocabulary), model_max_length=32).save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(known),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(folder)
    return folder
