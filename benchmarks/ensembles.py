"""Ensembles of metrics on four corpora that people rated: in each, and from three to the fourth.

python benchmarks/ensembles.py [FOLDER] [--seeds 3] [--part in-domain|transfer|steps|foreign]
    [--metrics FOLDER] [--json FILE]

FOLDER holds `reference-turns` and `mrbench`. Targets: coherence (grade), appropriateness (gupta),
overall (usr), and the mean of four pedagogy labels (mrbench). All is split by conversation; the
best single metric is chosen where the ensemble is fitted. What is measured once is kept in the
folder of --metrics. Takes minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.unreasonable import EXCHANGED, detection, exchanged, labels_of
from scripts.corpora import converted

import assize
from assize import stats
from assize.base.conversation import Continuation
from assize.encoders import load_encoder
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import PAPER, Columns
from assize.reference._ensemble.fitting import (
    SINGLE,
    cross_validate,
    fit_best_metric,
    fit_examples,
)
from assize.reference._ensemble.learning import learn
from assize.reference._ensemble.models.learners import PAPER as PAPER_MODELS
from assize.reference._ensemble.models.linear import fit_ridge
from assize.reference._ensemble.sample import Sample, conversations_of, sample_of
from assize.reference._ensemble.targets import targets_of
from assize.reference._metrics.table import METRICS
from assize.stats._arrays import FloatArray, IntArray

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CORPORA = ("reference-turns", "mrbench")
TARGETS = {
    "grade": "grade-coherence",
    "gupta": "gupta-appropriateness",
    "usr": "usr-overall",
    "mrbench": "mistake_identification+mistake_location+providing_guidance+actionability",
}
LEARNERS = ("blend", "ridge", "svm", "extra-trees", *PAPER_MODELS)
FOLDS = 5
Found = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """The corpora as they are read and measured once.

    Args:
        items: all continuations.
        columns: their metrics.
        ratings: what people said.
    """

    items: Sequence[Continuation]
    columns: Columns
    ratings: JudgmentTable
    conversation: Mapping[str, str]

    @classmethod
    def of(cls, folder: Path, kept: Path | None = None) -> Study:
        """Reads the corpora, and measures what has not been measured."""
        corpora = [converted(name, folder) for name in CORPORA]
        read = [one for corpus in corpora for one in assize.read(corpus)]
        items = [one for one in read if isinstance(one, Continuation)]
        ratings = assize.read_judgments(corpora)
        table = assize.reference.score(
            items, out=None if kept is None else kept / "own", quiet=True
        )
        return cls(items, Columns.of(table), ratings.where(kind="person"), conversations_of(items))

    def sample(self, *names: str, columns: Columns | None = None) -> Sample:
        """One corpus, or several with standardised targets."""
        targets = targets_of(self.ratings, [TARGETS[name] for name in names])
        chosen = self.columns if columns is None else columns
        return sample_of(chosen, targets, self.conversation)


def in_domain(study: Study, seeds: int) -> Found:
    """Every learner in every corpus, beside the best single metric."""
    found: Found = {}
    for name in TARGETS:
        sample = study.sample(name)
        held = [cross_validate(sample, LEARNERS, folds=FOLDS, seed=seed) for seed in range(seeds)]
        said = {one: np.stack([each.predicted[one] for each in held]) for one in held[0].predicted}
        truth, groups = sample.targets.value, sample.groups
        each = {one: _mean(values, truth) for one, values in said.items()}
        single = each.pop(SINGLE)
        both = [
            stats.compare(
                blend,
                best,
                truth,
                measure="pearson",
                clusters=groups,
                permutations=2000,
                rng=np.random.default_rng(0),
            ).difference
            for blend, best in zip(said["blend"], said[SINGLE], strict=True)
        ]
        found[name] = {
            "items": len(sample),
            "conversations": sample.conversations,
            "single": single,
            "chosen": dict(sum((Counter(one.chosen) for one in held), Counter())),
            "learners": each,
            "gain": each["blend"] / single - 1,
            "difference": float(np.mean([one.estimate for one in both])),
            "interval": np.mean([one.interval for one in both], axis=0).tolist(),
        }
    found["gain"] = float(np.mean([found[name]["gain"] for name in TARGETS]))
    return found


def _mean(said: FloatArray, truth: FloatArray) -> float:
    """Pearson's correlation, mean over the seeds."""
    return float(np.mean([stats.pearson(one, truth).estimate for one in said]))


def transfer(study: Study, columns: Columns | None = None) -> Found:
    """Fitted on three corpora, applied to the fourth, beside the best metric of the three."""
    found: Found = {}
    for name in TARGETS:
        three = study.sample(*(one for one in TARGETS if one != name), columns=columns)
        fourth = study.sample(name, columns=columns)
        known = (study.columns if columns is None else columns).of_items(fourth.targets.items)
        asked = known.matching(three.columns.names, three.columns.sources).values
        truth = fourth.targets.value
        examples = three.examples(np.arange(len(three)))
        said = {
            learner: fit_examples(examples, learner).predict(asked)
            for learner in ("robust", "blend", "linear", "paper-svm", "paper-forest")
        }
        metric, single = _best_of(three, asked)
        apart = stats.compare(
            said["robust"],
            single,
            truth,
            measure="pearson",
            clusters=fourth.groups,
            permutations=2000,
            rng=np.random.default_rng(0),
        ).difference
        each = {one: _mean(values[None], truth) for one, values in said.items()}
        best = _mean(single[None], truth)
        found[name] = {
            "items": len(fourth),
            "single": best,
            "chosen": metric,
            "learners": each,
            "gain": each["robust"] / best - 1,
            "difference": apart.estimate,
            "interval": list(apart.interval),
        }
    found["gain"] = float(np.mean([found[name]["gain"] for name in TARGETS]))
    return found


def _best_of(three: Sample, asked: FloatArray) -> tuple[str, FloatArray]:
    """The metric that is best on three corpora, and its values in the fourth."""
    best = fit_best_metric(three.examples(np.arange(len(three))))
    values = asked[:, best.column]
    filled = np.nan_to_num(values, nan=float(np.nanmean(values)))
    return three.columns.names[best.column], np.sign(best.unit) * filled


def steps(study: Study) -> Found:
    """What each kind of metric adds, in the corpora and from three to the fourth."""
    families = {name: METRICS[_plain(name)].family for name in study.columns.names}
    paper = [name for name in PAPER if study.columns.find(name)]
    overlap = [
        name
        for name, family in families.items()
        if family != "surface" and METRICS[_plain(name)].references and "context" not in name
    ]
    context = [name for name, family in families.items() if family != "surface"]
    kinds = {
        "the paper's eight": paper,
        "all overlap, best and mean": overlap,
        "with the user's turn": context,
        "with what people see": list(families),
    }
    found: Found = {}
    for kind, names in kinds.items():
        some = study.columns.take(names)
        each = {
            name: _mean(cross_validate(one, ["blend"]).predicted["blend"][None], one.targets.value)
            for name in TARGETS
            for one in [study.sample(name, columns=some)]
        }
        carried = transfer(study, some)
        found[kind] = {
            "metrics": len(names),
            "in_domain": each,
            "transfer": {name: carried[name]["learners"]["robust"] for name in TARGETS},
        }
    return found


def _plain(column: str) -> str:
    return column.partition(":")[2].removesuffix("-mean")


@dataclass(frozen=True)
class Vectors:
    """Embeddings of candidates, references and the turns before them, of some items."""

    items: Sequence[Continuation]

    @cached_property
    def blocks(self) -> FloatArray:
        """(N, 4 D) candidate, distance to and product with the reference, product with the turn."""
        encoder = load_encoder("minilm")
        said = encoder.encode([one.candidate for one in self.items]).vectors
        last = encoder.encode([one.context[-1].text if one.context else "" for one in self.items])
        wanted = encoder.encode([text for one in self.items for text in one.references]).vectors
        ends = np.cumsum([len(one.references) for one in self.items])
        each = [part.mean(axis=0) for part in np.split(wanted, ends[:-1])]
        reference = np.array(each)
        return np.hstack(
            [said, np.abs(said - reference), said * reference, said * last.vectors]
        ).astype(np.float64)


def embeddings(study: Study) -> Found:
    """Ridge regression on embeddings' differences: alone, and as a fourth member of the blend."""
    known = {one.id: one for one in study.items}
    found: Found = {}
    for name in TARGETS:
        sample = study.sample(name)
        blocks = Vectors([known[item] for item in sample.targets.items]).blocks
        held = cross_validate(sample, ["blend"])
        alone = _crossed(sample, blocks, held.fold)
        blend = held.predicted["blend"]
        both = (3 * _unit(blend) + _unit(alone)) / 4
        truth = sample.targets.value
        found[name] = {
            "alone": _mean(alone[None], truth),
            "blend": _mean(blend[None], truth),
            "both": _mean(both[None], truth),
        }
    return found


def _crossed(sample: Sample, z: FloatArray, fold: IntArray) -> FloatArray:
    said = np.empty(len(sample))
    y, ones = sample.targets.value, np.ones(len(sample))
    for one in np.unique(fold):
        rest = fold != one
        mean, spread = z[rest].mean(axis=0), z[rest].std(axis=0) + 1e-9
        inner = sample.folds(5, seed=9)[rest]
        model, _ = fit_ridge((z[rest] - mean) / spread, y[rest], ones[rest], inner)
        said[~rest] = model.predict((z[~rest] - mean) / spread)
    return said


def _unit(values: FloatArray) -> FloatArray:
    return np.asarray((values - values.mean()) / values.std())


def foreign(study: Study, kept: Path | None = None) -> Found:
    """Exchanged candidates found by reasonableness, fitted on three corpora, asked in the fourth.

    `ratings` is how well ensembles of people's ratings in the corpus itself find them, each
    conversation by a fit that has not seen it.
    """
    own = [one for one in study.items if one.references]
    moved = [one for name in TARGETS for one in exchanged(_of(own, name), np.random.default_rng(0))]
    out = None if kept is None else kept / "moved"
    table = assize.reference.score(moved, out=out, quiet=True)
    columns = _stacked(study.columns.of_items([one.id for one in own]), Columns.of(table))
    labels = labels_of([*own, *moved])
    place = {one.id: str(one.conversation) for one in [*own, *moved]}
    found: Found = {}
    for name in TARGETS:
        rest = [one.id for one in [*own, *moved] if not _is(one, name)]
        here = [one for one in [*own, *moved] if _is(one, name)]
        made = sample_of(columns.of_items(rest), targets_of(labels, "reasonableness"), place)
        known = columns.of_items([one.id for one in here])
        asked = known.matching(made.columns.names, made.columns.sources).values
        said = fit_examples(made.examples(np.arange(len(made))), "robust").predict(asked)
        odd, where = [one.source == EXCHANGED for one in here], [place[one.id] for one in here]
        rated = _by_ratings(study.sample(name), known, where, place)
        found[name] = {
            "reasonableness": _shown(detection(said, odd, where)),
            "ratings": _shown(detection(rated, odd, where)),
        }
    return found


def _by_ratings(
    sample: Sample, known: Columns, where: Sequence[str], place: Mapping[str, str]
) -> FloatArray:
    """What the ratings' ensemble says of items, by a fit without their conversation; else NaN."""
    values = known.matching(sample.columns.names, sample.columns.sources).values
    fold = sample.folds(FOLDS, seed=0)
    of = {place[item]: int(one) for item, one in zip(sample.targets.items, fold, strict=True)}
    wanted = np.array([of.get(one, -1) for one in where])
    said = np.full(len(where), np.nan)
    for one in range(FOLDS):
        fit = fit_examples(sample.examples(np.flatnonzero(fold != one)), "blend")
        said[wanted == one] = fit.predict(values[wanted == one])
    return said


def _shown(one: stats.Estimate) -> Found:
    return {"auc": one.estimate, "interval": list(one.interval), "n": one.n}


def _is(one: Continuation, corpus: str) -> bool:
    return one.id.startswith(f"{corpus}-")


def _of(items: Iterable[Continuation], corpus: str) -> list[Continuation]:
    return [one for one in items if _is(one, corpus)]


def _stacked(first: Columns, second: Columns) -> Columns:
    other = second.matching(first.names, first.sources)
    return replace(
        first,
        items=(*first.items, *other.items),
        values=np.vstack([first.values, other.values]),
        lacking=np.vstack([first.lacking, other.lacking]),
        unread=np.vstack([first.unread, other.unread]),
    )


def raters(study: Study) -> Found:
    """Of grade's ten raters: intervals' coverage."""
    intervals = learn(study.sample("grade")).intervals
    return {"coverage": intervals.coverage, "half_width": intervals.width}


def main() -> None:
    """Prints what was found, as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--part", action="append", choices=list(_PARTS), default=None)
    parser.add_argument("--metrics", type=Path)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    study = Study.of(given.folder, given.metrics)
    found = {name: _PARTS[name](study, given) for name in given.part or _PARTS}
    text = json.dumps(found, indent=1)
    if given.json is not None:
        given.json.write_text(text + "\n")
    print(text)


_PARTS: Mapping[str, Callable[[Study, Any], Found]] = {
    "in-domain": lambda study, given: in_domain(study, given.seeds),
    "transfer": lambda study, given: transfer(study),
    "steps": lambda study, given: steps(study),
    "embeddings": lambda study, given: embeddings(study),
    "foreign": lambda study, given: foreign(study, given.metrics),
    "raters": lambda study, given: raters(study),
}


if __name__ == "__main__":
    main()
