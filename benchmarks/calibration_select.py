"""What choosing among candidates is worth in people's ratings, on topics that were held out.

python benchmarks/calibration_select.py [FOLDER]

FOLDER holds LLM-Rubric's `synth_llm.csv` and `synth_human.csv`. The candidates of a topic are
the dialogues that the five systems had about it; only those with a rating take part.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np

from assize.calibrate import FittedCalibrator, features_of, fit_default, forms_of
from assize.calibrate._prediction.best_of_n import select
from assize.formats import read_judgments
from assize.stats import mean

FOLDS = 5


DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "llm-rubric"


def main(folder: Path) -> None:
    """Prints the gain over any candidate, as rated and as expected."""
    features = features_of(read_judgments([folder / "synth_llm.csv"]))
    forms = forms_of(features, read_judgments([folder / "synth_human.csv"]), "Q0")
    rated = defaultdict(list)
    for item, y in zip(forms.item.tolist(), forms.y.tolist(), strict=True):
        if y >= 0:
            rated[item].append(forms.target.values[y])
    topics = np.array([item.split("_")[1] for item, _ in features.units])
    names = np.random.default_rng(0).permutation(np.unique(topics))
    fold = {name: place % FOLDS for place, name in enumerate(names.tolist())}
    folds = np.array([fold[topic] for topic in topics.tolist()])
    real, expected, entropy = [], [], []
    for held in range(FOLDS):
        fitted = fit_default(forms.take(folds[forms.item] != held))
        new = np.flatnonzero(folds == held)  # a file of their own, as `calibrate select` has it
        units = tuple(features.units[row] for row in new)
        file = replace(features, units=units, x=features.x[new])
        here = FittedCalibrator(fitted).for_items(file)
        p = np.full((len(folds), len(fitted.raters), len(fitted.target)), np.nan)
        p[new] = here.probabilities(file, range(len(fitted.raters)))
        groups = [
            topic if folds[row] == held and row in rated else None
            for row, topic in enumerate(topics.tolist())
        ]
        for one in select(p, fitted.target, features.units, groups):
            assert one.best is not None
            each = [np.mean(rated[row]) for row in one.places]
            real.append(np.mean(rated[one.best]) - np.mean(each))
            expected.append(one.reward - one.average)
            entropy.append(one.entropy)
    gains, sure = np.array(real), np.array(entropy) <= np.median(entropy)
    for name, values in (
        ("rated", gains),
        ("expected", np.array(expected)),
        ("rated, entropy up to its median", gains[sure]),
        ("rated, entropy above", gains[~sure]),
    ):
        found = mean(values)
        low, high = found.interval
        print(f"{name}: {found.estimate:.2f} [{low:.2f}, {high:.2f}], {found.n} topics")


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else DATA
    if given.is_dir():
        main(given)
    else:
        print(f"nothing measured: there is no folder {given.name} beside the project")
