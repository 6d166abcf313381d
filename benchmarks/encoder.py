"""The embedded encoder: what `encode` costs beside the bare model, its start, and int8.

    python benchmarks/encoder.py [--texts 600] [--repeats 5]

`encode` is compared with the session alone on the very same batches: ids and masks made
beforehand, states thrown away. What `encode` adds is tokenising, sorting, padding and
pooling; texts are all different, so that encoding equal texts once does not flatter it.
Every round runs each contestant in turn. Ratios are given twice: of the shortest wall times,
and of the shortest processor times of all threads, which other work on the machine
disturbs less. Texts have the lengths of chat turns: log-normal, median 30 words.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from assize.encoders.batching import batches, cut, padded
from assize.encoders.minilm import PAD, MiniLM

AIM = 0.9
START = """
import time
started = time.perf_counter()
from assize.encoders import load_encoder
load_encoder().encode(["Hello there"])
print(time.perf_counter() - started)
"""


def made_texts(count: int, encoder: MiniLM) -> list[str]:
    """Different texts of common English words."""
    rng = np.random.default_rng(0)
    words = [word for word in encoder._tokenizer.get_vocab() if word.isalpha() and word.isascii()]
    lengths = np.maximum(1, rng.lognormal(np.log(30), 0.9, count)).astype(int)
    return [" ".join(rng.choice(words, length)) for length in lengths]


def bare(encoder: MiniLM, texts: list[str]) -> tuple[Callable[[], object], int, float]:
    """The session on the batches that `encode` makes; their tokens, and the share of padding."""
    pieces = encoder._tokenise(texts)
    windows = [one for place, ids in enumerate(pieces) for one in cut(encoder._reader, place, ids)]
    feeds = []
    for batch in batches(windows, encoder._reader.budget):
        tokens, mask = padded([window.ids for window in batch], PAD)
        feeds.append({"input_ids": tokens, "attention_mask": mask})
    real = sum(int(feed["attention_mask"].sum()) for feed in feeds)
    room = sum(feed["attention_mask"].size for feed in feeds)
    outputs = [encoder._output]
    return lambda: [encoder._session.run(outputs, feed) for feed in feeds], real, 1 - real / room


def seconds(run: Callable[[], object]) -> tuple[float, float]:
    """Wall time, and processor time of all threads."""
    wall, processor = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - wall, time.process_time() - processor


def starts(repeats: int) -> None:
    """Whole processes from the import to the first vector."""
    with tempfile.TemporaryDirectory() as cache:
        environment = os.environ | {"ASSIZE_CACHE_DIR": cache}
        took = []
        for _ in range(repeats + 1):
            done = subprocess.run(
                [sys.executable, "-c", START],
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            took.append(float(done.stdout))
    print(f"start to first vector     {took[0]:.2f} s first, {median(took[1:]):.2f} s later")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--texts", type=int, default=600)
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    starts(chosen.repeats)
    fp32, int8 = MiniLM(), MiniLM(precision="int8")
    texts = made_texts(chosen.texts, fp32)
    alone, tokens, padding = bare(fp32, texts)
    alone8, _, _ = bare(int8, texts)
    runs: dict[str, Callable[[], object]] = {
        "bare fp32": alone,
        "encode fp32": lambda: fp32.encode(texts),
        "with tokens": lambda: fp32.encode(texts, tokens=True),
        "bare int8": alone8,
        "encode int8": lambda: int8.encode(texts),
    }
    for run in runs.values():
        run()
    took = [{name: seconds(run) for name, run in runs.items()} for _ in range(chosen.repeats)]
    best = {name: [min(one[name][kind] for one in took) for kind in (0, 1)] for name in runs}

    def ratio(over: str, under: str) -> str:
        wall, processor = (best[over][kind] / best[under][kind] for kind in (0, 1))
        return f"wall {wall:.3f}, processor {processor:.3f}"

    for name, (wall, _) in best.items():
        print(f"{name:25} {len(texts) / wall:7.0f} texts/s {tokens / wall:8.0f} tokens/s")
    print(f"padding                   {padding:.1%} of the tokens run")
    print(f"encode / bare, fp32       {ratio('bare fp32', 'encode fp32')} (aim {AIM})")
    print(f"encode / bare, int8       {ratio('bare int8', 'encode int8')} (aim {AIM})")
    print(f"tokens=True / bare, fp32  {ratio('bare fp32', 'with tokens')}")
    print(f"int8 / fp32, times faster {ratio('encode fp32', 'encode int8')}")
    cosines = (fp32.encode(texts).vectors * int8.encode(texts).vectors).sum(axis=1)
    print(f"int8, cosine with fp32    mean {cosines.mean():.4f}, least {cosines.min():.4f}")


if __name__ == "__main__":
    main()
