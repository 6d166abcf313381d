"""From people's ratings to forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

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
    """Joins people's ratings with the features of the items they are about.

    Args:
        features: of the items.
        ratings: judgments by people; each row (item, question, rater).
        target: the question to be predicted. A number is cut into intervals (see `binned`);
            a preference is learnt from choices between items alone.
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
    scales = _scales(features, ratings, target, auxiliary)
    _check_preferences(ratings, preferences)
    pile = _Pile(features, scales, preferences, dict(groups or {}))
    wanted = [scale.id for scale in scales]
    for row in ratings.where(question=[*wanted, *([] if preferences is None else [preferences])]):
        pile.add(row)
    if scales[0].question.kind == "preference":
        _check_choices(pile, target)
    else:
        _check_target(pile, scales[0])
    return pile.forms(trusted)


_Key = tuple[Unit, str, int, int]


@dataclass(slots=True)
class _Pile:
    """Ratings, gathered row by row into forms."""

    features: Features
    scales: tuple[Scale, ...]
    preferences: str | None
    groups: Mapping[str, str]
    filled: dict[_Key, dict[int, int]] = field(default_factory=dict)
    sampled: dict[_Key, float | None] = field(default_factory=dict)
    chosen: list[tuple[str, Choice]] = field(default_factory=list)
    seen: Counter[tuple[object, ...]] = field(default_factory=Counter)
    unmatched: Counter[str] = field(default_factory=Counter)
    not_applicable: int = 0
    unscored: int = 0
    _units: dict[Unit, int] = field(init=False)
    _place: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self._units = {unit: index for index, unit in enumerate(self.features.units)}
        self._place = {scale.id: index for index, scale in enumerate(self.scales)}
        if self.scales[0].question.kind == "preference":
            self.preferences = self.scales[0].id

    def add(self, row: Judgment) -> None:
        """One more rating."""
        if row.anonymous:
            raise DataError(
                f"{place_of(row)}: this rater's id is a position and not a person;"
                " a calibrator needs to know who rated; give the raters' ids"
            )
        self.not_applicable += row.answer == NOT_APPLICABLE
        self.unscored += row.unscored is not None
        if row.question == self.preferences:
            self._choose(row)
        else:
            self._fill(row)

    def _choose(self, row: Judgment) -> None:
        if _sampled(row) != 1:
            raise DataError(
                f"{place_of(row)}: `{SAMPLED}` is of ratings, and this is a choice between two;"
                " leave it out"
            )
        choice = paired_choice(row, self._units)
        if choice is not None:
            self.chosen.append((row.judge, choice))
        elif row.unscored is None and row.answer != NOT_APPLICABLE:
            self.unmatched[row.item] += 1

    def _fill(self, row: Judgment) -> None:
        place = self._place[row.question]
        unit = (row.item, row.turn)
        answer = _answer(row, self.scales[place])
        if unit not in self._units:
            self.unmatched[row.item] += 1
            return
        key = (unit, row.judge, row.repeat, self.seen[row.key])
        self.seen[row.key] += 1
        self.filled.setdefault(key, {})[place] = answer
        if place == 0:
            self.sampled[key] = _sampled(row)

    def forms(self, trusted: Collection[str] | None) -> Forms:
        """All of them, trusted raters' before helpers'."""
        kept = {key: given for key, given in self.filled.items() if max(given.values()) >= 0}
        judges = [judge for _, judge, _, _ in kept] + [judge for judge, _ in self.chosen]
        raters, helpers = self._raters(judges, trusted)
        place = {name: index for index, name in enumerate(raters)}
        code = {judge: place[self.groups.get(judge, judge)] for judge in set(judges)}
        answers = np.full((len(kept), len(self.scales)), NO_ANSWER, dtype=np.int64)
        for line, given in enumerate(kept.values()):
            answers[line, list(given)] = list(given.values())
        item = _places(self._units[unit] for unit, _, _, _ in kept)
        shares = [self.sampled.get(key, 1.0) for key in kept]
        return Forms(
            self.features.x[item],
            item,
            _places(code[judge] for _, judge, _, _ in kept),
            answers,
            self.scales,
            self.features,
            raters,
            len(kept) - len({key[:2] for key in kept}),
            dict(self.unmatched),
            self.not_applicable,
            self.unscored,
            helpers,
            choices=self._choices(code) if self.chosen else None,
            **_thinning(shares),
        )

    def _choices(self, code: Mapping[str, int]) -> Choices:
        return Choices(
            _places(one.a for _, one in self.chosen),
            _places(one.b for _, one in self.chosen),
            _places(code[judge] for judge, _ in self.chosen),
            _places(one.answer for _, one in self.chosen),
        )

    def _raters(
        self, judges: Sequence[str], trusted: Collection[str] | None
    ) -> tuple[tuple[str, ...], int]:
        """Names of all raters, the helpers last, and how many these are."""
        rated = set(judges)
        for name in self.groups:
            if name not in rated:
                raise ConfigError(f"rater {name!r} of group {self.groups[name]!r} rated nothing")
        names = list(dict.fromkeys(self.groups.get(judge, judge) for judge in judges))
        clash = {self.groups[one] for one in self.groups} & (rated - set(self.groups))
        if clash:
            raise ConfigError(f"{min(clash)!r} is a rater already; name the group otherwise")
        for name in names:
            if name in RESERVED:
                raise ConfigError(
                    f"a rater is called {name!r}, which has a meaning in predictions; rename it,"
                    f" as by a group {name}-person={name}"
                )
        if trusted is None:
            return tuple(names), 0
        for name in trusted:
            if name not in names:
                known = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
                raise ConfigError(f"trusted rater {name!r} rated nothing; raters are {known}")
        if not trusted:
            raise ConfigError(f"nobody is trusted; name one or more of {', '.join(names[:12])}")
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
        if name not in asked:
            raise ConfigError(f"nobody was asked {name!r}; the ratings answer {', '.join(asked)}")
    question = ratings.questions[target]
    if question.kind == "number" and not question.answers:
        scores = ratings.where(question=target).numeric("score")
        question = binned(question, scores[~np.isnan(scores)].tolist())
    if question.kind == "preference":
        return (Scale.of(question),)
    names = [name for name in auxiliary if name != target]
    return (Scale.of(question), *(Scale.of(ratings.questions[name]) for name in names))


def _check_preferences(ratings: JudgmentTable, name: str | None) -> None:
    if name is None:
        return
    asked = ratings.asked
    if name not in asked:
        raise ConfigError(f"nobody was asked {name!r}; the ratings answer {', '.join(asked)}")
    if ratings.questions[name].kind != "preference":
        raise ConfigError(f"{name!r} is not a preference: its answers are not A, B and tie")


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


def _check_target(pile: _Pile, target: Scale) -> None:
    if any(given.get(0, NO_ANSWER) != NO_ANSWER for given in pile.filled.values()):
        return
    if pile.unmatched and not pile.filled:
        raise DataError(
            f"none of the items rated on {target.id!r} has answers by a model"
            f" (rated is {next(iter(pile.unmatched))!r}, for instance); check the ids of the items"
        )
    raise DataError(f"every rating of {target.id!r} is NA or missing; there is nothing to fit")


def _check_choices(pile: _Pile, target: str) -> None:
    if pile.chosen:
        return
    if pile.unmatched:
        one = next(iter(pile.unmatched))
        raise DataError(
            f"no choice of {target!r} is between two items with answers by a model (chosen in was"
            f" {one!r}: its sides are {one + '/A'!r} and {one + '/B'!r}, or `a` and `b` in the"
            " rating's details)"
        )
    raise DataError(f"every choice of {target!r} is NA or missing; there is nothing to fit")
