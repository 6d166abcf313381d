"""From people's ratings to forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from assize.base.arguments import did_you_mean, match_name
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import NOT_APPLICABLE, Judgment
from assize.calibrate._data.binning import binned, is_binned, place_of_score
from assize.calibrate._data.features import Features, place_of
from assize.calibrate._data.forms import NO_ANSWER, Choices, Forms, IntArray, Scale
from assize.calibrate._data.paired_choices import Choice, paired_choice
from assize.judgments import JudgmentTable, Unit

# What predictions are asked for, and called.
RESERVED = ("all", "unknown", "mean", "max", "highest", "lowest")
SAMPLED = "sampled"  # in a rating's details: the share of its like that was kept, or true


def forms_of(
    features: Features,
    ratings: JudgmentTable,
    target: str,
    *,
    auxiliary: Sequence[str] | None = None,
    preferences: str | None = None,
    groups: Mapping[str, str] | None = None,
    trusted: Collection[str] | None = None,
) -> Forms:
    """Join people's ratings with the features of the items they are about.

    Args:
        features: of the items.
        ratings: judgments by people; each row (item, question, rater).
        target: question to predict. A number is cut into intervals (see `binned`); a preference is
            learnt from choices between items alone.
        auxiliary: the other questions to learn from; by default those that the features
            were asked too.
        preferences: a question about pairs whose choices are learnt from beside the target.
        groups: rater -> the name under which several are taken as one.
        trusted: raters, or groups, who are predicted; all others only help. All when None.

    Rules: NA and unscored ratings are counted and left out; a second form by one rater
    about one item is kept and counted; a rating of an item without features is counted
    and left out; a rater with a single rating is kept. A rating whose `details` hold
    `sampled`, the share of its like that was kept, counts 1 / share; `true` marks an unknown
    share (see `Forms.thinned`).

    Raises:
        DataError: an answer is not the question's; a rater is anonymous; the target has no
            answer at all, or all its items lack features.
        ConfigError: a question that nobody was asked; a group or a trusted rater that
            nobody is; a rater called as predictions for several are (`RESERVED`).
    """
    target = match_name(target, ratings.asked) or target
    if preferences is not None:
        preferences = match_name(preferences, ratings.asked) or preferences
    scales = _scales(features, ratings, target, auxiliary)
    if scales[0].question.kind == "preference":
        preferences = target
    elif preferences is not None:
        _check_asked(ratings, preferences)
        if ratings.questions[preferences].kind != "preference":
            raise ConfigError(f"{preferences!r} is not a preference: its answers are not A, B, tie")
    names = {} if groups is None else groups
    places = {scale.id: place for place, scale in enumerate(scales)}
    units = {unit: place for place, unit in enumerate(features.units)}
    filled: dict[_Key, dict[int, int]] = {}
    sampled: dict[_Key, float | None] = {}
    chosen: list[tuple[str, Choice]] = []
    seen: Counter[tuple[object, ...]] = Counter()
    unmatched: Counter[str] = Counter()
    not_applicable = unscored = 0
    for row in ratings.where(question=[*places, *([] if preferences is None else [preferences])]):
        if row.anonymous:
            raise DataError(
                f"{place_of(row)}: this rater's id is a position and not a person;"
                " a calibrator needs to know who rated; give the raters' ids"
            )
        not_applicable += row.answer == NOT_APPLICABLE
        unscored += row.unscored is not None
        unit = (row.item, row.turn)
        if row.question == preferences:
            if _sampled(row) != 1:
                raise DataError(
                    f"{place_of(row)}: `{SAMPLED}` is of ratings, and this is a choice between two;"
                    " leave it out"
                )
            choice = paired_choice(row, units)
            if choice is not None:
                chosen.append((row.judge, choice))
            elif row.unscored is None and row.answer != NOT_APPLICABLE:
                unmatched[row.item] += 1
            continue
        place = places[row.question]
        answer = _answer(row, scales[place])
        if unit not in units:
            unmatched[row.item] += 1
            continue
        key = (unit, row.judge, row.repeat, seen[row.key])
        seen[row.key] += 1
        filled.setdefault(key, {})[place] = answer
        if place == 0:
            sampled[key] = _sampled(row)
    if preferences == target:
        _check_some(bool(chosen), unmatched, f"choice of {target!r}", _SIDES)
    else:
        given = any(answers.get(0, NO_ANSWER) != NO_ANSWER for answers in filled.values())
        _check_some(given, {} if filled else unmatched, f"rating of {target!r}", _IDS)
    kept = {key: answers for key, answers in filled.items() if max(answers.values()) >= 0}
    judges = [judge for _, judge, _, _ in kept] + [judge for judge, _ in chosen]
    raters, helpers = _order_raters(judges, names, trusted)
    code = {judge: raters.index(names.get(judge, judge)) for judge in set(judges)}
    table = np.full((len(kept), len(scales)), NO_ANSWER, dtype=np.int64)
    for line, answers in enumerate(kept.values()):
        table[line, list(answers)] = list(answers.values())
    item = _places(units[unit] for unit, _, _, _ in kept)
    return Forms(
        features.x[item],
        item,
        _places(code[judge] for _, judge, _, _ in kept),
        table,
        scales,
        features,
        raters,
        len(kept) - len({key[:2] for key in kept}),
        dict(unmatched),
        not_applicable,
        unscored,
        helpers,
        choices=Choices(
            _places(choice.a for _, choice in chosen),
            _places(choice.b for _, choice in chosen),
            _places(code[judge] for judge, _ in chosen),
            _places(choice.answer for _, choice in chosen),
        )
        if chosen
        else None,
        **_thinning([sampled.get(key, 1.0) for key in kept]),
    )


_Key = tuple[Unit, str, int, int]
_IDS = "check the ids of the items"
_SIDES = "its sides are the item's id with /A and /B, or `a` and `b` in the rating's details"


def _check_some(some: bool, unmatched: Mapping[str, int], what: str, remedy: str) -> None:
    """Raise DataError where there is nothing to fit."""
    if not some and unmatched:
        raise DataError(
            f"no {what} is about items with answers by a model (one is of"
            f" {next(iter(unmatched))!r}): {remedy}"
        )
    if not some:
        raise DataError(f"every {what} is NA or missing; there is nothing to fit")


def _check_asked(ratings: JudgmentTable, name: str) -> None:
    if name not in ratings.asked:
        raise ConfigError(
            f"nobody was asked {name!r}; {did_you_mean(name, ratings.asked)}the ratings answer"
            f" {', '.join(ratings.asked)}"
        )


def _order_raters(
    judges: Sequence[str], groups: Mapping[str, str], trusted: Collection[str] | None
) -> tuple[tuple[str, ...], int]:
    """Return the names of all raters, the helpers last, and how many these are."""
    rated = set(judges)
    for name, group in groups.items():
        if name not in rated:
            raise ConfigError(f"rater {name!r} of group {group!r} rated nothing")
        if group in rated and group not in groups:
            raise ConfigError(f"{group!r} is a rater already; name the group otherwise")
    names = list(dict.fromkeys(groups.get(judge, judge) for judge in judges))
    for name in names:
        if name in RESERVED:
            raise ConfigError(
                f"a rater is called {name!r}, which has a meaning in predictions; rename it,"
                f" as by a group {name}-person={name}"
            )
    if trusted is None:
        return tuple(names), 0
    known = ", ".join(names[:12])
    for name in trusted:
        if name not in names:
            raise ConfigError(f"trusted rater {name!r} rated nothing; raters are {known}")
    if not trusted:
        raise ConfigError(f"nobody is trusted; name one or more of {known}")
    first = [name for name in names if name in trusted]
    return (*first, *(name for name in names if name not in trusted)), len(names) - len(first)


def _places(values: Any) -> IntArray:
    return np.array(list(values), dtype=np.int64)


def _thinning(shares: Sequence[float | None]) -> dict[str, Any]:
    """`weight` and `thinned` of forms, from the share of their like that was kept."""
    found: dict[str, Any] = {}
    unknown = np.array([share is None for share in shares], dtype=bool)
    if unknown.any():
        if unknown.all():
            raise DataError(
                f"all ratings are marked `{SAMPLED}: true`: nothing tells what was left out; give"
                " the share that was kept, or add ratings of which none was left out"
            )
        found["thinned"] = unknown
    if any(share not in (1.0, None) for share in shares):
        found["weight"] = np.array([1 / (share or 1.0) for share in shares])
    return found


def _sampled(row: Judgment) -> float | None:
    """The share of a rating's like that was kept; None where it is not known."""
    given = row.details.get(SAMPLED, 1.0) if isinstance(row.details, Mapping) else 1.0
    if given is True:
        return None
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 < given <= 1:
        raise DataError(
            f"{place_of(row)}: `{SAMPLED}` is {given!r}; expected the share of such ratings that"
            " was kept, above 0 and at most 1, or true where it is not known"
        )
    return float(given)


def _scales(
    features: Features, ratings: JudgmentTable, target: str, auxiliary: Sequence[str] | None
) -> tuple[Scale, ...]:
    asked = ratings.asked
    if auxiliary is None:
        both = {block.question for block in features.blocks} & set(asked)
        auxiliary = [
            name for name in asked if name in both and len(ratings.questions[name].answers) > 1
        ]
    for name in (target, *auxiliary):
        _check_asked(ratings, name)
    question = ratings.questions[target]
    if question.kind == "number" and not question.answers:
        scores = ratings.where(question=target).numeric("score")
        question = binned(question, scores[~np.isnan(scores)].tolist())
    if question.kind == "preference":
        return (Scale.of(question),)
    names = [name for name in auxiliary if name != target]
    return (Scale.of(question), *(Scale.of(ratings.questions[name]) for name in names))


def _answer(row: Judgment, scale: Scale) -> int:
    """The place of a person's answer in the scale; NO_ANSWER for NA and unscored."""
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return NO_ANSWER
    answer = row.answer
    if answer is None and row.score is not None:
        if is_binned(scale.question):
            return place_of_score(scale.question, row.score)
        if row.score in scale.values:
            return scale.values.index(row.score)
    if answer not in scale.question.answers:
        allowed = ", ".join((*scale.question.answers, NOT_APPLICABLE))
        received = row.score if answer is None else answer
        raise DataError(f"{place_of(row)}: answer {ascii(received)[:60]} is none of {allowed}")
    return scale.question.answers.index(answer)
