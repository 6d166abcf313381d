"""What all local metrics of continuations cost beside the bare encoder, and ROUGE's own speed.

    python benchmarks/reference_metrics.py [--continuations 10000] [--pairs 2000]

* throughput: `measure` with every metric, against the encoder's session alone on the very batches
  that it ran, and against `encode` of the same texts; candidates, references and the users' turns
  before them all count as texts of both. In blocks that take turns, in processor time, so that
  other work on the machine disturbs less; the clock beside it
* shares: where the rest of the time goes
* memory: the process's peak after a tenth and after all
* ROUGE: against rouge-score where it is installed, which it need not be; the largest difference
* BERTScore: the matching of the same states, and from texts to figures with the same weights,
  against bert-score where it is installed (in its batches of 64, on one thread); the largest
  difference from its figures a pair at a time

Texts are made: every one different, lengths as of chat turns (log-normal, median 30 words), a
reference sharing part of its candidate's words, contexts of three turns.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
from tests.reference.metrics.measuring import bertscore, measure, rouge

from assize.base.conversation import Continuation, Turn
from assize.encoders import load_encoder
from assize.encoders.pinned import pinned_files
from assize.reference._metrics.compared import Compared
from assize.reference._metrics.table import METRICS

AIM, ROUGE_AIM, BERTSCORE_AIM = 0.9, 10, 2.4
BLOCK = 500  # continuations that are measured, then encoded bare
SPREAD = 0.9  # of the logarithm of a text's words
ROUGE_ROUNDS = 3
LAYERS = 6  # of the embedded encoder, whose last states are compared
WINDOW = 200  # words that surely fit into its window
EXACT = 200  # pairs that are held against the other package one at a time


def made(count: int, vocabulary: list[str]) -> Iterator[Continuation]:
    """Continuations whose texts are all different."""
    rng = np.random.default_rng(0)

    def text(shared: list[str] = []) -> list[str]:  # noqa: B006 - read only
        length = max(2, int(rng.lognormal(np.log(30), SPREAD)))
        fresh = rng.choice(vocabulary, length).tolist()
        return [*shared[: length // 2], *fresh[: length - len(shared[: length // 2])]]

    def said(words: list[str]) -> str:
        return " ".join(words).capitalize() + "."

    for number in range(count):
        candidate = text()
        turns = (
            Turn("user", said(text())),
            Turn("assistant", said(text())),
            Turn("user", said(text())),
        )
        yield Continuation(f"k{number}", turns, said(candidate), (said(text(candidate)),))


class Recording:
    """The encoder's session, which keeps what it was given."""

    def __init__(self, session: Any) -> None:
        self.session = session
        self.feeds: list[tuple[Any, Any]] = []

    def run(self, names: Any, feed: Any) -> Any:
        self.feeds.append((names, feed))
        return self.session.run(names, feed)


def seconds(run: Callable[[], object]) -> np.ndarray[Any, Any]:
    """Processor time of all threads, and time by the clock."""
    processor, wall = time.process_time(), time.perf_counter()
    run()
    return np.array([time.process_time() - processor, time.perf_counter() - wall])


def throughput(items: list[Continuation]) -> None:
    encoder: Any = load_encoder()
    session = encoder._session
    measure(items[:20], encoder=encoder)
    used = {name: np.zeros(2) for name in ("measure", "session", "encode")}
    early = 0.0
    for start in range(0, len(items), BLOCK):
        block = items[start : start + BLOCK]
        encoder._session = recording = Recording(session)
        used["measure"] += seconds(partial(measure, block, encoder=encoder))
        encoder._session = session
        used["session"] += seconds(partial(_each, session.run, recording.feeds))
        compared = Compared.of(block)
        said = np.unique([*compared.candidate, *compared.right, *compared.last])
        texts = [compared.texts[at] for at in said if at >= 0]
        used["encode"] += seconds(partial(encoder.encode, texts))
        if start < len(items) // 10:
            early = _peak()
    for name, about in (("session", "bare session on the same batches"), ("encode", "`encode`")):
        processor, wall = used[name] / used["measure"]
        print(
            f"throughput: {processor:.3f} of the {about} by processor time, {wall:.3f} by the clock"
            f" (aim {AIM})"
        )
    print(
        f"throughput: {len(items) / used['measure'][1]:.0f} continuations a second by the clock,"
        f" {len(METRICS)} metrics, 3 texts each, {len(items):,} continuations"
    )
    print(f"memory: {early:.0f} MB after a tenth, {_peak():.0f} MB after all (aim: flat)")


def shares(items: list[Continuation]) -> None:
    """Processor time a continuation by family of metrics."""
    said = []
    for family in ("rouge", "surface"):
        names = [one.id for one in METRICS.values() if one.family == family]
        spent = seconds(partial(measure, items, metrics=names))[0]
        said.append(f"{family} {spent / len(items) * 1e6:.0f}")
    print(f"shares: {', '.join(said)} microseconds a continuation")


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _each(call: Callable[..., object], given: Iterable[tuple[Any, ...]]) -> None:
    for one in given:
        call(*one)


def rouge_speed(items: list[Continuation]) -> None:
    candidates = [one.candidate for one in items]
    references = [one.references[0] for one in items]
    ours = min(seconds(partial(rouge, candidates, references))[0] for _ in range(ROUGE_ROUNDS))
    said = f"ROUGE: {len(items) / ours:,.0f} pairs a second"
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError:
        print(f"{said}; rouge-score is not installed")
        return
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"])
    pairs = list(zip(references, candidates, strict=True))
    theirs = seconds(partial(_each, scorer.score, pairs))[0]
    measured = rouge(candidates, references)
    apart = max(
        abs(getattr(measured[kind.lower()], part)[row] - value)
        for row, pair in enumerate(pairs[:EXACT])
        for kind, score in scorer.score(*pair).items()
        for part, value in zip(("precision", "recall", "f1"), score, strict=True)
    )
    print(
        f"{said}, {theirs / ours:.1f} times rouge-score (aim {ROUGE_AIM});"
        f" at most {apart:.0e} apart on {EXACT} pairs"
    )


def bertscore_speed(items: list[Continuation], encoder: Any) -> None:
    try:
        import torch
        from bert_score.utils import greedy_cos_idf
        from torch.nn.utils.rnn import pad_sequence
    except ImportError:
        print("BERTScore: bert-score is not installed")
        return
    torch.set_num_threads(1)
    candidates = encoder.encode([one.candidate for one in items], tokens=True).tokens
    references = encoder.encode([one.references[0] for one in items], tokens=True).tokens
    ours = min(seconds(partial(bertscore, candidates, references))[0] for _ in range(ROUGE_ROUNDS))

    def match(size: int, count: int) -> list[tuple[float, ...]]:
        """bert-score's figures of the first pairs, so many of them in a batch."""
        rows = []
        for start in range(0, count, size):
            sides = []
            for side in (references, candidates):
                some = side[start : min(start + size, count)]
                states = [torch.tensor(one.states) for one in some]
                weights = [torch.tensor(one.mask, dtype=torch.float32) for one in some]
                lengths = torch.tensor([len(one) for one in states])
                there = torch.arange(int(lengths.max()))[None, :] < lengths[:, None]
                padded = pad_sequence(states, batch_first=True, padding_value=2.0)
                sides += [padded, there, pad_sequence(weights, batch_first=True)]
            rows += torch.stack(greedy_cos_idf(*sides), dim=1).tolist()
        return rows

    theirs = min(seconds(partial(match, 64, len(items)))[0] for _ in range(ROUGE_ROUNDS))
    score = bertscore(candidates, references)
    figures = np.stack([score.precision, score.recall, score.f1], axis=1)[:EXACT]
    apart = float(np.abs(figures - np.array(match(1, len(figures)))).max())
    print(
        f"BERTScore: {len(items) / ours:,.0f} pairs a second, {theirs / ours:.1f} times bert-score"
        f" (aim {BERTSCORE_AIM}); at most {apart:.0e} apart on {len(figures)} pairs"
    )


def bertscore_of_texts(items: list[Continuation]) -> None:
    """From texts to figures: the embedded encoder here, the same weights in torch there."""
    try:
        from bert_score import BERTScorer
    except ImportError:
        return
    folder = str(pinned_files().weights.parent)
    scorer = BERTScorer(model_type=folder, num_layers=LAYERS, device="cpu", batch_size=64)
    candidates = [one.candidate for one in items]
    references = [one.references[0] for one in items]
    names = [f"bertscore-{part}" for part in ("precision", "recall", "f1")]
    encoder = load_encoder()
    own, others = np.zeros(2), np.zeros(2)
    for start in range(0, len(items), BLOCK):  # blocks that take turns
        here = slice(start, start + BLOCK)
        own += seconds(partial(measure, items[here], encoder=encoder, metrics=names))
        others += seconds(partial(scorer.score, candidates[here], references[here]))
    exact = scorer.score(candidates[:EXACT], references[:EXACT], batch_size=1)
    short = [len(text.split()) < WINDOW for text in (*candidates[:EXACT], *references[:EXACT])]
    whole = np.array(short).reshape(2, -1).all(axis=0)  # bert-score cuts what is longer
    values = measure(items[:EXACT], encoder=encoder, metrics=names).best
    apart = np.abs(values - np.stack([figure.numpy() for figure in exact], axis=1))[whole].max()
    processor, wall = others / own
    print(
        f"BERTScore from texts: {len(items) / own[1]:,.0f} pairs a second, {processor:.1f} times"
        f" bert-score by processor time, {wall:.1f} by the clock (both spend it in the encoder);"
        f" at most {apart:.0e} apart on {whole.sum()} pairs"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--continuations", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=2_000)
    given = parser.parse_args()
    encoder: Any = load_encoder()
    vocabulary = [one for one in encoder._tokenizer.get_vocab() if one.isalpha() and one.isascii()]
    items = list(made(given.continuations, vocabulary))
    rouge_speed(items[: given.pairs])
    bertscore_speed(items[: given.pairs], encoder)
    bertscore_of_texts(items[: given.pairs])
    shares(items[: given.pairs])
    throughput(items)


if __name__ == "__main__":
    main()
