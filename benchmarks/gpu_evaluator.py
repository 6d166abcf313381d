"""An evaluator of whole dialogues on a GPU: an 8B backbone in bf16, one dialogue and batches.

    python benchmarks/gpu_evaluator.py            on the GPU: Llama-3-8B's shape, random weights
    python benchmarks/gpu_evaluator.py --tiny     on a processor, to see that it runs

Everything goes through the package's own path: dialogues to `score`, the chat template, the
encoder `hf`, pooling on the device, and a network of 1,024 hidden units for eleven questions.
Weights are random and built on the device, for time does not depend on them; the tokeniser is a
small one of the same kind, and dialogues are made to a number of tokens. It tells

- tokens a second, and their share of the peak: 2 operations a weight and token, and what attention
  adds, over the card's stated dense bf16 peak (or, for a card not in the table, over that of a
  large matrix product measured in the same run);
- time a dialogue and a pair, one after another and in batches, beside MTDEval's table 4 (0.10 s
  and 0.19 s on two RTX 4090);
- training of the head from encodings that are kept: 3 epochs of the preset `paper`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.judgment import Judgment, Question
from assize.encoders import CachedEncoder, Encoder, Precision, windows_of
from assize.encoders.cached import InMemory
from assize.encoders.huggingface import HuggingFace
from assize.evaluator import Evaluator
from assize.evaluator._features.dialogue import DialogueFeatures, dialogue_text
from assize.evaluator._features.featuriser import feature_rows
from assize.evaluator._features.views import View, whole
from assize.evaluator._scoring import score
from assize.evaluator._training.from_votes import learn_from_votes
from assize.evaluator._training.settings import settings_of
from assize.judging.judges.dimensions import NAMES
from assize.judgments import JudgmentTable

PAPER = {"dialogue": 0.10, "pair": 0.19}  # seconds; table 4, two RTX 4090
PEAKS = {  # dense bf16 without sparsity, in 10^12 operations a second, as the makers state them
    "H200": 989.0,
    "H100 PCIe": 756.0,
    "H100 NVL": 835.0,
    "H100": 989.0,
    "A100": 312.0,
    "RTX 4090": 165.2,
    "L40S": 362.0,
    "L4": 121.0,
}
LLAMA_3_8B = {
    "vocab_size": 128_256,
    "hidden_size": 4096,
    "intermediate_size": 14_336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "max_position_embeddings": 8192,
}
TINY = {
    "vocab_size": 512,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 1024,
}
MARKS = ("<|begin|>", "<|start|>", "<|end_header|>", "<|end_turn|>")
TEMPLATE = (
    "{{ bos_token }}{% for m in messages %}<|start|>{{ m.role }}<|end_header|>\n\n"
    "{{ m.content | trim }}<|end_turn|>{% endfor %}"
)
WORDS = "how far is the next town and when does a train go there please tell me more".split()  # noqa: SIM905


def tokenizer() -> Any:
    """Byte pairs learnt from the words that are used here, with marks as Llama-3 has them."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made: Any = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=500, special_tokens=[*MARKS], initial_alphabet=alphabet, show_progress=False
    )
    made.train_from_iterator([" ".join(["user assistant", *WORDS])] * 10, trainer)
    fast: Any = PreTrainedTokenizerFast
    return fast(
        tokenizer_object=made,
        bos_token=MARKS[0],
        eos_token=MARKS[3],
        chat_template=TEMPLATE,
        model_max_length=1 << 30,
    )


def encoder_of(shape: dict[str, int], device: str) -> HuggingFace:
    """A backbone of random weights, built where it runs."""
    import torch
    from transformers import AutoModel, LlamaConfig

    from assize.encoders.devices import attention_of

    settings: dict[str, Any] = {**shape, "rope_theta": 500_000.0, "use_cache": False}
    config = LlamaConfig(**settings)
    torch.manual_seed(0)
    make: Any = AutoModel.from_config
    precision: Precision = "bf16" if device == "cuda" else "fp32"  # few processors have bf16
    kind = torch.bfloat16 if precision == "bf16" else torch.float32
    attends = attention_of(None, device, precision)
    with torch.device(device):
        model = make(config, dtype=kind, attn_implementation=attends)
    return HuggingFace(
        "random",
        tokenizer(),
        model.eval(),
        precision=precision,
        pooling="last",
        template="chat",
        window=shape["max_position_embeddings"],
    )


def dialogue(name: str, tokens: int, rng: np.random.Generator) -> Conversation:
    """Five exchanges of about `tokens` tokens in the template."""
    words = max(10, int(tokens / 1.02) - 60)  # a word is a token here; the template takes the rest
    parts = np.array_split(rng.choice(WORDS, words), 10)
    turns = [
        Turn("assistant" if place % 2 else "user", " ".join(part))
        for place, part in enumerate(parts)
    ]
    return Conversation(name, tuple(turns))


def counted(talks: Sequence[Conversation], encoder: HuggingFace) -> int:
    """Tokens of dialogues as the encoder reads them."""
    texts = [dialogue_text(view) for talk in talks if isinstance(view := whole(talk.turns), View)]
    assert max(windows_of(encoder, texts)) == 1
    return sum(encoder.lengths(texts))


def operations(shape: dict[str, int], lengths: Sequence[int]) -> float:
    """Floating-point operations of reading texts of these lengths: two a weight and token, and two
    a product of queries with keys and of these with values, of which a causal model needs half."""
    hidden, layers = shape["hidden_size"], shape["num_hidden_layers"]
    head = hidden // shape["num_attention_heads"]
    kept = head * shape["num_key_value_heads"]
    inner = shape["intermediate_size"]
    weights = layers * hidden * (2 * hidden + 2 * kept + 3 * inner)
    return sum(2.0 * weights * one + 2.0 * layers * hidden * one * one for one in lengths)


def seconds(run: Callable[[], object], repeats: int, device: str) -> float:
    """The median time of a call, after one that does not count."""
    import torch

    wait: Any = torch.cuda.synchronize if device == "cuda" else lambda: None
    took = []
    for _ in range(repeats + 1):
        wait()
        began = time.perf_counter()
        run()
        wait()
        took.append(time.perf_counter() - began)
    return median(took[1:])


def peak_of(device: str) -> tuple[float, str]:
    """Operations a second that the device can do, and where that is from."""
    import torch

    name = torch.cuda.get_device_name(0) if device == "cuda" else "processor"
    for known, peak in PEAKS.items():
        if device == "cuda" and all(part in name for part in known.split()):
            return peak * 1e12, f"stated for {name}"
    size = 8192 if device == "cuda" else 512
    kind = torch.bfloat16 if device == "cuda" else torch.float32
    matrix = torch.randn(size, size, device=device, dtype=kind)
    taken = seconds(lambda: matrix @ matrix, 5, device)
    return 2 * size**3 / taken, f"measured on {name}, a product of {size} x {size}"


def head_from(encoder: Encoder, pairs: int, tokens: int) -> tuple[Evaluator, dict[str, float]]:
    """A network learnt from planted votes, and what encoding and then training took."""
    rng = np.random.default_rng(1)
    items: list[Pair] = []
    rows: list[Judgment] = []
    for number in range(pairs):
        a, b = (dialogue(f"{number}{side}", tokens, rng) for side in "ab")
        items.append(Pair(f"p{number}", (), a.turns, b.turns))
        for judge in range(5):
            for name in NAMES:
                answer = "A" if rng.random() < 0.5 else "B"
                rows.append(Judgment(f"p{number}", f"judge {judge}", name, answer=answer))
    asked = {name: Question(name, name, "preference", ("A", "B", "tie")) for name in NAMES}
    table = JudgmentTable.of(rows, list(asked.values()))
    featuriser = DialogueFeatures()
    views = [
        view
        for pair in items
        for side in pair.sides()
        if isinstance(view := whole(side.turns), View)
    ]
    began = time.perf_counter()
    feature_rows(views, encoder, featuriser)
    encoded = time.perf_counter() - began
    began = time.perf_counter()
    made = learn_from_votes(
        items, table, encoder, name="gpu", settings=settings_of("paper"), featuriser=featuriser
    )
    return made, {"pairs": pairs, "encoding_s": encoded, "training_s": time.perf_counter() - began}


def main(words: Sequence[str] | None = None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tiny", action="store_true", help="a tiny backbone on the processor")
    parser.add_argument("--tokens", type=int, nargs="*", help="lengths of dialogues")
    parser.add_argument("--batch", type=int, default=64, help="dialogues a batch")
    parser.add_argument("--pairs", type=int, default=500, help="pairs to learn the head from")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path, help="write the figures here")
    given = parser.parse_args(words)
    import torch

    device = "cpu" if given.tiny else "cuda"
    if device == "cuda" and not torch.cuda.is_available():
        print("there is no GPU here, so nothing is measured; --tiny runs it on the processor")
        return {}
    shape = TINY if given.tiny else LLAMA_3_8B
    inner = encoder_of(shape, device)
    weights = sum(one.numel() for one in inner.model.parameters())
    peak, from_where = peak_of(device)
    attends = inner.model.config._attn_implementation
    print(f"{weights:,} weights in {inner.details['precision']}, attention {attends}")
    print(f"peak {peak / 1e12:.3g} * 10^12 operations a second, {from_where}")
    kept = CachedEncoder(inner, InMemory())
    lengths = given.tokens or ([60, 200] if given.tiny else [256, 512, 2048, 8000])
    evaluator, training = head_from(kept, given.pairs, lengths[0])
    live = Evaluator(evaluator.name, inner, evaluator.featuriser, evaluator.head, evaluator.scored)
    found: dict[str, Any] = {
        "weights": weights,
        "peak": peak,
        "peak_from": from_where,
        "head": training,
    }
    found["lengths"] = [measured(live, inner, shape, one, given, device, peak) for one in lengths]
    print(
        f"head: {training['pairs']:.0f} pairs encoded in {training['encoding_s']:.2f} s, then"
        f" learnt from 5 judges and {len(NAMES)} questions in {training['training_s']:.2f} s"
    )
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))
    return found


def measured(
    evaluator: Evaluator,
    encoder: HuggingFace,
    shape: dict[str, int],
    tokens: int,
    given: argparse.Namespace,
    device: str,
    peak: float,
) -> dict[str, float]:
    """Dialogues and pairs of one length, one after another and in batches."""
    rng = np.random.default_rng(tokens)
    talks = [dialogue(f"{tokens}-{n}", tokens, rng) for n in range(given.batch)]
    sides = zip(talks[0::2], talks[1::2], strict=False)
    pairs = [Pair(a.id, (), a.turns, b.turns) for a, b in sides]
    total = counted(talks, encoder)

    def scores(items: Sequence[Item]) -> list[Judgment]:
        return list(score(items, evaluator=evaluator))

    few = max(1, min(8, len(pairs)))
    one = seconds(lambda: [scores([talk]) for talk in talks[:few]], given.repeats, device) / few
    two = seconds(lambda: [scores([pair]) for pair in pairs[:few]], given.repeats, device) / few
    many = seconds(lambda: scores(talks), given.repeats, device)
    lengths = [total / len(talks)] * len(talks)
    share = operations(shape, [int(x) for x in lengths]) / many / peak
    row = {
        "tokens": total / len(talks),
        "dialogue_s": one,
        "pair_s": two,
        "batch_dialogue_s": many / len(talks),
        "tokens_per_s": total / many,
        "tokens_per_s_single": total / len(talks) / one,
        "share_of_peak": share,
    }
    print(
        f"{row['tokens']:6.0f} tokens: {one:.4f} s a dialogue (paper {PAPER['dialogue']:.2f}),"
        f" {two:.4f} s a pair (paper {PAPER['pair']:.2f}); in batches of {len(talks)}"
        f" {row['batch_dialogue_s']:.4f} s a dialogue, {row['tokens_per_s']:,.0f} tokens/s,"
        f" {share:.1%} of the peak"
    )
    return row


if __name__ == "__main__":
    main()
