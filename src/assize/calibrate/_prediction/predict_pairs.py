"""Which of two items each rater would prefer, as judgments."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assize.base.conversation import Pair
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, Judgment, Question, Unscored
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features
from assize.calibrate._data.paired_choices import ANSWERS
from assize.calibrate._prediction.decode import entropy
from assize.calibrate._prediction.predictions import judge_name
from assize.judgments.learnt_from import hash_unit

_MISSING = Unscored("missing", "no answer by a model about one of the sides is known")


def predict_preferences(
    calibrator: Calibrator,
    features: Features,
    pairs: Sequence[Pair],
    raters: Sequence[int],
    *,
    question: Question = PREFERENCE,
    signature: str,
    seen: Collection[str] = (),
) -> Iterator[Judgment]:
    """A judgment a pair and rater by `calibration:<rater>`: P(A), P(tie), P(B), score P(A) - P(B).

    A pair with a side about which no answer is known is unscored, reason `missing`; where a side is
    one of the items `seen` in fitting, details say `in_sample`.
    """
    compare = calibrator.abilities.compare
    if compare is None:
        raise ConfigError(
            "this calibrator was not fitted on choices between items; fit one with a"
            " preference as `target`, or with `preferences`"
        )
    aligned = features.aligned(calibrator.blocks)
    there_is = calibrator.known(aligned)
    known = {unit: row for row, unit in enumerate(aligned.units) if there_is[row]}
    places = [tuple(known.get((side.id, None), -1) for side in pair.sides()) for pair in pairs]
    there = [row for row, sides in enumerate(places) if min(sides) >= 0]
    a, b = (
        replace(aligned, units=(), x=aligned.x[[places[row][side] for row in there]])
        for side in (0, 1)
    )
    found = np.full((len(pairs), len(raters), len(ANSWERS)), np.nan)
    if there:
        found[there] = compare(a, b, raters)
    for row, pair in enumerate(pairs):
        for place, rater in enumerate(raters):
            p = dict(zip(ANSWERS, found[row, place].tolist(), strict=True))
            empty = bool(np.isnan(found[row, place, 0]))
            details: dict[str, Any] = {"entropy": float(entropy(found[row, place]))}
            if any(hash_unit((side.id, None)) in seen for side in pair.sides()):
                details["in_sample"] = True
            yield Judgment(
                pair.id,
                judge_name(calibrator, rater),
                question.id,
                kind="evaluator",
                score=None if empty else p["A"] - p["B"],
                distribution=None if empty else {name: p[name] for name in question.answers},
                details=None if empty else details,
                unscored=_MISSING if empty else None,
                signature=signature,
            )
