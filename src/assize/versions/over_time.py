"""From judgments and times to periods, changes and the latest period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.base.signature import sign
from assize.criteria._criterion import (
    LIKERT,
    NETSAT,
    NUMBERS,
    STALE,
    CriteriaSet,
    Criterion,
    Labelling,
)
from assize.criteria._scores import agreeing
from assize.criteria._scoring import label_of
from assize.formats.times import Period, Times, day_of, periods_of
from assize.judgments import JudgmentTable
from assize.judgments.table import BoolArray
from assize.judgments.values import numbers
from assize.results import Share
from assize.results.numbers import counted
from assize.stats import adjust, mean, share, wilson
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._change_points import ChangePoint, ChangePoints, change_points, step
from assize.stats._intervals import ratio
from assize.stats._resampling import JACKKNIFE
from assize.stats._statistics import StatisticsSettings
from assize.versions.options import OverTime
from assize.versions.over_time_result import (
    DatedChange,
    DriftResult,
    LatestFigures,
    PeriodFigures,
    Series,
)

_VERSION = 2  # intervals follow the confidence
_DAY = 86_400.0
_NAMED = 3  # conversations that a note names


@dataclass(frozen=True)
class _Asked:
    """A question with the values of all conversations (N,), NaN for none."""

    question: Question
    text: str
    kind: str
    values: FloatArray
    holds: FloatArray | None


def measure_drift(
    table: JudgmentTable,
    times: Times,
    over: OverTime,
    how: StatisticsSettings,
    *,
    given: CriteriaSet | None = None,
    questions: Sequence[str] = (),
    groups: Mapping[str, str] | None = None,
    clusters: Mapping[str, str] | None = None,
) -> DriftResult:
    """Quality over time; conversations without a time are left out and counted.

    Args:
        over: periods, and least rows of a change.
        how: confidence of intervals, and so the level of the tests; random orders, seed.
        given: the criteria; None watches all questions with numbers.
        questions: only these; () for all.
        groups: by conversation, the version, each of which is watched by itself.
        clusters: by conversation, what makes it depend on others; one that is not here stands
            for itself.

    Raises:
        DataError: no judged conversation has a time, or no question has numbers.
        ConfigError: a question is not among the judgments.
    """
    every, by = str(over.every), None if groups is None else "version"
    rows = table.where(turn=None)
    asked_ids = _questions(rows, given, questions)
    rows = rows.where(question=asked_ids)
    items = [one for one in rows.items if one in times.at]
    untimed = {
        one: times.missing.get(one, "not among the conversations")
        for one in rows.items
        if one not in times.at
    }
    if not items:
        raise DataError(
            f"none of the {len(untimed):,} judged conversations has a time; are"
            " their ids those of the conversations given?"
        )
    at = np.array([times.at[one] for one in items])
    order = np.argsort(at, kind="stable")
    items, at = [items[place] for place in order.tolist()], at[order]
    place = {item: row for row, item in enumerate(items)}
    asked = [one for name in asked_ids if (one := _asked(rows, name, place, given)) is not None]
    if not asked:
        raise DataError(f"no answer to {', '.join(asked_ids[:_NAMED])} is worth a number")
    codes, periods = periods_of(at, every)
    group_of = np.array([(groups or {}).get(one, "") for one in items])
    units = None
    if clusters is not None:
        labels = [f"c {clusters[one]}" if one in clusters else f"i {one}" for one in items]
        units = np.unique(labels, return_inverse=True)[1]
    labelling = None if given is None else given.without_stale_labels.labelling
    lines = [
        (name, np.flatnonzero(group_of == name), one)
        for name in np.unique(group_of).tolist()
        for one in asked
    ]
    columns = np.full((len(at), len(lines)), np.nan)
    for column, (_, part, one) in enumerate(lines):
        columns[part, column] = one.values[part]
    found = change_points(
        columns,
        at,
        clusters=units,
        level=how.level,
        confidence=how.confidence,
        permutations=how.permutations,
        least=over.least,
        rng=how.rng(),
    )
    series = [
        _series(one, name, part, codes, periods, units, labelling, changes, how.confidence)
        for (name, part, one), changes in zip(lines, found, strict=True)
    ]
    latest: list[LatestFigures] = []
    if len(periods) > 1:
        before = codes < len(periods) - 1
        latest = [
            _latest(one, name, part, before[part], units, how.confidence)
            for name, part, one in lines
        ]
        latest = [
            replace(row, p=p, verdict=each.verdict(row.change.estimate) if p <= how.level else "")
            for row, each, p in zip(latest, series, adjust([row.p for row in latest]), strict=True)
        ]
    reasons = [each.found.test.reason for each in series if each.found.test.reason is not None]
    untested = (
        [f"{counted(len(reasons), 'question')} could not be tested: {reasons[0]}"]
        if reasons
        else []
    )
    changed = [each for each in series if each.changes]
    return DriftResult(
        questions=len(series),
        changed=len(changed),
        dropped=sum(row.verdict == "worse" for row in latest),
        latest=latest,
        changes=[_dated(each, change) for each in changed for change in each.changes],
        by_period=[row for each in series for row in each.periods if row is not None],
        periods=periods,
        every=every,
        by=by,
        level=how.level,
        without_time=len(untimed),
        notes=[
            *_notes(rows, times, untimed, asked_ids, asked, at),
            *([STALE] if given is not None and given.edited else []),
            *untested,
        ],
        signature=sign(
            {"over time": _VERSION, "every": every, "seed": how.seed, "by": by or ""},
            sorted({one.found.test.method for one in series}),
            [one.question.id for one in asked],
            None if labelling is None else str(labelling),
        ),
        settings={
            "every": every,
            "by": by,
            "level": f"{how.level:g}",
            "permutations": how.permutations,
            "seed": how.seed,
        },
        series=series,
        labelling=labelling,
    )


def _dated(series: Series, change: ChangePoint) -> DatedChange:
    early, late = ((end - change.at) / _DAY for end in change.interval)
    earliest, latest = map(day_of, change.interval)
    return DatedChange(
        series.group or None,
        series.id,
        series.text,
        day_of(change.at),
        earliest,
        latest,
        f"{floor(early):+d}..{ceil(late):+d}",
        change.before,
        change.after,
        change.difference,
        change.p_value,
        series.verdict(change.difference.estimate),
        change.difference.n + change.difference.unscored,
        change.difference.unscored,
    )


def _questions(
    table: JudgmentTable, given: CriteriaSet | None, wanted: Sequence[str]
) -> Sequence[str]:
    """NetSAT first; those of the set in its order, or all."""
    for one in wanted:
        if one not in table.asked:
            asked = ", ".join(table.asked[:20])
            raise ConfigError(f"no judgment answers {one!r}; asked were {asked}")
    if wanted:
        return wanted
    known = table.asked if given is None else [one.id for one in given.questions]
    found = [one for one in known if one in table.asked]
    if not found:
        ours = ", ".join(table.asked[:_NAMED])
        raise DataError(f"no judgment is about NetSAT or a criterion of this set; judged: {ours}")
    return sorted(found, key=lambda one: one != NETSAT)


def _asked(
    rows: JudgmentTable, name: str, place: Mapping[str, int], given: CriteriaSet | None
) -> _Asked | None:
    """A question's values by conversation, means where there are several; None without any."""
    part = rows.where(question=name)
    codes, names = part.codes("item")
    owners = np.array([place.get(one, -1) for one in names])[codes]

    def means(values: FloatArray) -> FloatArray:
        known = ~np.isnan(values) & (owners >= 0)
        total = np.bincount(owners[known], values[known], len(place)).astype(np.float64)
        return ratio(total, np.bincount(owners[known], minlength=len(place)).astype(np.float64))

    known: dict[str, Criterion] = {} if given is None else {one.id: one for one in given.criteria}
    criterion, question = known.get(name), part.questions[name]
    if given is not None and criterion is not None and name in part.inferred:
        question = criterion.question(given.scale)
    values = means(numbers(part, question))
    if np.isnan(values).all():
        return None
    scored = criterion is not None or question.answers in (LIKERT, NUMBERS)
    holds = means(agreeing(part, question)) if scored else None
    if holds is not None:
        holds = np.where(np.isnan(holds), np.nan, holds > 0.5)
    kind = "" if not scored else "DSAT" if question.higher == "worse" else "SAT"
    text = question.id if question.id == NETSAT else question.text or question.id
    if criterion is not None:
        kind, text = criterion.polarity.upper(), criterion.text
    return _Asked(question, text, kind, values, holds)


def _series(
    one: _Asked,
    group: str,
    part: IntArray,
    codes: IntArray,
    periods: Sequence[Period],
    units: IntArray | None,
    labelling: Labelling | None,
    found: ChangePoints,
    confidence: float,
) -> Series:
    window = labelling if one.question.id == NETSAT else None
    each = [part[codes[part] == number] for number in range(len(periods))]
    figures = [
        None
        if len(rows) == 0
        else _figures(one, group, period.name, rows, units, window, confidence)
        for period, rows in zip(periods, each, strict=True)
    ]
    # What is unscored is counted in the group alone.
    test = replace(found.test, unscored=len(part) - found.test.n)
    higher = one.question.higher or "better"
    own = replace(found, test=test)
    return Series(one.question.id, one.text, one.kind, group, higher, figures, own)


def _figures(
    one: _Asked,
    group: str,
    period: str,
    rows: IntArray,
    units: IntArray | None,
    labelling: Labelling | None,
    confidence: float,
) -> PeriodFigures:
    values, own = one.values[rows], None if units is None else units[rows]
    question = one.question
    interval = replace(JACKKNIFE, confidence=confidence)
    labels: dict[str, Share] = {}
    if labelling is not None:
        answers = [
            "unscored" if np.isnan(value) else label_of(value, labelling)
            for value in values.tolist()
        ]
        labels = {
            label: wilson(answers.count(label), len(answers), confidence=confidence)
            if own is None
            else share([answer == label for answer in answers], clusters=own, confidence=confidence)
            for label in ("good", "open", "bad")
        }
    return PeriodFigures(
        group or None,
        question.id,
        one.text,
        period,
        len(rows),
        int(np.isnan(values).sum()),
        mean(values, clusters=own, interval=interval).within(question.range),
        None if one.holds is None else share(one.holds[rows], clusters=own, confidence=confidence),
        **labels,
    )


def _latest(
    one: _Asked,
    group: str,
    part: IntArray,
    before: BoolArray,
    units: IntArray | None,
    confidence: float,
) -> LatestFigures:
    values, own = one.values[part], None if units is None else units[part]
    earlier, now = (
        mean(
            values[side],
            clusters=None if own is None else own[side],
            interval=replace(JACKKNIFE, confidence=confidence),
        )
        for side in (before, ~before)
    )
    difference = step(values, int(before.sum()), clusters=own, confidence=confidence)
    return LatestFigures(
        group or None,
        one.question.id,
        one.text,
        one.kind.lower() or None,
        earlier,
        now,
        difference,
        difference.details["p_value"],
        "",
        now.n + now.unscored,
        now.unscored,
    )


def _notes(
    rows: JudgmentTable,
    times: Times,
    untimed: Mapping[str, str],
    wanted: Sequence[str],
    asked: Sequence[_Asked],
    at: FloatArray,
) -> list[str]:
    said = []
    if untimed:
        some = ", ".join(f"{item} ({why})" for item, why in list(untimed.items())[:_NAMED])
        more = " and others" if len(untimed) > _NAMED else ""
        said.append(
            f"{len(untimed):,} judged conversations have no time and are left out: {some}{more}"
        )
    judged = set(rows.items)
    lacking = sum(1 for one in times.at if one not in judged)
    if lacking:
        said.append(f"{lacking:,} conversations were not judged and are left out")
    if times.local:
        said.append(f"{times.local:,} times have no zone and count as UTC")
    silent = [name for name in wanted if name not in {one.question.id for one in asked}]
    if silent:
        said.append(f"no answer is worth a number: {', '.join(silent)}")
    said += _judges(rows)
    if len(np.unique(at)) < 2:
        said.append("all conversations have the same time, so nothing can change")
    return said


def _judges(rows: JudgmentTable) -> list[str]:
    """What else than quality could have changed: who judged, and how."""
    said = []
    if len(rows.judges) > 1:
        said.append(
            f"{len(rows.judges)} judges are averaged; where they changed over time, so did"
            " the measure: watch one at a time (--judges)"
        )
    made, _ = rows.codes("signature")
    asked, judge = rows.codes("question")[0], rows.codes("judge")[0]
    every = np.unique(np.stack([asked, judge, made], axis=1)[made >= 0], axis=0)
    if len(every) > len(np.unique(every[:, :2], axis=0)):
        said.append(
            "judgments of one judge have different signatures: its model, prompt or criteria"
            " changed, and a change of quality may be theirs"
        )
    return said
