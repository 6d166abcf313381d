"""Sets of conversations, or versions of a system, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assize.base.arguments import check_range, check_word
from assize.base.errors import ConfigError
from assize.calibrate._data.metadata import ALL, metadata_blocks
from assize.calibrate._inputs import (
    Fitted,
    Raters,
    calibrator_of,
    features_for,
    new_shifts,
    tell_shifts,
)
from assize.calibrate._prediction.compare_systems import SOURCES, Compared, compare_sets
from assize.calibrate._prediction.predictions import rater_places
from assize.calibrate._prediction.system_sets import predict_sets
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_in, listed


def compare(
    calibrator: Fitted,
    answers: JudgmentsLike,
    *,
    against: JudgmentsLike | None = None,
    by: str | None = None,
    items: ItemsLike | None = None,
    raters: Raters = "all",
    without: str | Sequence[str] = (),
    unpaired: bool = False,
    resamples: int = 1_000,
    seed: int = 0,
) -> Compared:
    """Describe the predicted answers of sets of conversations, and how the sets differ.

    Intervals come from resampling raters, conversations and predicted answers. Metadata that the
    calibrator reads is masked, so that any difference comes from the text. What two sets share (the
    same id; with a regular expression, the id without its group 1) is resampled in both at once: a
    paired difference. A correction by groups of conversations needs `items`, with those of both
    sets.

    Args:
        calibrator: folder that `calibrate fit` wrote. In Python also what `assize.calibrate.fit`
            has returned.
        answers: model judgments: files or folders of runs (repeatable).
        against: answers about the second set of conversations (repeatable).
        by: what splits the answers into sets: system or metadata.NAME (of `items`), or group 1 of a
            regular expression on ids.
        items: files of the conversations, for their systems and metadata (repeatable).
        raters: raters to predict: ids separated by commas, all, or unknown.
        without: what to keep fixed instead of resampling: raters, conversations, answers, or levels
            (at which sets far from the fitted one are rated) (repeatable).
        unpaired: treat conversations of the two sets as different ones.
        resamples: bootstrap samples behind each interval.
        seed: random seed.

    Raises:
        ConfigError: both `against` and `by` are given, or a rater is not known.
        DataError: a set has nothing that could be predicted, or a row is bad.
    """
    for name in listed(without):
        check_word("without", name, SOURCES)
    check_range("resamples", resamples, 20)
    if against is not None and by is not None:
        raise ConfigError("give against or by, not both", "against", "by")
    fitted = calibrator_of(calibrator)
    known = list(items_in(items))
    hidden = [ALL] if metadata_blocks(fitted.calibrator.blocks) else []
    sets = {"answers": answers} if against is None else {"answers": answers, "against": against}
    tables = {
        name: features_for([fitted], given, known, what=name, masked=hidden)
        for name, given in sets.items()
    }
    for name, features in tables.items():
        tell_shifts(new_shifts(fitted, features), what=name)
    places = rater_places(fitted.calibrator, raters)
    predicted = predict_sets(fitted, tables, places, items=known, by=by, unpaired=unpaired)
    conversations = sum(len(features.units) for features in tables.values())
    compared = compare_sets(
        predicted,
        fitted.target,
        sources=[one for one in SOURCES if one not in listed(without)],
        resamples=resamples,
        shared=fitted.shared_error if fitted.target.ordered else 0.0,
        rng=np.random.default_rng(seed),
    )
    return replace(
        compared,
        calibrator=fitted.signature,
        corrected=fitted.corrected,
        shared_error=fitted.shared_error,
        left_out=conversations - sum(len(part.p) for part in predicted.values()),
        conversations=conversations,
    )
