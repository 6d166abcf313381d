"""Training the local tagger from stored judgments, and measuring it on held-out conversations.

AMULET labels acts with a large model and suggests that a small one could do it (its
section on limitations). Here the head is one logistic regression an act, all fitted
together, with a penalty on the weights; the threshold of each act is the one with the
best F1 on held-out conversations of the training data. Nothing is drawn at random but the
split, which the seed decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.acts import _cues as cues
from assize.acts._annotations import Acts, Annotation, Judged
from assize.acts._cues import Utterance, utterances
from assize.acts._labels import Act
from assize.acts._tagger import (
    AGAIN,
    COMMON,
    MICRO,
    ActScore,
    Floats,
    Tagger,
    TaggerFigures,
    TaggerScore,
    decided,
    scaled,
    sigmoid,
)
from assize.base.errors import ConfigError, DataError
from assize.encoders import Encoder, uncached
from assize.stats._arrays import IntArray
from assize.stats._studies import Folds, Predict, cross_fit, dealt

_CANDIDATES = np.arange(0.1, 0.9, 0.05)


@dataclass(frozen=True, slots=True)
class Training:
    """How a tagger is trained."""

    least: int = 10  # turns that an act must have to be learnt; rarer ones are never given
    penalty: float = 30.0  # weight of the squared weights, against the sum over turns
    folds: int = 5  # parts of the conversations for thresholds and figures, each held out once
    seed: int = 0  # of the split
    steps: int = 60  # most steps of the optimiser (L-BFGS)

    def __post_init__(self) -> None:
        for name, least in (("least", 1), ("penalty", 0), ("folds", 2)):
            if not getattr(self, name) >= least:
                raise ConfigError(
                    f"{name} must be at least {least}, not {getattr(self, name)}", name
                )


@dataclass(frozen=True, eq=False)
class Examples:
    """Labelled turns."""

    said: Sequence[Utterance]  # N turns
    acts: Sequence[Acts]  # the acts of each
    again: Sequence[Acts | None]  # the acts that the second vote gave it; None where there is none
    groups: NDArray[np.int64]  # (N,) the conversation of each


def examples(
    items: Mapping[str, Judged],
    first: Mapping[str, Annotation],
    second: Mapping[str, Annotation],
) -> Examples:
    """The labelled turns of annotated items."""
    said: list[Utterance] = []
    acts: list[Acts] = []
    again: list[Acts | None] = []
    groups: list[int] = []
    for number, (name, one) in enumerate(first.items()):
        turns = utterances(items[name])
        labels = [*one.context, *one.a, *one.b]
        other = second.get(name)
        repeated = [None] * len(labels) if other is None else [*other.context, *other.a, *other.b]
        if len(turns) != len(labels) or len(repeated) != len(labels):
            continue  # its oldest turns were not shown, or its last ones are no context
        kept = [place for place, turn in enumerate(turns) if turn.text.strip() and labels[place]]
        said += [turns[place] for place in kept]
        acts += [labels[place] for place in kept]
        again += [repeated[place] for place in kept]
        groups += [number] * len(kept)
    if len(set(groups)) < 10:
        raise DataError(
            f"{len(set(groups))} conversations have acts on every turn; a tagger needs at least 10"
        )
    return Examples(said, acts, again, np.array(groups))


def fit_tagger(
    found: Examples, encoder: Encoder, how: Training = Training()
) -> tuple[Tagger, TaggerFigures]:
    """A tagger fitted on all examples, and its figures on held-out conversations.

    Thresholds are chosen on the other conversations' held-out chances (from taggers that did see
    the measured ones: one number an act), and features are scaled by all turns, without labels.
    """
    counts = Counter(act for acts in found.acts for act in acts)
    known = tuple(sorted(act for act, count in counts.items() if count >= how.least))
    if not known:
        raise DataError(f"no act has {how.least} turns; label more conversations")
    dense, hashed = cues.rows(found.said, encoder)
    center = dense.mean(axis=0)
    scale = np.maximum(dense.std(axis=0), 1e-6)
    x = scaled(dense, hashed, center, scale)
    y = _matrix(found.acts, known)

    def heads(x: Floats, rows: IntArray, seed: int) -> Predict[Floats]:
        weight, bias = fit(x[rows], y[rows], how)
        return lambda x, rows: sigmoid(x[rows] @ weight + bias).astype(np.float64)

    folds = Folds(dealt(found.groups, how.folds, np.random.default_rng(how.seed))[None])
    chances = cross_fit(heads, x, folds)[0].astype(np.float32)
    figures = _figures(found, known, y, chances, folds)
    weight, bias = fit(x, y, how)
    thresholds = best_thresholds(chances, y)
    tagger = Tagger(
        known, weight, bias, thresholds, center, scale, uncached(encoder), figures=figures
    )
    return tagger, figures


def _matrix(acts: Sequence[Acts | None], known: Sequence[Act]) -> Floats:
    place = {act: number for number, act in enumerate(known)}
    found = np.zeros((len(acts), len(known)), np.float32)
    for row, given in zip(found, acts, strict=True):
        row[[place[act] for act in given or () if act in place]] = 1
    return found


def fit(x: Floats, y: Floats, how: Training) -> tuple[Floats, Floats]:
    """Logistic regressions of all acts at once: penalised weights (F, L), free biases (L,)."""
    from scipy.optimize import minimize

    features, labels = x.shape[1], y.shape[1]
    rate = np.clip(y.mean(axis=0), 1e-4, 1 - 1e-4)
    start = np.zeros((features + 1, labels))
    start[-1] = np.log(rate / (1 - rate))

    def loss(flat: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        both = flat.reshape(features + 1, labels)
        weight = both[:-1]
        z = x @ weight.astype(np.float32) + both[-1].astype(np.float32)
        value = float(np.logaddexp(0, z).sum(dtype=np.float64) - (y * z).sum(dtype=np.float64))
        slope = sigmoid(z) - y
        gradient = np.vstack([x.T @ slope + how.penalty * weight, slope.sum(axis=0)])
        return value + how.penalty / 2 * float((weight**2).sum()), gradient.ravel().astype(float)

    done = minimize(
        loss, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": how.steps}
    )
    both = np.asarray(done.x, np.float32).reshape(features + 1, labels)
    return both[:-1], both[-1]


def best_thresholds(chances: Floats, y: Floats) -> Floats:
    """(L,) the threshold of each act with the best F1; the lowest of equals."""
    scores = np.stack([f1_by_act(y, (chances >= one).astype(np.float32)) for one in _CANDIDATES])
    return np.asarray(_CANDIDATES[np.argmax(scores, axis=0)], np.float32)


def f1(true: Floats, given: Floats) -> float:
    """Over everything together; NaN where there is nothing.

    >>> f1(np.array([[1., 1.]]), np.array([[1., 0.]]))
    0.6666666666666666
    """
    total = float(true.sum() + given.sum())
    return 2 * float((true * given).sum()) / total if total else float("nan")


def f1_by_act(true: Floats, given: Floats) -> NDArray[np.float64]:
    """(L,) of each act; 0 where it neither is nor is given."""
    total = true.sum(axis=0) + given.sum(axis=0)
    return np.asarray(2 * (true * given).sum(axis=0) / np.maximum(total, 1), np.float64)


def _figures(
    found: Examples, known: Sequence[Act], y: Floats, chances: Floats, folds: Folds
) -> TaggerFigures:
    given = np.zeros_like(y)
    for _, others, held in folds.splits():
        given[held] = decided(chances[held], best_thresholds(chances[others], y[others]))
    all_acts = tuple(sorted({act for acts in (*found.acts, *found.again) for act in acts or ()}))
    truth = _matrix(found.acts, all_acts)
    tagged = [[known[int(place)] for place in np.flatnonzero(row)] for row in given]
    repeated = np.array([acts is not None for acts in found.again])
    scores = f1_by_act(y, given)
    functions, names = _functions(found.acts, tagged)
    by_act = [
        ActScore(f"{act.dimension}: {act.function}", float(scores[n]), int(y[:, n].sum()))
        for n, act in enumerate(known)
    ]
    f1_of = {
        MICRO: f1(truth, _matrix([tuple(acts) for acts in tagged], all_acts)),
        "the tagger, functions alone": f1(functions, names),
        "the tagger, mean over acts": float(scores.mean()),
        COMMON: f1(truth, _matrix(_commonest(found), all_acts)),
        AGAIN: f1(truth[repeated], _matrix(found.again, all_acts)[repeated]),
    }
    return TaggerFigures(
        scores=[TaggerScore(who, value) for who, value in f1_of.items()],
        by_act=sorted(by_act, key=lambda row: -row.turns),
        turns=len(y),
        conversations=len(np.unique(found.groups)),
        exact=float((functions == names).all(axis=1).mean()),
        missed=1 - float(y.sum() / truth.sum()),
    )


def _functions(true: Sequence[Acts], given: Sequence[Sequence[Act]]) -> tuple[Floats, Floats]:
    """Both as matrices of functions, dimensions left away."""
    names = sorted({act.function for acts in (*true, *given) for act in acts})
    bare = tuple(Act("", name) for name in names)
    both = [
        _matrix([tuple(Act("", act.function) for act in acts) for acts in one], bare)
        for one in (true, given)
    ]
    return both[0], both[1]


def _commonest(found: Examples) -> list[Acts]:
    """For each turn, the most common act of its speaker: what a guess without reading gets."""
    counts = {user: Counter[Act]() for user in (True, False)}
    for one, acts in zip(found.said, found.acts, strict=True):
        counts[one.user].update(acts)
    best = {user: tuple(act for act, _ in one.most_common(1)) for user, one in counts.items()}
    return [best[one.user] for one in found.said]
