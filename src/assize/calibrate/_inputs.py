"""What functions about calibrators are given: calibrators, answers, ratings, groups of raters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.arguments import match_name
from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data import embedding
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import Forms
from assize.calibrate._data.metadata import metadata_blocks, with_metadata
from assize.calibrate._fitted import FittedCalibrator, load_calibrator
from assize.calibrate._groups.held_out import held_out_forms
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._hierarchical.design_matrix import is_read
from assize.calibrate._hierarchical.shift import Shift
from assize.formats import JudgmentsLike
from assize.formats.arguments import answers_in, names_of, ratings_in
from assize.judgments import JudgmentTable
from assize.judgments.spellings import rename_spellings
from assize.results.log import log
from assize.results.numbers import name_some

FAR = 1.0  # standard deviations of the fitted answers, beyond which a set is another
MOST = 12  # questions that a warning names

Fitted = str | Path | Calibrator | FittedCalibrator
"""A calibrator: the folder it is kept in, or what fitting or loading has returned."""

Raters = str | Sequence[str]
"""Ids of raters, `all`, or `unknown`; one text may name several with commas."""

GroupedRaters = Mapping[str, str | Sequence[str]]
"""By the name of a group, its raters."""


def calibrator_of(given: Fitted, *, uncorrected: bool = False) -> FittedCalibrator:
    """The calibrator that is given, with the correction beside it.

    Raises:
        ConfigError: it is neither a folder nor a calibrator.
        DataError: a file is missing or damaged, or the correction is another calibrator's.
    """
    if isinstance(given, str | Path):
        return load_calibrator(given, uncorrected=uncorrected)
    if isinstance(given, FittedCalibrator):
        return replace(given, correction=None) if uncorrected else given
    if not hasattr(given, "abilities"):
        raise ConfigError(
            f"calibrator: received {type(given).__name__}; give the folder that"
            " assize.calibrate.fit has written, or what it has returned"
        )
    return FittedCalibrator(given)


def calibrators_of(
    given: Fitted | Sequence[Fitted], *, uncorrected: bool = False
) -> list[FittedCalibrator]:
    """One calibrator or several; raises as `calibrator_of` does, and ConfigError for none."""
    several: list[Any] = list(given) if isinstance(given, list | tuple) else [given]
    if not several:
        raise ConfigError("calibrators: received none; give at least one")
    return [calibrator_of(one, uncorrected=uncorrected) for one in several]


def features_for(
    fitted: Sequence[FittedCalibrator],
    answers: JudgmentsLike,
    items: Sequence[Item],
    *,
    what: str = "answers",
    masked: Collection[str] = (),
) -> Features:
    """The table that fitted calibrators read: answers, and what stands beside them.

    Embeddings that they were fitted with are made anew from the conversations in `items`;
    what else they read and is not there counts as average, which the log says. Metadata is read
    from the same conversations, but for masked fields.

    Raises:
        ConfigError: one reads embeddings, and there are no conversations; or it names an
            encoder that needs the user's word.
        DataError: the encoder is not the one it was fitted with.
    """
    read = list(dict.fromkeys(block for one in fitted for block in one.calibrator.blocks))
    rules = {one.na for one in fitted}
    if len(rules) > 1:
        raise ConfigError("one calibrator was fitted with na zeros, another without; use one rule")
    spoken = [one for one in fitted if one.encoder is not None]
    said = {block: one.encoder for one in spoken for block in one.calibrator.blocks}
    table = answers_in(answers, what=what)
    features = embedding.features_for(read, table, items, said, na=rules.pop())
    features = with_metadata(features, read, items, masked)
    here = {block.key for block in features.blocks}
    hidden = [] if not masked else metadata_blocks(read)
    missing = [block for block in read if block.key not in here and block not in hidden]
    if 0 < len(missing) < len(read):
        names = ", ".join(f"{block.question} by {block.judge}" for block in missing[:3])
        log.info(
            "%s of what the calibrator reads is not there, as %s: it counts as average",
            len(missing),
            names,
        )
    tell_lacking(features, {block.key for block in read if block.late})
    return features


def ratings_beside(
    answers: JudgmentTable, ratings: JudgmentsLike, target: str, *, what: str = "ratings"
) -> JudgmentTable:
    """The ratings, whose questions are called as those that a model answered.

    The same name in another case is the same question, and so are the same words.
    """
    target = match_name(target, answers.asked) or target
    table = ratings_in(ratings, what=what, stated=answers.stated_questions, target=target)
    return rename_spellings(table, answers.asked)


def shifts_of(calibrator: Calibrator, features: Features) -> dict[str, float]:
    """By question how far these answers lie from those of fitting, in standard deviations.

    Means over the items, NaN where nobody answered; {} for a calibrator that has kept no
    spread of its readings.
    """
    if not isinstance(calibrator, Hierarchical):
        return {}
    here = features.aligned(calibrator.blocks)
    shift = Shift.of(calibrator.design, calibrator.design.matrix(here)[calibrator.known(here)])
    read = [one for one in calibrator.blocks if is_read(one)]
    judges = len({(one.judge, one.variant) for one in read}) > 1
    return {
        f"{one.question} by {one.judge} {one.variant}".strip() if judges else one.question: value
        for one, value in zip(read, shift.readings.tolist(), strict=False)
    }


def new_shifts(fitted: FittedCalibrator, features: Features) -> dict[str, float]:
    """`shifts_of` as a calibrator meets them: one that was adapted from where its set's lay."""
    found = shifts_of(fitted.calibrator, features)
    if "adapted_from" not in fitted.about:
        return found
    met: Mapping[str, float | None] = fitted.about["adapted_shifts"]
    known = {name: at for name, at in met.items() if at is not None}
    return {name: value - known[name] for name, value in found.items() if name in known}


def tell_shifts(shifts: Mapping[str, float], what: str = "these answers") -> None:
    """A warning where answers lie far from those of fitting."""
    far = {name: value for name, value in shifts.items() if abs(value) > FAR}
    if not far:
        return
    worst = sorted(far, key=lambda name: -abs(far[name]))
    told = name_some([f"{name} {far[name]:+.1f}" for name in worst], MOST)
    log.warning(
        "%s lie far from those that were fitted (in standard deviations: %s):"
        " levels and raters may be off; `assize calibrate adapt` learns the new set's from a"
        " few labels",
        what,
        told,
    )


def tell_lacking(features: Features, late: Collection[tuple[str, str, str]]) -> None:
    """A line in the log for each of these blocks that some items with answers are without."""
    known = features.x[~features.empty]
    for block, place in zip(features.blocks, features.columns, strict=True):
        lacking = int(np.isnan(known[:, place]).all(axis=1).sum())
        if block.key in late and lacking:
            log.info(
                "%s of %s items have no %s by %s: it counts as average",
                f"{lacking:,}",
                f"{len(known):,}",
                block.question,
                block.judge,
            )


def held_forms(
    fitted: FittedCalibrator,
    answers: JudgmentsLike,
    ratings: JudgmentsLike,
    items: Sequence[Item],
    group: GroupedRaters | None,
) -> tuple[FittedCalibrator, Forms]:
    """The calibrator as it is on these items, and the ratings of what it predicts, beside what it
    reads."""
    features = features_for([fitted], answers, items)
    target = fitted.calibrator.target
    table = ratings_in(ratings, stated=[target.question], target=target.id)
    there = fitted.for_items(features, items)
    return there, held_out_forms(fitted.calibrator, features, table, group_of(group))


def group_of(groups: GroupedRaters | None) -> dict[str, str]:
    """Rater -> group; raises ConfigError where a group has nobody, or somebody is in two.

    >>> group_of({"crowd": ["3", "17"], "staff": "ann"})
    {'3': 'crowd', '17': 'crowd', 'ann': 'staff'}
    """
    found: dict[str, str] = {}
    for name, written in (groups or {}).items():
        raters = names_of(written)
        if not raters:
            raise ConfigError(f"group {name}: it has no raters; name some, as crowd=3,17,22")
        for rater in raters:
            if rater in found:
                raise ConfigError(f"group: rater {rater} is in two groups")
            found[rater] = name
    return found
