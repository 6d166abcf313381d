"""How well and how fast raters are predicted: LLM-Rubric's synthetic set, and a plain loop.

    python benchmarks/calibration.py [FOLDER [part ...]]     FOLDER holds the released tables

Parts: quality (10 seeds of 5 folds by item, topics, systems; paired tests), pooling (what
the default's share does), speed; on request exhaustive (the search
without early stopping). Figures are means over seeds, times those of the processor.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np

from assize import stats
from assize.calibrate import FittedCalibrator, features_of, fit_default, forms_of
from assize.calibrate._calibrator import Calibrator, predict, predict_new_items, predict_own_raters
from assize.calibrate._data.features import Features, NotAsked
from assize.calibrate._data.forms import Forms
from assize.calibrate._network.grids import PUBLISHED
from assize.calibrate._network.search import search
from assize.calibrate._network.settings import RELEASED
from assize.calibrate._network.training import Job, Setting, train
from assize.calibrate._prediction.predictions import prediction_tables
from assize.calibrate._study import QUICK, data_of
from assize.calibrate._study.nested_search import nested_settings
from assize.formats import read_judgments, write
from assize.judgments import JudgmentTable
from assize.stats._studies import Folds, dealt

SEEDS = range(10)
Fit = Callable[[Forms, np.ndarray, int], np.ndarray]
"""Forms and fold of each -> held-out distributions (N, K), for one seed."""


@dataclass(frozen=True)
class Benchmark:
    """The 660 forms with a main answer, a model's answers and no gap."""

    forms: Forms
    zeros: Forms  # the same, without the model's answers where people were not asked

    @classmethod
    def of(cls, folder: Path) -> Benchmark:
        answers = read_judgments([folder / "synth_llm.csv"])
        ratings = read_judgments([folder / "synth_human.csv"])
        listed = {row.item for row in answers if (row.details or {}).get("in_id_list")}
        gaps = {(row.item, row.judge) for row in ratings if row.unscored is not None}
        forms, zeros = (
            forms_of(features_of(answers, na=na), ratings, "Q0") for na in get_args(NotAsked)
        )
        names = [forms.features.units[place][0] for place in forms.item]
        keep = [
            name in listed and y >= 0 and (name, forms.raters[rater]) not in gaps
            for name, y, rater in zip(names, forms.y, forms.rater, strict=True)
        ]
        return cls(forms.take(np.array(keep)), zeros.take(np.array(keep)))

    @property
    def topics(self) -> list[str]:
        """Of the features' units: `V2_57` is system 2 about topic 57."""
        return [name.split("_")[1] for name, _ in self.forms.features.units]

    @property
    def systems(self) -> list[str]:
        return [name[1] for name, _ in self.forms.features.units]


def default(
    forms: Forms,
    folds: np.ndarray,
    seed: int,
    share: float = 0.5,
    held_out: Callable[[Calibrator, Forms], np.ndarray] = predict_new_items,
) -> np.ndarray:
    """The default; what a fold holds out is predicted as a new file is by `predict`."""
    found = np.empty((len(forms), len(forms.target)))
    for fold in np.unique(folds):
        held = folds == fold
        fitted = fit_default(forms.take(~held), own_share=share)
        found[held] = held_out(fitted, forms.take(held))
    return found


def as_fitted(forms: Forms, folds: np.ndarray, seed: int) -> np.ndarray:
    """The default that takes no account of how far what is held out lies from the rest."""
    return default(forms, folds, seed, held_out=predict_own_raters)


def published(forms: Forms, folds: np.ndarray, seed: int) -> np.ndarray:
    """The network at the setting that the released code found best, and from its start."""
    jobs = [Job(RELEASED, np.flatnonzero(folds != fold), seed) for fold in np.unique(folds)]
    found = np.empty((len(forms), len(forms.target)))
    for fold, network in zip(np.unique(folds), train(forms, jobs), strict=True):
        held = folds == fold
        found[held] = network.probabilities(forms.x[held], forms.rater[held])
    return found


def searched(forms: Forms, folds: np.ndarray, seed: int) -> np.ndarray:
    """Nested, as in a study: in every fold the setting is searched without that fold."""
    dealt_once = Folds(folds[None], (seed,))
    splits = list(dealt_once.splits())
    everything = np.ones(len(forms), dtype=bool)
    made = nested_settings(forms, dealt_once, splits, everything, QUICK, Setting())
    jobs = [Job(one, split.fitted, seed) for one, split in zip(made, splits, strict=True)]
    found = np.empty((len(forms), len(forms.target)))
    for network, split in zip(train(forms, jobs), splits, strict=True):
        found[split.held] = network.probabilities(forms.x[split.held], forms.rater[split.held])
    return found


def ridge(forms: Forms, folds: np.ndarray, seed: int) -> np.ndarray:
    """Expected answers and rater intercepts, penalty 10: means only, as (N, 1)."""
    return _ridge(forms, folds, own=False)


def personal_ridge(forms: Forms, folds: np.ndarray, seed: int) -> np.ndarray:
    """The same with slopes of each rater's own, penalty 10."""
    return _ridge(forms, folds, own=True)


def _ridge(forms: Forms, folds: np.ndarray, *, own: bool) -> np.ndarray:
    blocks, places = forms.features.blocks, forms.features.columns
    x = np.stack(
        [forms.x[:, p] @ np.array(b.values) for b, p in zip(blocks, places, strict=True)], axis=1
    )
    known = np.eye(len(forms.raters))[forms.rater]
    found = np.empty((len(forms), 1))
    for fold in np.unique(folds):
        fit = folds != fold
        z = (x - x[fit].mean(axis=0)) / x[fit].std(axis=0)
        parts = [z, known, (known[:, :, None] * z[:, None]).reshape(len(x), -1)]
        design = np.hstack(parts if own else parts[:2])
        mean = forms.values[fit].mean()
        gram = design[fit].T @ design[fit] + 10 * np.eye(design.shape[1])
        weight = np.linalg.solve(gram, design[fit].T @ (forms.values[fit] - mean))
        found[~fit, 0] = mean + design[~fit] @ weight
    return found


def constant(forms: Forms, folds: np.ndarray, seed: int) -> np.ndarray:
    found = np.empty((len(forms), len(forms.target)))
    for fold in np.unique(folds):
        counts = np.bincount(forms.y[folds != fold], minlength=len(forms.target)) + 1.0
        found[folds == fold] = counts / counts.sum()
    return found


EARLIER = "default, --na zeros, --as-fitted"
METHODS: dict[str, Fit] = {
    "constant": constant,
    "ridge, rater intercepts": ridge,
    "ridge, rater slopes": personal_ridge,
    "published network, its setting": published,
    "published network, nested search": searched,
    EARLIER: as_fitted,
    "default": default,
}


def figures(forms: Forms, p: np.ndarray) -> list[float]:
    """RMSE, Pearson, Spearman, Kendall, log loss."""
    y = forms.values
    mean = p[:, 0] if p.shape[1] == 1 else p @ np.array(forms.target.values)
    found = [stats.rmse(mean, y).estimate]
    flat = np.ptp(mean) < 1e-3
    for one in (stats.pearson, stats.spearman, stats.kendall):
        found.append(float("nan") if flat else one(mean, y).estimate)
    loss = float("nan") if p.shape[1] == 1 else -np.log(p[np.arange(len(y)), forms.y]).mean()
    return [*found, float(loss)]


def splits(bench: Benchmark) -> Iterator[tuple[str, list[np.ndarray]]]:
    """The folds of `assize study calibration`: plain, --folds-by, --leave-out."""
    forms, seeds = bench.forms, len(SEEDS)
    yield "5 folds by item", list(data_of(forms, seeds=seeds).folds.fold)
    yield "5 folds by topic", list(data_of(forms, seeds=seeds, groups=bench.topics).folds.fold)
    out = data_of(forms, seeds=1, groups=bench.systems, leave_out=True)
    yield "a system left out", list(out.folds.fold)


def quality(bench: Benchmark) -> None:
    forms = bench.forms
    dialogues = len(np.unique(forms.item))
    print(f"{len(forms)} forms, {len(forms.raters)} raters, {dialogues} dialogues")
    for name, parts in splits(bench):
        print(f"\n{name:34} RMSE   Pearson Spearman Kendall log loss (deviation over seeds)")
        held: dict[str, list[np.ndarray]] = {}
        for method, fit in METHODS.items():
            if fit is searched and name != "5 folds by item":
                continue  # it takes longer than all others together
            given = bench.zeros if method == EARLIER else forms
            held[method] = [fit(given, folds, seed) for seed, folds in enumerate(parts)]
            each = np.array([figures(forms, p) for p in held[method]])
            shown = "  ".join(
                f"{m:.3f}" + (f" ({s:.3f})" if len(each) > 1 else "")
                for m, s in zip(each.mean(axis=0), each.std(axis=0), strict=True)
            )
            print(f"{method:34} {shown}", flush=True)
        compare(bench, held)
        ece = np.array(
            [
                [
                    stats.smooth_calibration(p[:, k], forms.y == k).error.estimate
                    for k in range(p.shape[1])
                ]
                for p in held["default"]
            ]
        )
        print(f"default, smooth ECE by answer: {np.round(ece.mean(axis=0), 3).tolist()}")


def compare(bench: Benchmark, held: dict[str, list[np.ndarray]]) -> None:
    """The default against the others: losses averaged over seeds, signs flipped by dialogue."""
    forms = bench.forms
    values, rows = np.array(forms.target.values), np.arange(len(forms))
    rng = np.random.default_rng(0)

    def losses(method: str) -> tuple[np.ndarray, np.ndarray]:
        squares, logs = [], []
        for p in held[method]:
            mean = p[:, 0] if p.shape[1] == 1 else p @ values
            squares.append((mean - forms.values) ** 2)
            logs.append(np.full(len(p), np.nan) if p.shape[1] == 1 else -np.log(p[rows, forms.y]))
        return np.mean(squares, axis=0), np.mean(logs, axis=0)

    mine = losses("default")
    for method in list(held)[:-1]:
        shown = []
        for name, theirs, own in zip(("squared", "log"), losses(method), mine, strict=True):
            if np.isnan(theirs).any():
                continue
            found = stats.sign_flip(own - theirs, clusters=forms.item, rng=rng)
            gap = stats.mean(own - theirs, clusters=forms.item)
            low, high = gap.interval
            shown.append(
                f"{name} loss {gap.estimate:+.3f} [{low:+.3f}, {high:+.3f}],"
                f" p = {found.p_value:.4f}"
            )
        print(f"  default - {method}: " + "; ".join(shown))


def pooling(bench: Benchmark) -> None:
    """What the share of the raters' slope variance does on each kind of split."""
    forms = bench.forms
    for share in (1e-6, 0.1, 0.25, 0.5, 0.75, 1.0):
        shown = []
        for name, parts in splits(bench):
            each = [figures(forms, default(forms, folds, 0, share)) for folds in parts[:5]]
            rmse, r, _, _, loss = np.mean(each, axis=0)
            shown.append(f"{name} {rmse:.4f} {r:.3f} {loss:.4f}")
        print(f"share {share:8.2g}: " + " | ".join(shown), flush=True)


def loop_seconds(forms: Forms, setting: Setting, rows: np.ndarray, steps: int) -> float:
    """Seconds a step of one network trained as one would write it down in torch."""
    import torch

    torch.manual_seed(0)
    d, raters, q = forms.x.shape[1] + 1, len(forms.raters), len(forms.scales)
    sizes = ((d, setting.hidden1), (setting.hidden1 + 1, setting.hidden2))
    w1, w2 = (torch.randn(size, requires_grad=True) for size in sizes)
    own1, own2 = (torch.randn((raters, *size), requires_grad=True) for size in sizes)
    v = torch.randn((q, setting.hidden2 + 1, 4), requires_grad=True)
    own_v = torch.randn((raters, q, setting.hidden2 + 1, 4), requires_grad=True)
    optimizer = torch.optim.Adam([w1, w2, own1, own2, v, own_v], lr=setting.rate)
    x = torch.tensor(np.nan_to_num(forms.x), dtype=torch.float32)
    rater, y = torch.tensor(forms.rater), torch.tensor(forms.answers)
    rng = np.random.default_rng(0)
    one = torch.ones((setting.batch, 1))
    start = time.process_time()
    for _ in range(steps):
        chosen = torch.from_numpy(rng.choice(rows, setting.batch))
        a = rater[chosen]
        z = torch.cat([x[chosen], one], dim=1)
        z = torch.sigmoid(torch.einsum("bi,bio->bo", z, w1 + own1[a]))
        z = torch.sigmoid(torch.einsum("bi,bio->bo", torch.cat([z, one], dim=1), w2 + own2[a]))
        logits = torch.einsum("bi,bqio->bqo", torch.cat([z, one], dim=1), v + own_v[a])
        loss = torch.nn.functional.cross_entropy(
            logits.permute(0, 2, 1), y[chosen], ignore_index=-1
        )
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    return (time.process_time() - start) / steps


# Each level of each size stands in one of these four: a Latin design of the 64.
DESIGN = ((10, 25, 128), (25, 100, 32), (50, 10, 64), (100, 50, 256))


def speed(bench: Benchmark) -> None:
    forms = bench.forms
    start = time.process_time()
    fitted = fit_default(forms)
    print(f"default fit, {len(forms)} forms: {time.process_time() - start:.2f} s")
    big = Features(
        tuple(("", n) for n in range(100_000)),
        forms.features.blocks,
        np.resize(forms.features.x, (100_000, forms.x.shape[1])),
    )
    start = time.process_time()
    predict(fitted, big, range(len(forms.raters)))
    print(f"predict, 100,000 items x {len(forms.raters)}: {time.process_time() - start:.2f} s")
    for suffix in ("parquet", "jsonl"):
        writing(fitted, big, suffix)
    grid_search(bench, 1)


def writing(fitted: Calibrator, features: Features, suffix: str) -> None:
    """The same predictions as judgments in a file."""
    raters = range(len(fitted.raters))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"predicted.{suffix}"
        start = time.process_time()
        tables = prediction_tables(FittedCalibrator(fitted), features, raters)
        rows = write(path, JudgmentTable.concat(tables))
        took, size = time.process_time() - start, path.stat().st_size
    print(f"  to {suffix}: {took:.0f} s, {rows / took:,.0f} rows a second, {size / 1e6:.0f} MB")


def exhaustive(bench: Benchmark) -> None:
    grid_search(bench, None)


def grid_search(bench: Benchmark, patience: int | None) -> None:
    """A sixteenth of the published grid against a loop, whose time is that of 100 steps scaled."""
    import torch

    torch.set_num_threads(1)  # for the loop too: at these sizes a second thread slows it
    forms = bench.forms
    folds = dealt(forms.item, 5, np.random.default_rng(0))
    rows = np.flatnonzero(folds != 0)
    ours = loop = 0.0
    count = 0
    for hidden1, hidden2, batch in DESIGN:
        grid = replace(
            PUBLISHED, hidden1=(hidden1,), hidden2=(hidden2,), batch=(batch,), initial=(0.3,)
        )
        steps = max(1, len(rows) // batch)
        a_step = loop_seconds(forms, Setting(hidden1, hidden2, batch), rows, 100)
        start = time.process_time()
        found = search(forms, grid, folds, 0, patience=patience)
        took = time.process_time() - start
        a_step = (a_step + loop_seconds(forms, Setting(hidden1, hidden2, batch), rows, 100)) / 2
        epochs = sum(a + b for a, b in product(grid.pretrain, grid.finetune)) * len(grid.rate)
        looped = 5 * steps * epochs * a_step
        ours, loop, count = ours + took, loop + looped, count + len(grid)
        best = found.best()
        print(
            f"{hidden1:3} x {hidden2:3}, batch {batch:3}: loop {1e3 * a_step:.2f} ms a step,"
            f" {looped:,.0f} s for {len(grid)} settings x 5 folds; search {took:.0f} s"
            f" ({looped / took:.0f}x), {found.stopped:.0%} left early; best {best.rate},"
            f" {best.pretrain} + {best.finetune}: {found.totals().max() / found.counts.sum():.3f}",
            flush=True,
        )
    print(
        f"patience {patience}: {1e3 * ours / count:.0f} ms a setting of 5 folds against"
        f" {loop / count:.2f} s in the loop: {loop / ours:.0f} times;"
        f" the whole grid of {len(PUBLISHED):,}: {ours / count * len(PUBLISHED) / 3600:.2f} h"
    )


DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "llm-rubric"
PARTS = {"quality": quality, "pooling": pooling, "speed": speed}
ON_REQUEST = {"exhaustive": exhaustive}  # hours


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("part", nargs="*", help=f"of {', '.join(PARTS | ON_REQUEST)}")
    given = parser.parse_args()
    unknown = set(given.part) - set(PARTS | ON_REQUEST)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}")
    if not given.folder.is_dir():
        print(f"nothing measured: there is no folder {given.folder.name} beside the project")
        return
    bench = Benchmark.of(given.folder)
    for name in given.part or PARTS:
        (PARTS | ON_REQUEST)[name](bench)


if __name__ == "__main__":
    main()
