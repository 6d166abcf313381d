"""Labels for a small evaluator: answers drawn from what a calibrator predicts.

A calibrator needs a model's answers about every conversation. An evaluator that has learnt
from its predictions needs the text alone. The labels are judgments like any other, so
whatever learns from judgments can learn from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.calibrate._data.features import Features
from assize.judgments import Unit

DRAWN = "#drawn"  # ends the judge's name, so that draws are not taken for predictions


def features_about(features: Features, ids: Sequence[str]) -> Features:
    """The answers about some items, in their order; NaN for an item that has none."""
    if not ids:
        raise DataError("there is no conversation in these files")
    units: dict[str, list[int]] = {}
    for row, (item, _) in enumerate(features.units):
        units.setdefault(item, []).append(row)
    if not any(name in units for name in ids):
        raise DataError(
            f"the answers are about none of the {len(ids):,} conversations (about"
            f" {next(iter(units), None)!r}, and not {ids[0]!r}, for instance); give the"
            " conversations that the answers are about"
        )
    kept: list[Unit] = []
    rows = []
    nothing = np.full(features.x.shape[1], np.nan)
    for name in ids:
        places = units.get(name, [])
        kept += [features.units[row] for row in places] or [(name, None)]
        rows += [features.x[row] for row in places] or [nothing]
    return replace(features, units=tuple(kept), x=np.stack(rows))


def sample_labels(
    predicted: Iterable[Judgment], samples: int, rng: np.random.Generator
) -> Iterator[Judgment]:
    """Answers about every item, drawn from what its raters are predicted to say, one row a draw.

    The draws of one item are spread (a Latin hypercube, McKay et al., 1979): raters are dealt like
    cards, and of S draws one lies in each S-th of the cumulative probability, which brings their
    mean far closer to the expected answer (design/12-distillation.md). Distillation by sampled
    labels: Hashemi et al. (2024), in a sentence.
    """
    for _, group in groupby(predicted, key=lambda row: (row.item, row.turn)):
        rows = list(group)
        if rows[0].unscored is not None:
            yield replace(rows[0], judge=rows[0].judge + DRAWN)
            continue
        dealt = _deal(len(rows), samples, rng)
        heights = (rng.permutation(samples) + rng.random(samples)) / samples
        for number, (place, height) in enumerate(zip(dealt, heights.tolist(), strict=True)):
            yield _draw(rows[place], number, height)


def _deal(cards: int, count: int, rng: np.random.Generator) -> list[int]:
    """The first `count` cards of as many shuffled decks as that takes."""
    return [int(card) for _ in range(-(-count // cards)) for card in rng.permutation(cards)][:count]


def _draw(row: Judgment, number: int, height: float) -> Judgment:
    """The answer at a height between 0 and 1 of a row's cumulative probabilities."""
    answers, shares = zip(*(row.distribution or {}).items(), strict=True)
    up_to = np.cumsum(shares)
    # Sums may end a rounding error below 1 and above `height`: the last answer takes that.
    place = min(int(np.searchsorted(up_to, height * up_to[-1], side="right")), len(shares) - 1)
    return Judgment(
        row.item,
        row.judge + DRAWN,
        row.question,
        answer=answers[place],
        turn=row.turn,
        repeat=number,
        kind="evaluator",
        signature=row.signature,
    )
