"""From judgments and limits to checks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.base.signature import sign
from assize.formats.sampling import first_words
from assize.results.numbers import counted
from assize.stats import Estimate, wilson
from assize.versions.answers import Asked, gather
from assize.versions.compare_result import Difference
from assize.versions.comparing import (
    FEW,
    Comparing,
    Field,
    check_segments,
    compare_all,
    lowest_items,
    main_index,
)
from assize.versions.gate_result import EVERY_JUDGE, Check, GateResult, end_of
from assize.versions.thresholds import Threshold, measured, thresholds
from assize.versions.version import Version, cluster_labels

_VERSION = 1
_LOWEST = 10

UNSCORED = 5.0
"""Percent that may be unscored where nothing else is said; no limit by itself."""


@dataclass(frozen=True, slots=True)
class GateLimits:
    """What a version must keep, each limit by question and statistic.

    Args:
        fail_under: fail if a statistic's interval begins below this, for example overall=0.6,
            Q0.mean=3, Q0.share>=3=0.8 or overall.p10=0.2 (repeatable).
        fail_over: fail if a statistic's interval ends above this, for example toxic=0.1
            (repeatable).
        max_drop: fail if the interval of the fall since the baseline ends above this, for example
            overall=0.05 (repeatable).
        by: field, for example metadata.lang, each of whose values must keep the limits too; of a
            log of several versions first the field that says which, and `baseline` is then a name,
            by default the version before the last (repeatable).
        max_unscored: exit with 1 if more than this percentage is unscored.

    Raises:
        ConfigError: `max_unscored` is no percentage.
    """

    fail_under: Mapping[str, float | str] = field(default_factory=dict)
    fail_over: Mapping[str, float | str] = field(default_factory=dict)
    max_drop: Mapping[str, float | str] = field(default_factory=dict)
    by: str | Sequence[str] = ()
    max_unscored: float | None = UNSCORED

    def __post_init__(self) -> None:
        check_range("max_unscored", self.max_unscored, 0, 100)


def check_limits(
    version: Version,
    baseline: Version | None,
    *,
    limits: GateLimits,
    questions: Sequence[str] | None = None,
    judges: Sequence[str] | None = None,
    segments: Field | None = None,
    clusters: Field | None = None,
    how: Comparing,
) -> GateResult:
    """Holds a version against limits, and against a baseline.

    A question that several judges answered is checked for each of them, and where there are
    segments for each of these too.

    Raises:
        ConfigError: nothing is asked, a limit is none, or a drop has no baseline.
        DataError: there is nothing to measure.
    """
    if limits.max_drop and baseline is None:
        raise ConfigError("max_drop needs the version before: give baseline (--baseline FILE)")
    gathered = gather([version], questions=questions, judges=judges)
    names = list(dict.fromkeys(one.question.id for one in gathered.asked))
    every = read_limits(limits, names)
    asked = [threshold for threshold in every if threshold.kind != "drop"]
    drops = [threshold for threshold in every if threshold.kind == "drop"]
    if not asked and not drops and limits.max_unscored is None:
        raise ConfigError("nothing is asked; give fail_under, fail_over, max_drop or max_unscored")
    compared = None
    if baseline is not None:
        compared = compare_all(
            [baseline, version],
            questions=questions,
            judges=judges,
            segments=segments,
            clusters=clusters,
            how=how,
        )
    own = {} if segments is None else segments.get(version.name, {})
    names, few = segment_names(own, version)
    checks = [
        hold(threshold, segment, answers.judge, figure)
        for threshold in asked
        for segment in ["", *names]
        for answers in gathered.asked
        if answers.question.id == threshold.question
        for figure in [_figure(threshold, answers, version, own, segment, clusters, 1 - how.level)]
    ]
    for threshold in drops:
        for row in [] if compared is None else [*compared.differences, *compared.segments]:
            if row.question == threshold.question:
                checks.append(hold(threshold, row.segment or "", row.judge, _fall(row)))
    table = version.table if questions is None else version.table.where(question=list(questions))
    lost, total = table.unscored, len(table)
    if limits.max_unscored is not None:
        checks.append(_unscored(lost, total, limits.max_unscored))
    judges = list(dict.fromkeys(check.judge for check in checks))
    checks.sort(key=lambda check: judges.index(check.judge))
    main = gathered.asked[main_index(gathered, None)]
    values = main.values[version.name]
    items = sorted(values)
    lowest = lowest_items(
        version.name, items, np.array([values[item] for item in items]), main.question, _LOWEST
    )
    notes = [*gathered.told, *(() if compared is None else compared.notes), *few]
    return GateResult(
        all(check.passed for check in checks),
        f"{version.name}, {counted(len(version.table.items), 'conversation')}",
        checks,
        compared,
        total,
        lost,
        sign(
            {"gate": _VERSION},
            sorted({check.figure.method for check in checks}),
            [check.name for check in checks],
            None if compared is None else compared.signature,
        ),
        main.question.id,
        [replace(row, begins=first_words(version.items.get(row.item), 160)) for row in lowest],
        list(dict.fromkeys(notes)),
    )


def read_limits(limits: GateLimits, questions: Sequence[str]) -> list[Threshold]:
    """Return the limits on questions.

    Raises:
        ConfigError: a limit is none, or is on none of these questions.
    """
    return [
        *thresholds(limits.fail_under, "under", questions),
        *thresholds(limits.fail_over, "over", questions),
        *thresholds(limits.max_drop, "drop", questions),
    ]


def segment_names(
    segment_of: Mapping[str, str], version: Version
) -> tuple[list[str], Sequence[str]]:
    """Return the segments that are checked, and a note on those with too few conversations.

    Raises:
        DataError: there are more segments than a reader could look through.
    """
    sizes = Counter(segment_of[item] for item in version.table.items if item in segment_of)
    check_segments(sizes)
    small = [f"{name} ({sizes[name]})" for name in sorted(sizes) if sizes[name] < FEW]
    note = f"segments with fewer than {FEW} conversations are not checked: {', '.join(small)}"
    return [name for name in sorted(sizes) if sizes[name] >= FEW], [note] if small else []


def _figure(
    threshold: Threshold,
    answers: Asked,
    version: Version,
    segment_of: Mapping[str, str],
    segment: str,
    clusters: Field | None,
    confidence: float,
) -> Estimate:
    """The statistic of a threshold on the conversations of a segment; "" for all."""
    values = {
        item: value
        for item, value in answers.values[version.name].items()
        if not segment or segment_of.get(item) == segment
    }
    labels = cluster_labels(version, list(values), clusters)
    alone = clusters is None and len(set(labels)) == len(labels)
    numbers = np.array(list(values.values()))
    return measured(numbers, threshold.statistic, None if alone else labels, confidence)


def _fall(row: Difference) -> Estimate:
    """The fall since the baseline; of what is worse the higher it is, the rise."""
    if row.higher != "better":
        return row.difference
    low, high = row.difference.interval
    return replace(
        row.difference, estimate=0.0 - row.difference.estimate, interval=(0.0 - high, 0.0 - low)
    )


def hold(threshold: Threshold, segment: str, judge: str, figure: Estimate) -> Check:
    """Return a check: the end of the figure's interval held against the limit."""
    under, limit = threshold.kind == "under", threshold.limit
    bound, reason = end_of(figure, 0 if under else 1)
    passed = bound >= limit if under else bound <= limit
    word: Literal["passed", "FAILED"] = "passed" if passed else "FAILED"
    return Check(threshold.name, segment, judge, figure, bound, limit, word, reason)


def _unscored(lost: int, total: int, limit: float) -> Check:
    found = wilson(lost, total)
    percent = 100 * found.estimate
    kept = not math.isnan(percent) and percent <= limit
    ends = (100 * found.interval[0], 100 * found.interval[1])
    shown = Estimate(
        percent, ends, total, 0, found.reason, found.signature, found.method, total, found.details
    )
    name = f"percent unscored <= {limit:g}"
    word: Literal["passed", "FAILED"] = "passed" if kept else "FAILED"
    return Check(name, "", EVERY_JUDGE, shown, percent, limit, word, found.reason)
