"""What a few labels of a new system are worth: LLM-Rubric's synthetic set, systems left out.

    python benchmarks/calibration_sets.py [FOLDER]     FOLDER holds the released tables

Each of the five systems is left out of the fit in turn. Half of its dialogues are predicted; from
the other half each rater gives 0, 1, 3 or 5 labels, to which the calibrator is adapted. Figures
are of all predictions of a draw together, means over four draws; differences from no labels have
the 95% interval of the jackknife over dialogues, of losses averaged over the draws.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assize import stats
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._calibrator import predict_own_raters
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import Forms
from assize.calibrate._hierarchical.adapt import adapt_default
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.formats import read_judgments

DRAWS, LABELS = 4, (0, 1, 3, 5)
AS_FITTED = "none, as fitted"


@dataclass(frozen=True)
class System:
    """One system: what was fitted on all others, and the forms about its dialogues."""

    fitted: Hierarchical
    forms: Forms
    places: np.ndarray  # of its forms among all

    def drawn(self, rng: np.random.Generator) -> dict[str, np.ndarray]:
        """Distributions (N, K) of its forms by number of labels; NaN for what gives labels."""
        items = rng.permutation(np.unique(self.forms.item))
        asked = np.isin(self.forms.item, items[: len(items) // 2])
        order = rng.permutation(len(self.forms))
        found = {AS_FITTED: self._predicted(self.fitted, ~asked)}
        for labels in LABELS:
            given = np.zeros(len(self.forms), dtype=bool)
            for rater in np.unique(self.forms.rater):
                theirs = order[(self.forms.rater[order] == rater) & asked[order]]
                given[theirs[:labels]] = True
            adapted, _ = adapt_default(self.fitted, self.forms.take(given))
            found[str(labels) if labels else "none"] = self._predicted(adapted, ~asked)
        return found

    def _predicted(self, calibrator: Hierarchical, held: np.ndarray) -> np.ndarray:
        found = np.full((len(self.forms), len(self.forms.target)), np.nan)
        found[held] = predict_own_raters(calibrator, self.forms.take(held))
        return found


def systems(forms: Forms) -> list[System]:
    """Each system with what was fitted on the others; `V2_57` is system 2 about topic 57."""
    whose = np.array([name[1] for name, _ in forms.features.units])
    found = []
    for one in np.unique(whose):
        held = whose[forms.item] == one
        rows = np.flatnonzero(held)
        fitted = fit_default(forms.take(~held))
        found.append(System(fitted, _alone(forms.take(rows), np.flatnonzero(whose == one)), rows))
    return found


def _alone(forms: Forms, items: np.ndarray) -> Forms:
    """The forms with the features of these items alone, as a new file has them."""
    all_of = forms.features
    place = np.full(len(all_of.units), -1)
    place[items] = np.arange(len(items))
    features = Features(tuple(all_of.units[n] for n in items), all_of.blocks, all_of.x[items])
    return Forms(
        forms.x, place[forms.item], forms.rater, forms.answers, forms.scales, features, forms.raters
    )


def main(folder: Path) -> None:
    """Prints the table of the docs, and what labels change with its interval."""
    answers = features_of(read_judgments([folder / "synth_llm.csv"]))
    forms = forms_of(answers, read_judgments([folder / "synth_human.csv"]), "Q0")
    forms = forms.take(forms.y >= 0)
    each = systems(forms)
    held: dict[str, list[np.ndarray]] = defaultdict(list)
    for draw in range(DRAWS):
        rng = np.random.default_rng(draw)
        said = [one.drawn(rng) for one in each]
        for name in said[0]:
            p = np.empty((len(forms), len(forms.target)))
            for one, found in zip(each, said, strict=True):
                p[one.places] = found[name]
            held[name].append(p)
    counts = [int((~np.isnan(p[:, 0])).sum()) for p in held["none"]]
    print(f"{len(forms)} forms; {', '.join(map(str, counts))} predictions a draw\n")
    print("| labels a rater | RMSE | Pearson | log loss |\n|---|---|---|---|")
    for name, parts in held.items():
        shown = np.mean([figures(forms, p) for p in parts], axis=0)
        print(f"| {name} | {' | '.join(f'{one:.3f}' for one in shown)} |")
    print()
    before = losses(forms, held["none"])
    for name, parts in held.items():
        if name == "none":
            continue
        gaps = []
        for kind, mine, theirs in zip(
            ("squared", "log"), losses(forms, parts), before, strict=True
        ):
            gap = stats.mean(mine - theirs, clusters=forms.item)
            low, high = gap.interval
            gaps.append(f"{kind} loss {gap.estimate:+.3f} [{low:+.3f}, {high:+.3f}]")
        print(f"{name} less none: {'; '.join(gaps)}, n {gap.n}")


def figures(forms: Forms, p: np.ndarray) -> list[float]:
    """RMSE, Pearson and log loss of what was predicted."""
    held = ~np.isnan(p[:, 0])
    mean, y = p[held] @ np.array(forms.target.values), forms.values[held]
    loss = -np.log(p[held, forms.y[held]]).mean()
    return [stats.rmse(mean, y).estimate, stats.pearson(mean, y).estimate, float(loss)]


def losses(forms: Forms, parts: list[np.ndarray]) -> list[np.ndarray]:
    """Squared and log loss (N,) of each form, means over the draws that predicted it."""
    p = np.stack(parts)
    there = ~np.isnan(p[:, :, 0])
    count = np.where(there.any(axis=0), there.sum(axis=0), np.nan)
    squares = (p @ np.array(forms.target.values) - forms.values) ** 2
    logs = -np.log(p[:, np.arange(len(forms)), forms.y])
    return [np.nansum(one, axis=0) / count for one in (squares, logs)]


DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "llm-rubric"

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    given = parser.parse_args()
    if given.folder.is_dir():
        main(given.folder)
    else:
        print(f"nothing measured: there is no folder {given.folder.name} beside the project")
