"""Trains the shipped evaluator, assize-small-1, and writes its model card.

    python scripts/train_default.py --data ../shared/data

Reads the four training corpora and, for figures only, four corpora that nothing is
trained on. The figures in the card are the ones measured in this run.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from assize.encoders import load_encoder
from assize.evaluator import save
from assize.evaluator.default_card import card
from assize.evaluator.default_recipe import load
from assize.evaluator.default_study import study, train

OUT = Path(__file__).resolve().parent.parent / "src" / "assize" / "evaluator" / "default"


def main() -> None:
    """Trains, measures, writes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--cache", type=Path, help="keep features here between runs")
    given = parser.parse_args()
    encoder = load_encoder("minilm")
    corpora = load(given.data, encoder, given.cache)
    found = study(corpora, given.data, encoder, given.cache)
    evaluator = train(corpora, encoder, [one.dimension for one in found.dimensions if one.ships])
    save(evaluator, given.out)
    (given.out / "MODEL_CARD.md").write_text(card(evaluator, found), encoding="utf-8")


if __name__ == "__main__":
    main()
