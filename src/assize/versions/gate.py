"""From judgments and limits to checks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assize.base.arguments import check_range
from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign
from assize.formats.sampling import first_words
from assize.results.numbers import counted
from assize.stats import Estimate, wilson
from assize.versions.answers import Asked, Gathered, gather
from assize.versions.compare_result import Difference, Regression, VersionsCompared
from assize.versions.comparing import FEW, MOST_SEGMENTS, Comparing, Field, compare_all
from assize.versions.gate_result import EVERY_JUDGE, Check, GateResult, end_of
from assize.versions.thresholds import Threshold, measured, thresholds
from assize.versions.version import Version, cluster_of

_VERSION = 1
_LOWEST = 10

UNSCORED = 5.0
"""Percent that may be unscored where nothing else is said; no limit by itself."""


@dataclass(frozen=True, slots=True)
class GateLimits:
    """What a version must keep, each limit by question and statistic.

    Args:
        fail_under: least lower end of a statistic, as overall=0.6, Q0.mean=3, Q0.share>=3=0.8,
            overall.p10=0.2 (repeatable).
        fail_over: greatest upper end of a statistic, as toxic=0.1 (repeatable).
        max_drop: greatest upper end of the fall since the baseline, as overall=0.05 (repeatable).
        by: field of segments, such as metadata.lang, each of which must keep the limits too; of a
            log of several versions first the field that says which, and `baseline` is then a name,
            by default the version before the last (repeatable).
        max_unscored: exit with 1 when more than this percent is unscored.

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
    asked = [
        *thresholds(limits.fail_under, "under", names),
        *thresholds(limits.fail_over, "over", names),
    ]
    drops = thresholds(limits.max_drop, "drop", names)
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
        check
        for threshold in asked
        for segment in ["", *names]
        for check in _checked(threshold, gathered, version, own, segment, clusters, 1 - how.level)
    ]
    checks += [check for one in drops if compared is not None for check in _dropped(one, compared)]
    table = version.table if questions is None else version.table.where(question=list(questions))
    lost, total = table.unscored, len(table)
    if limits.max_unscored is not None:
        checks.append(_unscored(lost, total, limits.max_unscored))
    judges = list(dict.fromkeys(check.judge for check in checks))
    checks.sort(key=lambda check: judges.index(check.judge))
    main = _main(gathered)
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
        _lowest(main, version),
        list(dict.fromkeys(notes)),
    )


def segment_names(
    segment_of: Mapping[str, str], version: Version
) -> tuple[list[str], Sequence[str]]:
    """Return the segments that are checked, and a note on those with too few conversations.

    Raises:
        DataError: there are more segments than a reader could look through.
    """
    sizes = Counter(segment_of[item] for item in version.table.items if item in segment_of)
    if len(sizes) > MOST_SEGMENTS:
        raise DataError(
            f"the field has {len(sizes):,} values, and {MOST_SEGMENTS} segments are the most;"
            " take a field with fewer"
        )
    small = [f"{name} ({sizes[name]})" for name in sorted(sizes) if sizes[name] < FEW]
    note = f"segments with fewer than {FEW} conversations are not checked: {', '.join(small)}"
    return [name for name in sorted(sizes) if sizes[name] >= FEW], [note] if small else []


def _checked(
    one: Threshold,
    gathered: Gathered,
    version: Version,
    segment_of: Mapping[str, str],
    segment: str,
    clusters: Field | None,
    confidence: float,
) -> list[Check]:
    found = []
    for asked in gathered.asked:
        if asked.question.id != one.question:
            continue
        values = {
            item: value
            for item, value in asked.values[version.name].items()
            if not segment or segment_of.get(item) == segment
        }
        labels = _labels(version, list(values), clusters)
        figure = measured(np.array(list(values.values())), one.statistic, labels, confidence)
        bound, reason = end_of(figure, 0 if one.kind == "under" else 1)
        kept = bound >= one.limit if one.kind == "under" else bound <= one.limit
        found.append(_check(one.name, segment, asked.judge, figure, bound, one.limit, kept, reason))
    return found


def _labels(version: Version, items: Sequence[str], clusters: Field | None) -> list[str] | None:
    own = {} if clusters is None else clusters.get(version.name, {})
    if clusters is None:
        named = [cluster_of(version.items[one]) if one in version.items else None for one in items]
        if not any(named):
            return None
        return [
            one if label is None else f"of {label}" for one, label in zip(items, named, strict=True)
        ]
    return [f"c {own[one]}" if one in own else one for one in items]


def _dropped(one: Threshold, compared: VersionsCompared) -> list[Check]:
    rows = [*compared.differences, *compared.segments]
    return [_drop(one, row) for row in rows if row.question == one.question]


def _drop(one: Threshold, row: Difference) -> Check:
    """The fall since the baseline; of what is worse the higher it is, the rise."""
    found = row.difference
    if row.higher == "better":
        low, high = found.interval
        found = replace(found, estimate=0.0 - found.estimate, interval=(0.0 - high, 0.0 - low))
    bound, reason = end_of(found, 1)
    kept = bound <= one.limit
    return _check(one.name, row.segment or "", row.judge, found, bound, one.limit, kept, reason)


def _check(
    name: str,
    segment: str,
    judge: str,
    figure: Estimate,
    bound: float,
    limit: float,
    kept: bool,
    reason: str | None,
) -> Check:
    return Check(name, segment, judge, figure, bound, limit, "passed" if kept else "FAILED", reason)


def _unscored(lost: int, total: int, limit: float) -> Check:
    found = wilson(lost, total)
    percent = 100 * found.estimate
    kept = not math.isnan(percent) and percent <= limit
    ends = (100 * found.interval[0], 100 * found.interval[1])
    shown = Estimate(
        percent, ends, total, 0, found.reason, found.signature, found.method, total, found.details
    )
    return _check(
        f"percent unscored <= {limit:g}", "", EVERY_JUDGE, shown, percent, limit, kept, found.reason
    )


def _main(gathered: Gathered) -> Asked:
    """The question by which conversations are ordered: `overall`, else the first."""
    names = [asked.question.id for asked in gathered.asked]
    return gathered.asked[names.index("overall") if "overall" in names else 0]


def _lowest(main: Asked, version: Version) -> list[Regression]:
    """The conversations with the lowest values on the main question."""
    sign_of = -1.0 if main.question.higher == "worse" else 1.0
    values = main.values[version.name].items()
    known = sorted((sign_of * value, item) for item, value in values if value == value)
    return [
        Regression(
            version.name,
            "",
            item,
            None,
            sign_of * value,
            None,
            first_words(version.items.get(item), 160),
        )
        for value, item in known[:_LOWEST]
    ]
