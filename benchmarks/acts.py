"""Reading recorded acts and tagging turns: how fast, and against the encoder alone.

python benchmarks/acts.py [FOLDER]   FOLDER holds AMULET's release; that beside the project if unset

Times are of the processor (all cores together), for they hang less on what else runs.
"""

from __future__ import annotations

import gzip
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assize.acts._cues import FLAGS, PLACES, utterances
from assize.acts._labels import Act
from assize.acts._recorded import read_recorded, spoken
from assize.acts._tagger import Tagger
from assize.base.conversation import Pair
from assize.encoders import load_encoder
from assize.formats import read

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "amulet-hh-test"
ACTS = 32


def timed(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def outputs(folder: Path) -> list[tuple[Pair, str]]:
    pairs = {one.id: one for one in read(folder / "instances.jsonl") if isinstance(one, Pair)}
    found = []
    with gzip.open(folder / "outputs-gpt4o.jsonl.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            row = json.loads(line)
            pair = pairs[row["id"]]
            found.append((pair, row["da"]["chosen_first"]["text"]))
            swapped = replace(pair, a=pair.b, b=pair.a)
            found.append((swapped, row["da"]["rejected_first"]["text"]))
    return found


def bare_tagger(precision: Any) -> Tagger:
    """A tagger of random weights: it costs what a trained one does."""
    encoder = load_encoder("minilm", precision=precision)
    width = 2 * encoder.dimension + FLAGS
    rng = np.random.default_rng(0)
    acts = tuple(Act("Task", str(number)) for number in range(ACTS))
    weight = rng.normal(size=(width + PLACES, ACTS)).astype(np.float32)
    return Tagger(acts, weight, np.zeros(ACTS, np.float32), encoder)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if not folder.is_dir():
        print(f"nothing measured: there is no {folder.name} beside the project")
        return
    found = outputs(folder)
    exact = 0

    def reading() -> None:
        nonlocal exact
        exact = sum(read_recorded(text, spoken(pair)).exact for pair, text in found)

    took = timed(reading)
    print(f"read {len(found)} outputs, {exact} exactly, {1000 * took / len(found):.2f} ms each")
    items: list[Any] = [pair for pair, _ in found[::4]]
    said = [turn for item in items for turn in utterances(item)]
    for precision in ("int8", "fp32"):
        tagger = bare_tagger(precision)
        tagger.encoder.encode(["warm"])
        alone = timed(lambda tagger=tagger: tagger.encoder.encode([one.text for one in said]))  # type: ignore[misc]
        whole = timed(lambda tagger=tagger: list(tagger.tag_items(items)))  # type: ignore[misc]
        print(
            f"{precision}: {len(said) / whole:,.0f} turns and {len(items) / whole:,.1f} pairs"
            f" a second of one core, {whole / alone:.2f} of the encoder alone"
        )


if __name__ == "__main__":
    main()
