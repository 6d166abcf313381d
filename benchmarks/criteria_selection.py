"""Which way of choosing criteria holds on conversations that it has not seen, on people's answers.

python benchmarks/criteria_selection.py [FOLDER] [--repeats 20] [--seed 0] [--windows] [--json FILE]

FOLDER holds `ieval`, `fed-conture` and `reliable-eval`. What people answered about a conversation
stands for what a model says about criteria. To each pool come noisy copies of the real columns,
half of them turned round (a DSAT criterion of a SAT one), and columns that are shuffled over
conversations, so that they look like the real ones and say nothing. Policies choose on four
fifths; the rest, of other raters, is what they are measured on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.corpora import CORPORA, converted, read_rows

from assize.criteria._selection import POLICIES, Budget, Objective, Pool, tuned_weight
from assize.criteria._selection.held_out import held_out
from assize.criteria._selection.objective import threshold
from assize.criteria._selection.policies import Settings
from assize.criteria._selection.window import Wanted, Yielded, window, yield_rate
from assize.formats import read_judgments
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers
from assize.stats._arrays import FloatArray
from assize.stats._resampling import percentile_ends

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
METHODS = ("rubicon", "correctness", "ucb", "brute-force")
FOLDS = 5
COPIES, IRRELEVANT = 3, 20  # noisy copies of each real column; columns that say nothing
NOISE = 2.5  # standard deviation of a copy's noise on 0..10: one answer of five
BUDGET = Budget(5, 5)
PRECISION = 0.9

DSAT = {"insulting_statement", "inattentive_statement", "repetitive", "robotic"}
IEVAL = (
    "polite",
    "attentive",
    "understood_emotions",
    "responded_to_emotions",
    "likable",
    "sensible",
    "insulting_statement",
    "inattentive_statement",
    "repetitive",
)
CONTURE = (
    "coherent",
    "consistent",
    "diverse",
    "error_recovery",
    "flexible",
    "informative",
    "inquisitive",
    "likeable",
    "topic_depth",
    "understanding",
)
RELIABLE = ("interesting", "fun", "consistent", "fluent", "topic", "robotic", "repetitive")


@dataclass(frozen=True)
class Sample:
    """What people said about conversations.

    Args:
        values: (N, D) from 0 to 10.
        sat: (D,) polarity of each dimension.
        good: (N,) labels.
        groups: (N,) which conversations belong together: nobody is in two folds.
    """

    name: str
    values: FloatArray
    sat: NDArray[np.bool_]
    good: NDArray[np.bool_]
    groups: NDArray[np.int64]


def samples(folder: Path) -> Iterable[Sample]:
    """The four that are measured."""
    table = _people(converted("ieval", folder))
    values = _means(table, IEVAL)
    rank, raters = _means(table, ("overall_rank",), unit=False)[:, 0], _raters(table)
    yield _sample("ieval, rank 2 or 3", values, IEVAL, rank >= 2, raters)
    yield _sample("ieval, rank 3", values, IEVAL, rank >= 3, raters)
    table = _people(converted("fed-conture", folder))
    overall = _means(table, ("overall",), unit=False)[:, 0]
    each = np.arange(len(overall))
    yield _sample("ConTurE", _means(table, CONTURE), CONTURE, overall >= np.median(overall), each)
    table = _people(converted("reliable-eval", folder))
    rows = _clean_and_degraded(folder / CORPORA["reliable-eval"].file, table)
    values = _means(table, RELIABLE)
    values[:, 5:] = 10 - values[:, 5:]  # stored as freedom from them
    whole = _sample("reliable-eval, clean", values, RELIABLE, rows > 0, _raters(table))
    kept = np.flatnonzero(rows >= 0)
    yield replace(whole, values=values[kept], good=whole.good[kept], groups=whole.groups[kept])


def _people(path: Path) -> JudgmentTable:
    table = read_judgments(path)
    return table.where(kind="person", turn=None)


def _sample(name: str, values: FloatArray, names: Sequence[str], good: Any, groups: Any) -> Sample:
    sat = np.array([one not in DSAT for one in names])
    return Sample(name, values, sat, np.asarray(good), np.asarray(groups))


def _means(table: JudgmentTable, names: Sequence[str], *, unit: bool = True) -> FloatArray:
    """(N, D) people's mean answer to each question, mapped to 0..10 where `unit`."""
    items = {name: at for at, name in enumerate(table.items)}
    found = np.full((len(items), len(names)), np.nan)
    for at, name in enumerate(names):
        rows, question = table.where(question=name), table.questions[name]
        worth = numbers(rows, question)
        codes, known = rows.codes("item")
        place = np.array([items.get(one, -1) for one in known])[codes]
        scored = ~np.isnan(worth)
        total = np.bincount(place[scored], worth[scored], len(items))
        count = np.bincount(place[scored], minlength=len(items))
        found[:, at] = total / np.where(count, count, np.nan)
        if unit:
            low, high = question.range or (min(question.values or ()), max(question.values or ()))
            found[:, at] = 10 * (found[:, at] - low) / (high - low)
    return found


def _raters(table: JudgmentTable) -> NDArray[np.int64]:
    """(N,) who rated each conversation, one person each."""
    items, _ = table.codes("item")
    judges, _ = table.codes("judge")
    first = np.sort(np.unique(items, return_index=True)[1])
    return judges[first]


def _clean_and_degraded(path: Path, table: JudgmentTable) -> NDArray[np.int64]:
    """(N,) 1 clean, 0 degraded, -1 left out: of raters who could tell, as many of each."""
    rows = {one["id"]: one for one in read_rows(path)}
    known = [rows[name] for name in table.items]
    found = np.array(
        [-1 if not one["rater_passed_qc"] else int(one["bot"] != "QualityControl") for one in known]
    )
    clean = np.random.default_rng(0).permutation(np.flatnonzero(found == 1))
    found[clean[int((found == 0).sum()) :]] = -1
    return found


def widened(sample: Sample, rng: np.random.Generator) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Evaluations (N, M) and polarities (M,) of the pool: real columns, copies, irrelevant ones."""
    values, sat = [sample.values], [sample.sat]
    for copy in range(COPIES):
        noisy = sample.values + NOISE * rng.normal(size=sample.values.shape)
        turned = copy % 2 == 0
        values.append(np.clip(np.round((10 - noisy if turned else noisy) / 2.5), 0, 4) * 2.5)
        sat.append(~sample.sat if turned else sample.sat)
    columns = rng.integers(0, sample.values.shape[1], IRRELEVANT)
    values.append(rng.permuted(sample.values[:, columns], axis=0))
    sat.append(rng.random(IRRELEVANT) < 0.5)
    return np.concatenate(values, axis=1), np.concatenate(sat)


def folds_of(groups: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """A fold of each conversation (N,), groups kept together."""
    names = rng.permutation(np.unique(groups))
    fold = {name: place % FOLDS for place, name in enumerate(names.tolist())}
    return np.array([fold[one] for one in groups.tolist()])


@dataclass
class Measured:
    """One policy, per conversation over all repeats, and what each held-out fold gave."""

    labelled: FloatArray  # (repeats, N) window found on the fold held out, as published
    used: FloatArray  # (repeats, N) window found on the training folds
    right: FloatArray  # (repeats, N) whether that label is right; NaN where there is none
    accurate: FloatArray  # (repeats, N) label by the threshold alone
    apart: FloatArray  # (repeats, folds) separation of the classes held out


def splits(
    sample: Sample, repeats: int, seed: int
) -> Iterator[tuple[int, int, NDArray[np.int64], Pool, Pool]]:
    """Repeat, fold, its conversations, the pool without them and with them alone."""
    for repeat in range(repeats):
        rng = np.random.default_rng(seed + repeat)
        values, sat = widened(sample, rng)
        dealt = folds_of(sample.groups, rng)
        for fold in range(FOLDS):
            learnt, held = np.flatnonzero(dealt != fold), np.flatnonzero(dealt == fold)
            pool = Pool.of(values[learnt], sat, sample.good[learnt])
            yield repeat, fold, held, pool, Pool.of(values[held], sat, sample.good[held])


def measure(
    sample: Sample,
    repeats: int,
    methods: Sequence[str] = METHODS,
    seed: int = 0,
) -> dict[str, Measured]:
    """Every policy on the same pools and folds, the first of them drawn with `seed`."""
    base = Objective()
    n = len(sample.good)
    found = {
        name: Measured(
            np.full((repeats, n), np.nan),
            np.full((repeats, n), np.nan),
            np.full((repeats, n), np.nan),
            np.full((repeats, n), np.nan),
            np.full((repeats, FOLDS), np.nan),
        )
        for name in methods
    }
    for repeat, fold, held, pool, tested in splits(sample, repeats, seed):
        drawn = seed + repeat
        for name in methods:
            objective = base
            if name == "rubicon":
                tuned = tuned_weight(pool, BUDGET, base, rng=np.random.default_rng(drawn))
                objective = replace(base, weight=tuned.weight)
            chosen = POLICIES[name](pool, Settings(BUDGET, objective, seed=drawn))
            _put(found[name], pool, tested, chosen, repeat, held, fold)
    return found


def _put(
    into: Measured,
    pool: Pool,
    tested: Pool,
    chosen: list[int],
    repeat: int,
    held: NDArray[np.int64],
    fold: int,
) -> None:
    nets, good = tested.net(chosen), tested.good
    middle = float(threshold(pool.net(chosen)[None], pool.good)[0])
    published = Wanted(PRECISION).observed
    into.labelled[repeat, held] = window(nets, good, middle, published).labelled(nets)
    learnt = window(pool.net(chosen), pool.good, middle)
    into.used[repeat, held] = learnt.labelled(nets)
    right = (learnt.good(nets) == good).astype(float)
    into.right[repeat, held] = np.where(learnt.labelled(nets), right, np.nan)
    into.accurate[repeat, held] = (nets > middle) == good
    into.apart[repeat, fold] = nets[good].mean() - nets[~good].mean()


def windows(sample: Sample, repeats: int, seed: int = 0) -> dict[str, list[float]]:
    """Yield and realised precision (%) on new conversations of both windows of a set.

    One is found on the training conversations, the other on folds of these, each scored by
    criteria that were chosen without it. Criteria are chosen by separation alone.
    """
    given: dict[str, list[Yielded]] = {"training": [], "held-out folds": []}
    for repeat, _, _, pool, tested in splits(sample, repeats, seed):
        chosen = _by_separation(pool)
        nets, middle = pool.net(chosen), float(threshold(pool.net(chosen)[None], pool.good)[0])
        folds = np.random.default_rng(seed + repeat)
        without = held_out(pool, _by_separation, wanted=Wanted(PRECISION), rng=folds)
        for name, scores in (("training", nets), ("held-out folds", without.nets)):
            found = window(scores, pool.good, middle, Wanted(PRECISION))
            given[name].append(yield_rate(found, tested.net(chosen), tested.good))
    return {name: _together(each) for name, each in given.items()}


def _by_separation(pool: Pool) -> list[int]:
    return POLICIES["correctness"](pool, Settings(BUDGET, Objective()))


def _together(each: Sequence[Yielded]) -> list[float]:
    """Share labelled and share of these labels that are right, of all folds and repeats (%)."""
    labelled = sum(one.labelled for one in each)
    right = sum(one.precision * one.labelled for one in each if one.labelled)
    return [100 * labelled / sum(one.n for one in each), 100 * right / labelled]


def paired(gaps: FloatArray, groups: NDArray[np.int64]) -> list[float]:
    """Mean difference in points and its 95% interval, from (repeats, N) differences.

    Both people and pools are drawn anew: another pool of noisy copies would give other figures.
    """
    places = np.unique(groups, return_inverse=True)[1]
    people, repeats = int(places.max()) + 1, len(gaps)
    sums = np.stack([np.bincount(places, one, people) for one in gaps])
    sizes = np.bincount(places, minlength=people)

    def statistic(pools: FloatArray, persons: FloatArray) -> float:
        return float(pools @ sums @ persons / (pools.sum() * (sizes @ persons)))

    whole = 100 * statistic(np.ones(repeats), np.ones(people))
    rng, drawn = np.random.default_rng(0), []  # both are drawn anew: Owen (2007), pigeonhole
    for _ in range(1_000):
        by_pool = np.bincount(rng.integers(0, repeats, repeats), minlength=repeats)
        by_person = np.bincount(rng.integers(0, people, people), minlength=people)
        drawn.append(statistic(by_pool.astype(np.float64), by_person.astype(np.float64)))
    low, high = percentile_ends(np.array(drawn), 0.95).interval
    return [whole, 100 * low, 100 * high]


def summary(sample: Sample, found: Mapping[str, Measured]) -> dict[str, Any]:
    """Figures of each policy, and rubicon's yield less that of the others with its interval."""
    rows: dict[str, Any] = {}
    for name, one in found.items():
        ours = found["rubicon"]
        gap = paired(ours.labelled - one.labelled, sample.groups)
        used = paired(ours.used - one.used, sample.groups)
        rows[name] = {
            "yield_test": 100 * one.labelled.mean(),
            "yield_train": 100 * one.used.mean(),
            "realised": 100 * float(np.nanmean(one.right)),
            "accuracy": 100 * one.accurate.mean(),
            "delta": float(one.apart.mean()),
            "delta_ratio": float(ours.apart.mean() / one.apart.mean()),
            "gap": gap[0],
            "gap_interval": gap[1:],
            "used_gap": used[0],
            "used_interval": used[1:],
        }
    return rows


def main() -> None:
    """Prints a table a sample."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0, help="of the first pool")
    parser.add_argument("--windows", action="store_true", help="only compare both windows")
    parser.add_argument("--only", default="")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if not given.folder.is_dir():
        print(f"nothing measured: there is no folder {given.folder.name} beside the project")
        return
    written = {}
    for sample in samples(given.folder):
        if given.only not in sample.name:
            continue
        if given.windows:
            for name, (share, right) in windows(sample, given.repeats, given.seed).items():
                print(f"{sample.name}: window from {name}: {share:.1f}, {right:.1f}", flush=True)
            continue
        found = summary(
            sample,
            measure(sample, given.repeats, seed=given.seed),
        )
        written[sample.name] = found
        share = 100 * sample.good.mean()
        print(f"\n{sample.name}: {len(sample.good)} conversations, {share:.0f}% good", flush=True)
        print(
            "policy        yield@90  ours less it          used  ours less it          realised"
            "  accuracy  delta"
        )
        for name, row in found.items():
            gap, used = (
                f"{row[name]:+5.1f} [{row[ends][0]:+5.1f}, {row[ends][1]:+5.1f}]"
                for name, ends in (("gap", "gap_interval"), ("used_gap", "used_interval"))
            )
            print(
                f"{name:12}  {row['yield_test']:7.1f}  {gap:20}  {row['yield_train']:4.1f}"
                f"  {used:20}  {row['realised']:7.1f}  {row['accuracy']:7.1f}  {row['delta']:6.2f}",
                flush=True,
            )
    if given.json is not None:
        given.json.write_text(json.dumps(written, indent=1))


if __name__ == "__main__":
    main()
