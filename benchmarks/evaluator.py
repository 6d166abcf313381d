"""How the shipped evaluator's recipe carries over: each corpus left out once.

    python benchmarks/evaluator.py [--data ../shared/data] [--cache DIR]

Prints held-out figures with 95% intervals, the length-only and the shape-only baseline
beside them, and the same on corpora that nothing is trained on. Encoding the corpora
takes some minutes; --cache keeps the features for another run.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from assize.encoders import load_encoder
from assize.evaluator.default_card import gain_rows, held_out_rows, shown, unseen_rows
from assize.evaluator.default_recipe import FILES, load
from assize.evaluator.default_study import study
from assize.tables import ResultTable, columns
from assize.tables.terminal import print_table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    missing = [file for file in FILES.values() if not (given.data / file).exists()]
    if missing:
        print(f"not run: {given.data} has no {', '.join(missing)}", file=sys.stderr)
        return
    encoder = load_encoder("minilm")
    corpora = load(given.data, encoder, given.cache)
    found = study(corpora, given.data, encoder, given.cache)
    names = ("n", "head", "shape", "length")
    held_out = [
        (f"{row[0]}: {row[1]}, {row[2]}", *row[3:7]) for row in held_out_rows(found.dimensions)
    ]
    unseen = [(f"{row[0]}, {row[1]}", *row[2:]) for row in unseen_rows(found.unseen)]
    known_bad = [(name, shown(one)) for name, one in found.known_bad.items()]
    gains = ("over shape", "over length", "ships")
    for title, header, rows in (
        ("Left out, then predicted (Spearman; pairs: share right)", names, held_out),
        ("Gain over the baselines", gains, gain_rows(found.dimensions)),
        ("overall on corpora never trained on", names, unseen),
        ("Degraded bot put below real ones", ("share of pairs",), known_bad),
    ):
        print_table(ResultTable(title, columns("words", "", *header), rows))


if __name__ == "__main__":
    main()
