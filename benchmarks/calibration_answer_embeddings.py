"""Vectors of answers in the published network, in simulation: 50 unordered answers, few ratings.

    python benchmarks/calibration_answer_embeddings.py [--worlds 3]
        [--answers clusters|scale|topics]

Answers come in eight clusters; what an item calls for and what a rater likes are directions
in the space they lie in, and a model's distribution over them is a noisy view of the truth.
`scale`: they are 0 to 100, an item has a height, a rater is lenient or strict. `topics`: they are
50 texts in ten groups which only the raters know; their vectors are MiniLM's.
Each network's rate and epochs are searched by cross-validation on the ratings alone, and so
is the deviation of its first weights, which the published network has at 1.
Printed is the log loss on 4,000 other forms: all of them, and those whose answer was given
at most twice in training. `shuffled` gives each answer another's vector: a likeness that is
not there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.judgment import Question
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms, Scale
from assize.calibrate._network.answer_embeddings import (
    AnswerEmbedding,
    cosines,
    principal_components,
)
from assize.calibrate._network.fit import search_and_fit
from assize.calibrate._network.grids import Grid
from assize.calibrate._network.training import Network
from assize.encoders import load_encoder
from assize.stats._studies import dealt

ANSWERS, CLUSTERS, SPACE, RATERS, SIZE = 50, 8, 6, 10, 5
SIZES = (150, 300)
STARTS = (1.0, 0.3, 0.1)
SELDOM = 2  # times that an answer was given in training, at most
TEST = 4_000
GRID = Grid(rate=(0.001, 0.005), pretrain=(0,), finetune=(5, 10, 20, 30, 50, 100))


@dataclass(frozen=True)
class World:
    """Forms, the true distributions (N, K), and the answers' vectors (K, SIZE)."""

    forms: Forms
    true: np.ndarray
    vectors: np.ndarray


def world(rows: int, seed: int, kind: str) -> World:
    rng = np.random.default_rng(seed)
    rater = rng.integers(RATERS, size=rows)
    vectors, true, x = KINDS[kind](rng, rater)
    count = len(vectors)
    y = (true.cumsum(axis=1) < rng.random((rows, 1))).sum(axis=1).clip(max=count - 1)
    names = tuple(f"answer {n}" for n in range(count))
    question = Question("topic", kind="nominal", answers=names)
    block = Block("m", "", "seen", names, tuple(map(float, range(count))), ordered=False)
    features = Features(tuple((f"i{n}", None) for n in range(rows)), (block,), x)
    raters = tuple(f"r{n}" for n in range(RATERS))
    scales = (Scale.of(question),)
    forms = Forms(x, np.arange(rows), rater, y[:, None], scales, features, raters)
    return World(forms, true, vectors)


def clusters(rng: np.random.Generator, rater: np.ndarray) -> tuple[np.ndarray, ...]:
    """Vectors (50, SIZE), what is answered and what a model says (N, 50)."""
    centers = rng.normal(size=(CLUSTERS, SPACE))
    vectors = centers[np.arange(ANSWERS) % CLUSTERS] + rng.normal(0, 0.3, (ANSWERS, SPACE))
    level = rng.normal(0, 0.5, ANSWERS)
    calls = rng.normal(size=(len(rater), SPACE))
    likes = rng.normal(0, 0.5, (RATERS, SPACE))
    true = shares((calls + likes[rater]) @ vectors.T + level)
    seen = (calls + rng.normal(0, 0.5, calls.shape)) @ vectors.T
    return principal_components(vectors, SIZE), true, shares(seen + rng.normal(0, 0.5, seen.shape))


def scale(rng: np.random.Generator, rater: np.ndarray) -> tuple[np.ndarray, ...]:
    """Vectors (101, SIZE), what is answered and what a model says (N, 101)."""
    height = rng.normal(50, 20, (len(rater), 1))
    seen = height + rng.normal(0, 8, height.shape)
    mine = height + rng.normal(0, 10, RATERS)[rater][:, None]
    true, x = (shares(-((np.arange(101) - one) ** 2) / (2 * 12**2)) for one in (mine, seen))
    return cosines(range(101), SIZE), true, x


def topics(rng: np.random.Generator, rater: np.ndarray) -> tuple[np.ndarray, ...]:
    """Vectors (50, SIZE) of texts, what is answered and what a model says (N, 50)."""
    group = np.repeat(np.arange(len(TOPICS)), 5)
    texts = [text.strip() for line in TOPICS for text in line.split(",")]
    vectors = principal_components(load_encoder("minilm").encode(texts).vectors, SIZE)
    level = rng.normal(0, 0.5, len(texts))
    called = rng.integers(len(texts), size=len(rater))
    likes = rng.normal(0, 1, (RATERS, len(TOPICS)))[rater][:, group]
    alike = group[called][:, None] == group
    true = shares(3.5 * alike + level + likes)
    exact = called[:, None] == np.arange(len(texts))
    return vectors, true, shares(2 * alike + 2 * exact + rng.normal(0, 1, alike.shape))


KINDS = {"clusters": clusters, "scale": scale, "topics": topics}
TOPICS = (
    "invoice wrong, refund not received, card declined, charged twice, question about the price",
    "forgotten password, account locked, no login code, cannot sign in, email address changed",
    "parcel late, parcel lost, sent to the wrong address, damaged on arrival, courier rude",
    "app crashes, page does not load, error message, data lost, button does nothing",
    "dark mode, export to a file, integration with other tools, mobile app, programming interface",
    "flight cancelled, change of seat, luggage missing, visa, hotel overbooked",
    "headache, back pain, trouble sleeping, cough, stomach ache",
    "recipe for soup, baking bread, vegan dinner, boiling eggs, grilling fish",
    "algebra homework, feedback on an essay, physics question, preparing for an exam, reading list",
    "salary negotiation, writing a CV, quarrel with a manager, resigning, job interview",
)


def shares(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def losses(made: World, fit: np.ndarray, test: np.ndarray) -> dict[str, tuple[float, float]]:
    """Log loss of each method on all test rows, and on those whose answer was seldom given."""
    forms = made.forms
    some, y = forms.take(fit), forms.y[test]
    rare = np.bincount(some.y, minlength=len(made.vectors))[y] <= SELDOM
    vectors = made.vectors
    names = forms.target.question.answers
    shuffled = vectors[np.random.default_rng(0).permutation(len(vectors))]
    counts = np.bincount(some.y, minlength=len(vectors)) + 0.5
    found = {
        "the truth": made.true[test],
        "how often each was given": np.tile(counts / counts.sum(), (len(test), 1)),
    }
    head, read = (AnswerEmbedding(name, names, vectors) for name in ("topic", "seen"))
    wrong = [AnswerEmbedding(name, names, shuffled) for name in ("topic", "seen")]
    for method, codes, starts in (
        ("published softmax", [], (1.0,)),
        ("published, start searched", [], STARTS),
        ("vectors", [head, read], (1.0,)),
        ("vectors, start searched", [head, read], STARTS),
        ("  in the answers only", [head], STARTS),
        ("  in the inputs only", [read], STARTS),
        ("  shuffled", wrong, STARTS),
    ):
        network = searched(some, codes, starts)
        found[method] = network.probabilities(forms.x[test], forms.rater[test])
    each = {name: -np.log(p[np.arange(len(y)), y]) for name, p in found.items()}
    rarely = {name: loss[rare].mean() if rare.any() else np.nan for name, loss in each.items()}
    return {name: (loss.mean(), rarely[name]) for name, loss in each.items()}


def searched(forms: Forms, codes: Sequence[AnswerEmbedding], starts: Sequence[float]) -> Network:
    """The network with the rate, epochs and spread of the start that held-out forms choose."""
    folds = dealt(forms.item, 5, np.random.default_rng(1))
    grid = replace(GRID, initial=tuple(starts))
    embeddings = {code.question: code for code in codes}
    fitted, _ = search_and_fit(forms, folds, grid=grid, patience=None, embeddings=embeddings)
    return fitted.networks[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--worlds", type=int, default=3)
    parser.add_argument("--answers", choices=KINDS, default="clusters")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    given = parser.parse_args()
    for size in given.sizes:
        made = []
        for seed in range(given.worlds):
            one = world(size + TEST, seed, given.answers)
            made.append(losses(one, np.arange(size), np.arange(size, size + TEST)))
        count = len(one.vectors)
        print(f"{size} ratings, {count} answers, {given.worlds} worlds: log loss (deviation)")
        for name in made[0]:
            both = np.array([one[name] for one in made])
            mean, spread = both.mean(axis=0), both.std(axis=0)
            seldom = both[np.isfinite(both[:, 1]), 1]  # there may be none
            rarely = f"   seldom given: {seldom.mean():.2f}" if len(seldom) else ""
            print(f"  {name:26} {mean[0]:.3f} ({spread[0]:.3f}){rarely}", flush=True)


if __name__ == "__main__":
    main()
