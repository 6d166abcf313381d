"""Does adapting the default evaluator to n labels help on the rest of a corpus it never saw?

    python benchmarks/evaluator_adapt.py --data FOLDER [--draws 20] [--sizes 20,50,100,200,500]
        [--corpora uss,ieval]

For each corpus the start is the default's recipe without that corpus. Labels are drawn by rater
where a rater's conversations can be told, and by conversation or maths problem elsewhere; all that
is tested is of other raters (conversations, problems). Printed a size: Spearman's correlation on
the rest before and after, with the gain's interval over draws (Student's t; draws share their
corpus, so it says how the draw matters, not how corpora do), the worst draw, how often the change
was used, the same where the change is always used, and the share of the rest that the 90% interval
around the rating holds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import spearmanr, t

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.default_evaluator.corpora import (
    FEATURES,
    Corpora,
    Reader,
    load,
    readable,
    source_file,
)
from scripts.default_evaluator.recipe import DIMENSIONS, population, sources

from assize.encoders import Encoder, load_encoder
from assize.evaluator import Evaluator
from assize.evaluator._adapting.adapting import adapt_heads
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._heads.ridge import RIDGES, HeadData, fit_heads, fit_scaling, read_axes
from assize.stats._arrays import FloatArray, IntArray

SIZES = (20, 50, 100, 200, 500)
HELD = ("overall", "engaging", "coherent", "specific", "empathetic")  # as the default ships them
PER_RATER = 4  # labels drawn of a rater at most, where there are others


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Rows (N, F) of a corpus with people's ratings (N,) and what belongs together (N,)."""

    name: str
    rows: FloatArray
    targets: FloatArray
    groups: IntArray
    by: str


def start_without(name: str, corpora: Corpora, encoder: Encoder) -> Evaluator:
    """The default's recipe without a corpus."""
    kept = [one for one in DIMENSIONS if one.question.id in HELD]
    kept = [one for one in kept if sources(one, corpora, left_out=name)]
    scaling = fit_scaling(sources(kept[0], corpora, left_out=name))
    data = [
        HeadData(
            one.question,
            sources(one, corpora, left_out=name),
            {
                level: {corpus: rows for corpus, rows in given.items() if corpus != name}
                for level, given in population(one, corpora).items()
            },
        )
        for one in kept
    ]
    widths = FEATURES.widths(encoder.dimension)
    axes = read_axes(encoder)
    head, scored = fit_heads(data, scaling, RIDGES[FEATURES.name], widths, axes)
    return Evaluator(f"without-{name}", encoder, FEATURES, head, scored)


def corpora_of(corpora: Corpora, root: Path, encoder: Encoder) -> Iterator[Corpus]:
    """The corpora of the recipe with conversations, and those that train nothing."""
    overall = DIMENSIONS[0]
    for name, wanted in overall.conversations.items():
        table = corpora.conversations[name]
        target = table.target(wanted)
        keep = np.isfinite(target)
        codes = np.unique(table.clusters[keep], return_inverse=True)[1].reshape(-1)
        by = "conversation" if table.groups is None else "rater"
        yield Corpus(name, table.rows[keep], target[keep], codes, by)
    if (root / source_file("uss")).exists():
        table = Reader(encoder).responses(readable("uss", root), "")
        target = table.ratings["satisfaction"]
        keep = np.isfinite(target)
        codes = np.unique(table.clusters[keep], return_inverse=True)[1].reshape(-1)
        yield Corpus("uss", table.rows[keep], target[keep], codes, "conversation")


def drawn(corpus: Corpus, count: int, rng: np.random.Generator) -> IntArray:
    """Rows of `count` labels, group by group, at most `PER_RATER` of one while that is enough."""
    groups = int(corpus.groups.max()) + 1
    most = max(PER_RATER, int(np.ceil(count / (0.4 * groups))))
    found: list[int] = []
    for group in rng.permutation(groups):
        own = rng.permutation(np.flatnonzero(corpus.groups == group))[:most]
        found += own.tolist()
        if len(found) >= count:
            break
    return np.array(found[:count])


def labels_of(corpus: Corpus, rows: IntArray, start: Evaluator) -> Labels:
    features = corpus.rows[rows].astype(np.float32).astype(np.float64)
    units = tuple((f"{row:06d}", None) for row in rows)
    groups = tuple(str(one) for one in corpus.groups[rows])
    return Labels(
        "overall",
        units,
        groups,
        corpus.targets[rows],
        features,
        start.raw(features),
        by=corpus.by,
        natural=True,
    )


def measured(corpus: Corpus, start: Evaluator, count: int, draws: int) -> Mapping[str, FloatArray]:
    """Figures (draws,) of one size."""
    found: dict[str, list[float]] = {}
    for draw in range(draws):
        rng = np.random.default_rng([draw, count])
        rows = drawn(corpus, count, rng)
        rest = ~np.isin(corpus.groups, corpus.groups[rows])
        labels = {"overall": [labels_of(corpus, rows, start)]}
        kept, (outcome,) = adapt_heads(start, labels)
        truth = corpus.targets[rest]
        before, after = (
            float(spearmanr(one.raw(corpus.rows[rest])[:, 0], truth)[0]) for one in (start, kept)
        )
        forced = after
        if outcome.change != "none" and not outcome.used:
            always, _ = adapt_heads(start, labels, always=True)
            forced = float(spearmanr(always.raw(corpus.rows[rest])[:, 0], truth)[0])
        scale = kept.main.scale
        held = np.nan
        if scale is not None:
            scores = kept.main.maps["conversation"](kept.raw(corpus.rows[rest])[:, 0])
            held = float(np.mean(np.abs(scale(scores) - truth) <= scale.half))
        for name, value in (
            ("before", before),
            ("after", after),
            ("always", forced),
            ("used", float(outcome.used)),
            ("held", held),
        ):
            found.setdefault(name, []).append(value)
    return {name: np.array(values) for name, values in found.items()}


def told(name: str, count: int, found: Mapping[str, FloatArray]) -> str:
    """One line of the table."""
    gain, forced = found["after"] - found["before"], found["always"] - found["before"]
    reach = float(t.ppf(0.975, len(gain) - 1) * gain.std(ddof=1) / np.sqrt(len(gain)))
    return (
        f"{name:14s} {count:4d}  {found['before'].mean():.3f}  {found['after'].mean():.3f}"
        f"  {gain.mean():+.3f} [{gain.mean() - reach:+.3f}, {gain.mean() + reach:+.3f}]"
        f"  {gain.min():+.3f}  {found['used'].mean():4.0%}  {forced.mean():+.3f}"
        f"  {forced.min():+.3f}  {np.nanmean(found['held']):4.0%}"
    )


def study(given: Sequence[tuple[Corpus, Evaluator]], sizes: Sequence[int], draws: int) -> None:
    """Prints the table."""
    print("corpus         labels before after  gain [95%]  worst  used  always  worst  held in 90%")
    for corpus, start in given:
        for count in sizes:
            if count <= 0.6 * len(corpus.targets):
                print(told(corpus.name, count, measured(corpus, start, count, draws)), flush=True)


def main(arguments: Sequence[str] | None = None) -> Any:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--corpora", help="only these; all where it is not given")
    chosen = parser.parse_args(arguments)
    if chosen.data is None or not chosen.data.is_dir():
        print("adapting needs the corpora: pass --data FOLDER; skipped")
        return
    encoder = load_encoder("minilm", cached=True)
    corpora = load(chosen.data, Reader(encoder))
    wanted = None if chosen.corpora is None else chosen.corpora.split(",")
    given = [
        (corpus, start_without(corpus.name, corpora, encoder))
        for corpus in corpora_of(corpora, chosen.data, encoder)
        if wanted is None or corpus.name in wanted
    ]
    study(given, [int(one) for one in chosen.sizes.split(",")], chosen.draws)


if __name__ == "__main__":
    main()
