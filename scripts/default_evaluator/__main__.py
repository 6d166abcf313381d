"""Trains the shipped evaluator, assize-small-2, and writes its model card.

    python -m scripts.default_evaluator --data ../shared/data

Reads the training corpora and, for figures only, corpora that nothing is trained on.
The figures in the card are the ones measured in this run. With --figures the card is printed, and
nothing is written. With --encoder the same recipe is trained on another encoder. Encoding takes
some minutes the first time; encodings are kept in the cache, so a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from assize.encoders import load_encoder
from assize.evaluator._artefact import CARD, save

from .card import card, encoder_row
from .corpora import SOURCES, Reader, load, source_file
from .study import NAME, study, train

OUT = Path(__file__).resolve().parents[2] / "src" / "assize" / "evaluator" / "default"
ENCODERS = Path(__file__).with_name("encoders.json")  # rows of the card's table


def key(row: Mapping[str, str | float]) -> tuple[str, str]:
    """What a row of encoders is about."""
    return str(row["conversations"]), str(row["encoder"])


def main() -> None:
    """Trains, measures, writes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--encoder", default="minilm", help="such as hf:FOLDER; with --out, --name")
    parser.add_argument("--name", default=NAME)
    parser.add_argument("--every", type=int, default=1, help="3 reads every third item of a file")
    parser.add_argument("--figures", action="store_true", help="print the card, write nothing")
    given = parser.parse_args()
    files = [source_file(source) for source in SOURCES.values()]
    missing = [file for file in files if not (given.data / file).exists()]
    if missing:
        print(f"not run: {given.data} has no {', '.join(missing)}", file=sys.stderr)  # noqa: T201
        raise SystemExit(0 if given.figures else 2)
    encoder = load_encoder(given.encoder, cached=True)
    reader = Reader(encoder, every=given.every)
    corpora = load(given.data, reader)
    found = study(corpora, given.data, reader)
    evaluator = train(corpora, encoder, [one.dimension for one in found.dimensions if one.ships])
    evaluator = replace(evaluator, name=given.name)
    row = encoder_row(given.encoder, given.every, found)
    others = [one for one in json.loads(ENCODERS.read_text()) if key(one) != key(row)]
    rows = sorted([*others, row], key=key)
    text = card(evaluator, found, rows)
    if given.figures:
        print(text)  # noqa: T201
        return
    ENCODERS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    save(evaluator, given.out)
    (given.out / CARD).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
