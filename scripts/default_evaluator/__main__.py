"""Trains the shipped evaluator, assize-small-2, and writes its model card.

    python -m scripts.default_evaluator --data ../shared/data

Reads the training corpora and, for figures only, corpora that nothing is trained on.
The figures in the card are the ones measured in this run. With --figures they are printed
instead, and nothing is written. Encoding takes some minutes the first time; encodings are
kept in the cache.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from assize.encoders import load_encoder
from assize.evaluator._artefact import CARD, save
from assize.results import ResultTable
from assize.results.columns import columns
from assize.results.terminal import print_table

from .card import card, gain_rows, held_out_rows, shown, unseen_rows
from .corpora import SHAPE, SOURCES, load, source_file
from .held_out import MODELS
from .study import Study, study, train

GAINS = ("over shape", "over length", "ships")
OUT = Path(__file__).resolve().parents[2] / "src" / "assize" / "evaluator" / "default"


def main() -> None:
    """Trains, measures, writes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--figures", action="store_true", help="print figures, write nothing")
    given = parser.parse_args()
    files = [source_file(source) for source in SOURCES.values()]
    missing = [file for file in files if not (given.data / file).exists()]
    if missing:
        print(f"not run: {given.data} has no {', '.join(missing)}", file=sys.stderr)  # noqa: T201
        raise SystemExit(0 if given.figures else 2)
    encoder = load_encoder("minilm", cached=True)
    corpora = load(given.data, encoder)
    found = study(corpora, load(given.data, encoder, SHAPE), given.data, encoder)
    if given.figures:
        show(found)
        return
    evaluator = train(corpora, encoder, [one.dimension for one in found.dimensions if one.ships])
    save(evaluator, given.out)
    (given.out / CARD).write_text(card(evaluator, found), encoding="utf-8")


def show(found: Study) -> None:
    """How the recipe carries over: held-out figures, the baselines beside them, other corpora."""
    names = ("n", *MODELS)
    held_out = [
        (f"{row[0]}: {row[1]}, {row[2]}", *row[3:7]) for row in held_out_rows(found.dimensions)
    ]
    unseen = [(f"{row[0]}, {row[1]}", *row[2:]) for row in unseen_rows(found.unseen)]
    systems = [(f"{row[0]}, {row[1]}", *row[2:]) for row in unseen_rows(found.systems)]
    known_bad = [(name, shown(one)) for name, one in found.known_bad.items()]
    for title, header, rows in (
        ("Left out, then predicted (Spearman; pairs: share right)", names, held_out),
        ("Better systems from worse", names, systems),
        ("Gain over the baselines", GAINS, gain_rows(found.dimensions)),
        ("overall on corpora never trained on", names, unseen),
        ("Degraded bot put below real ones", ("share of pairs",), known_bad),
    ):
        print_table(ResultTable(title, columns("words", "", *header), rows))


if __name__ == "__main__":
    main()
