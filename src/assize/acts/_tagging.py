"""Training the local tagger from stored judgments, and measuring it on held-out conversations.

AMULET labels acts with a large model and suggests that a small one could do it (its section on
limitations). Here each act has a logistic regression of scikit-learn. Nothing is drawn at random
but the split, which the seed decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
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
    decide,
    probabilities,
)
from assize.base.arguments import check_range
from assize.base.errors import DataError, MissingExtra
from assize.encoders import Encoder, uncached
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies import Folds, Predict, cross_fit, dealt

FOLDS = 5  # parts of the conversations, each held out once for the figures
FEWEST = 10  # conversations


@dataclass(frozen=True, eq=False)
class Examples:
    """Labelled turns.

    Args:
        turns: N turns.
        acts: of each turn.
        again: the acts that the second vote gave each turn; None where there is none.
        groups: (N,) the conversation of each turn.
    """

    turns: Sequence[Utterance]
    acts: Sequence[Acts]
    again: Sequence[Acts | None]
    groups: NDArray[np.int64]


def examples(
    items: Mapping[str, Judged],
    first: Mapping[str, Annotation],
    second: Mapping[str, Annotation],
) -> Examples:
    """Return the labelled turns of annotated items.

    Raises:
        DataError: fewer than ten conversations are labelled.
    """
    rows: list[tuple[Utterance, Acts, Acts | None, int]] = []
    for number, (name, annotation) in enumerate(first.items()):
        said, labels = utterances(items[name]), annotation.turns
        repeated = second[name].turns if name in second else [None] * len(labels)
        if len(said) != len(labels) or len(repeated) != len(labels):
            continue  # its oldest turns were not shown, or its last ones are no context
        rows += [
            (turn, acts, again, number)
            for turn, acts, again in zip(said, labels, repeated, strict=True)
            if turn.text.strip() and acts
        ]
    count = len({number for *_, number in rows})
    if count < FEWEST:
        raise DataError(
            f"{count} conversations have acts on every turn; a tagger needs at least {FEWEST}"
        )
    turns, acts, again, groups = zip(*rows, strict=True)
    return Examples(turns, acts, again, np.array(groups))


def fit_tagger(labelled: Examples, encoder: Encoder, least: int = 10, seed: int = 0) -> Tagger:
    """Return a tagger fitted on all examples, with its figures on held-out conversations.

    Args:
        least: minimum number of turns with an act, for it to be learnt; rarer ones are never given.
        seed: of the split.

    Raises:
        ConfigError: `least` is below 1.
        DataError: no act has so many turns.
        MissingExtra: scikit-learn is not installed.
    """
    check_range("least", least, 1)
    counts = Counter(act for acts in labelled.acts for act in acts)
    known = tuple(sorted(act for act, count in counts.items() if count >= least))
    if not known:
        raise DataError(f"no act has {least} turns; label more conversations")
    x = cues.features(labelled.turns, encoder)
    y = np.array([[act in acts for act in known] for acts in labelled.acts])

    def heads(x: Floats, rows: IntArray, seed: int) -> Predict[Floats]:
        weight, bias = fit(x[rows], y[rows])
        return lambda x, rows: probabilities(x[rows], weight, bias).astype(np.float64)

    folds = Folds(dealt(labelled.groups, FOLDS, np.random.default_rng(seed))[None])
    figures = measure(labelled, known, decide_rows(known, cross_fit(heads, x, folds)[0]))
    return Tagger(known, *fit(x, y), uncached(encoder), figures=figures)


def fit(x: Floats, y: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return weights (F, L) and biases (L,) of a logistic regression an act.

    An act that all turns have, or none, has no weights: its bias is its share's.
    """
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise MissingExtra("training a tagger", extra="train", missing="sklearn") from error
    rate = np.clip(y.mean(axis=0), 1e-4, 1 - 1e-4)
    weight, bias = np.zeros((x.shape[1], y.shape[1]), np.float32), np.log(rate / (1 - rate))
    for act, column in enumerate(y.T):
        if column.any() and not column.all():
            head = LogisticRegression(max_iter=1000).fit(x, column)
            weight[:, act], bias[act] = head.coef_[0], head.intercept_[0]
    return weight, bias.astype(np.float32)


def decide_rows(known: Sequence[Act], chances: FloatArray) -> list[Acts]:
    """Return the acts of each turn by their chances (N, L)."""
    rows = decide(chances.astype(np.float32))
    return [tuple(known[act] for act in np.flatnonzero(row).tolist()) for row in rows]


def measure(labelled: Examples, known: Sequence[Act], tagged: Sequence[Acts]) -> TaggerFigures:
    """Return how well turns were tagged, beside a guess without reading and the second vote."""
    pairs = list(zip(labelled.acts, tagged, strict=True))
    by_act = [
        ActScore(
            f"{act.dimension}: {act.function}",
            f1([({act} & set(acts), {act} & set(given)) for acts, given in pairs]),
            sum(act in acts for acts in labelled.acts),
        )
        for act in known
    ]
    functions = [({act[1] for act in acts}, {act[1] for act in given}) for acts, given in pairs]
    again = [(acts, second) for acts, second in zip(labelled.acts, labelled.again, strict=True)]
    figures = {
        MICRO: f1(pairs),
        "the tagger, functions alone": f1(functions),
        "the tagger, mean over acts": float(np.mean([row.f1 for row in by_act])),
        COMMON: f1(zip(labelled.acts, _commonest(labelled), strict=True)),
        AGAIN: f1((acts, second) for acts, second in again if second is not None),
    }
    labels = [act for acts in labelled.acts for act in acts]
    return TaggerFigures(
        scores=[TaggerScore(who, value) for who, value in figures.items()],
        by_act=sorted(by_act, key=lambda row: -row.turns),
        turns=len(pairs),
        conversations=len(np.unique(labelled.groups)),
        exact=float(np.mean([acts == given for acts, given in functions])),
        missed=sum(act not in known for act in labels) / len(labels),
    )


def f1(pairs: Iterable[tuple[Iterable[object], Iterable[object]]]) -> float:
    """Return F1 over the labels of all turns, each true and given; NaN where there is none.

    >>> f1([("ab", "a")])
    0.6666666666666666
    """
    both = total = 0
    for true, given in pairs:
        names, others = set(true), set(given)
        both += len(names & others)
        total += len(names) + len(others)
    return 2 * both / total if total else float("nan")


def _commonest(labelled: Examples) -> list[Acts]:
    """Return for each turn the most common act of its speaker: a guess without reading."""
    counts = {user: Counter[Act]() for user in (True, False)}
    for turn, acts in zip(labelled.turns, labelled.acts, strict=True):
        counts[turn.user].update(acts)
    best = {user: tuple(act for act, _ in count.most_common(1)) for user, count in counts.items()}
    return [best[turn.user] for turn in labelled.turns]
