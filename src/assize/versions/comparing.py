"""From matched conversations and answers to differences, segments and what to read."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assize.base.arguments import did_you_mean, match_name
from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.base.signature import sign
from assize.formats.sampling import first_words
from assize.results.escape import shortened
from assize.stats import (
    Estimate,
    MeanDifference,
    adjust,
    detectable,
    mean,
    mean_difference,
    rows_needed,
    share,
    superiority,
)
from assize.stats._arrays import FloatArray
from assize.versions.answers import Asked, Gathered, gather, mean_of
from assize.versions.compare_result import (
    Difference,
    Regression,
    Verdict,
    VersionsCompared,
)
from assize.versions.matching import Matching, Pairing, match
from assize.versions.version import Version, cluster_labels

_VERSION = 1
MOST_SEGMENTS = 50
FEW = 5  # conversations below which a segment is not tested
MAIN = "overall"

Field = Mapping[str, Mapping[str, str]]
"""By version and item the value of a field."""

Names = tuple[NDArray[Any], NDArray[Any]]
"""By side, a name a row (N,)."""


@dataclass(frozen=True, slots=True)
class Comparing:
    """How versions are compared.

    Args:
        baseline: the version that the others are compared with; None for the first.
        pairing: how conversations are matched.
        by: name of the field in `segments`.
        detect: a difference of which it is said how many conversations it needs.
        main: the question by which regressions are ordered.
        keep: number of conversations to list for reading.
        level: of the verdicts, and of intervals.
        permutations, seed: of the tests.
    """

    baseline: str | None = None
    pairing: Pairing = "auto"
    by: str = ""
    detect: float | None = None
    main: str | None = None
    keep: int = 10
    level: float = 0.05
    permutations: int = 4_999
    seed: int = 0


@dataclass(frozen=True)
class Samples:
    """One question by one judge in two versions: pairs, or two samples.

    Args:
        values: by side; of pairs row i of both is one unit.
        items: by side, the conversation of each row (of a unit the first).
        segments: by side, the segment of each row; "" for none.
        clusters: by side, labels of rows; None where each stands for itself.
    """

    paired: bool
    values: tuple[FloatArray, FloatArray]
    items: Names
    segments: Names
    clusters: Names | None

    def part(self, segment: str) -> Samples:
        """Return the rows of a segment; of pairs that of the version before."""
        before, after = (names == segment for names in self.segments)
        rows = before, before if self.paired else after

        def chosen(sides: Names) -> Names:
            return sides[0][rows[0]], sides[1][rows[1]]

        return Samples(
            self.paired,
            chosen(self.values),
            chosen(self.items),
            chosen(self.segments),
            None if self.clusters is None else chosen(self.clusters),
        )


def compare_all(
    versions: Sequence[Version],
    *,
    questions: Sequence[str] | None = None,
    judges: Sequence[str] | None = None,
    segments: Field | None = None,
    clusters: Field | None = None,
    how: Comparing,
) -> VersionsCompared:
    """Each version against the baseline.

    Args:
        questions, judges: only these.
        segments, clusters: by version and item.

    Raises:
        ConfigError: there is no such baseline, or there are fewer than two versions.
        DataError: nothing can be compared.
    """
    ordered = _ordered(versions, how.baseline)
    gathered = gather(ordered, questions=questions, judges=judges)
    first, others = ordered[0], ordered[1:]
    matchings = {one.name: match(first, one, how.pairing) for one in others}
    sides = {
        (at, one.name): _samples(asked, first, one, matchings[one.name], segments, clusters)
        for at, asked in enumerate(gathered.asked)
        for one in others
    }
    rows = _rows(gathered, sides, how, None)
    several = len(others) > 1 or len({row.judge for row in rows}) > 1
    if not several:  # the only group is named in the title
        against = f"{others[0].name} against {first.name}, judged by"
        rows = [replace(row, group=f"{against} {row.judge}") for row in rows]
    names = _segments(sides)
    main = main_index(gathered, how.main)
    segments_rows = [_rows(gathered, sides, how, name) for name in names]
    key = gathered.asked[main].judge, gathered.asked[main].question.id
    segments_rows.sort(key=lambda rows: _fall(rows, key), reverse=True)
    parts = with_verdicts([row for rows in segments_rows for row in rows], how.level)
    read = [
        row
        for name in matchings
        for row in _to_read(sides[main, name], name, _fallen(parts, name, key), gathered, main, how)
    ]
    items = _texts(read, {version.name: version.items for version in ordered}, first.name)
    read = [
        replace(row, begins=first_words(items.get((row.version, row.item)), 160)) for row in read
    ]
    return VersionsCompared(
        {version.name: len(version.table.items) for version in ordered},
        first.name,
        matchings,
        with_verdicts(rows, how.level),
        [_heading(row, several) for row in parts],
        read,
        how.by or None,
        how.level,
        how.detect,
        sum(len(version.table) for version in ordered),
        sum(version.table.unscored for version in ordered),
        sign(
            {"compare": _VERSION, "level": how.level, "seed": how.seed, "by": how.by},
            [matching.by for matching in matchings.values()],
            sorted({row.difference.method for row in [*rows, *parts]}),
        ),
        key,
        items,
        [*gathered.told, *_segment_notes(sides, names, segments)],
    )


def _heading(row: Difference, several: bool) -> Difference:
    """A segment's row under its segment, and under its version and judge where these differ."""
    segment = shortened(row.segment or "")
    return replace(row, group=f"{segment}, {row.group}" if several else segment)


def check_names(names: Sequence[str], baseline: str | None) -> None:
    """Raise ConfigError where there are no two versions, or none is the baseline."""
    if len(names) < 2:
        raise ConfigError(
            f"there is one version, {names[0]!r}; give two, or the field that says which (--by)"
            if names
            else "there is no version; give two"
        )
    if baseline is not None and baseline not in names:
        raise ConfigError(f"baseline {baseline!r}: there are {', '.join(names)}", "baseline")


def _ordered(versions: Sequence[Version], baseline: str | None) -> list[Version]:
    check_names([one.name for one in versions], baseline)
    return sorted(versions, key=lambda one: baseline is not None and one.name != baseline)


def _samples(
    asked: Asked,
    first: Version,
    second: Version,
    matching: Matching,
    segments: Field | None,
    clusters: Field | None,
) -> Samples:
    before, after = asked.values[first.name], asked.values[second.name]
    if matching.paired:
        units = [
            ([one for one in old if one in before], [one for one in new if one in after])
            for old, new in matching.units.values()
        ]
        units = [(old, new) for old, new in units if old and new]
        items = [old[0] for old, _ in units], [new[0] for _, new in units]
        values = [
            [mean_of([found[one] for one in unit[side]]) for unit in units]
            for side, found in enumerate((before, after))
        ]
    else:
        items = list(before), list(after)
        values = [list(before.values()), list(after.values())]
    sides = list(zip((first, second), items, strict=True))
    labels = [cluster_labels(version, mine, clusters) for version, mine in sides]
    own = {} if segments is None else segments
    named = [[own.get(version.name, {}).get(item, "") for item in mine] for version, mine in sides]
    dependent = any(len(set(one)) < len(one) for one in labels)
    spanning = not matching.paired and clusters is not None and set(labels[0]) & set(labels[1])
    return Samples(
        matching.paired,
        (np.array(values[0], dtype=float), np.array(values[1], dtype=float)),
        _names(items),
        _names(named),
        _names(labels) if dependent or spanning else None,
    )


def _names(sides: Sequence[Sequence[str]]) -> Names:
    return np.array(sides[0], dtype=object), np.array(sides[1], dtype=object)


def _segments(sides: Mapping[tuple[int, str], Samples]) -> list[str]:
    found = {name for one in sides.values() for side in one.segments for name in side if name}
    check_segments(found)
    return sorted(found)


def check_segments(names: Collection[str]) -> None:
    """Raise DataError where there are more segments than a reader could look through."""
    if len(names) > MOST_SEGMENTS:
        raise DataError(
            f"the field has {len(names):,} values, and {MOST_SEGMENTS} segments are the most;"
            " take a field with fewer"
        )


def _segment_notes(
    sides: Mapping[tuple[int, str], Samples], names: Sequence[str], segments: Field | None
) -> list[str]:
    if segments is None or not names:
        return []
    lacking = sum(one == "" for side in next(iter(sides.values())).segments for one in side)
    return [f"{lacking:,} conversations have no segment; they count among all"] if lacking else []


def _rows(
    gathered: Gathered,
    sides: Mapping[tuple[int, str], Samples],
    how: Comparing,
    segment: str | None,
) -> list[Difference]:
    found = []
    for (at, version), one in sides.items():
        part = one if segment is None else one.part(segment)
        if segment is not None and min(map(len, part.values)) < FEW:
            continue
        asked = gathered.asked[at]
        found.append(_difference(part, asked, version, segment or "", how))
    return found


def _difference(
    one: Samples, asked: Asked, version: str, segment: str, how: Comparing
) -> Difference:
    before, after = one.values
    labels = one.clusters or (None, None)
    pairs = labels[0] if one.paired or one.clusters is None else one.clusters[::-1]
    apart = mean_difference(
        after,
        before,
        paired=one.paired,
        confidence=1 - how.level,
        clusters=pairs,
        permutations=how.permutations,
        rng=np.random.default_rng(how.seed),
    )
    if one.paired:  # the means of the rows that both have, so that they differ by the difference
        both = ~np.isnan(before + after)
        before, after = np.where(both, before, np.nan), np.where(both, after, np.nan)
    means = [
        mean(values, clusters=mine).within(asked.question.range)
        for values, mine in zip((before, after), labels, strict=True)
    ]
    error = apart.difference.details["standard_error"]
    freedom = apart.difference.details["freedom"]
    needed = None if how.detect is None else _needed(one, apart, how)
    smaller = min(figure.n for figure in means)
    return Difference(
        f"{version}, judged by {asked.judge}",
        segment or None,
        version,
        asked.judge,
        asked.question.id,
        apart.difference.n,
        means[0],
        means[1],
        apart.difference,
        apart.test.p_value,
        "",
        apart.difference.unscored,
        *_shares(one, asked.question),
        detectable(error, freedom, level=how.level) if error == error else math.nan,
        needed,
        None if needed is None else max(0, needed - smaller),
        apart.test,
        one.paired,
        _higher(asked.question),
    )


def _higher(question: Question) -> Literal["better", "worse"]:
    return question.higher or "better"


def _shares(one: Samples, question: Question) -> tuple[Estimate, Estimate, Estimate]:
    """Better, equal, worse."""
    sign_of = -1.0 if _higher(question) == "worse" else 1.0
    before, after = one.values
    if not one.paired:
        found = superiority(sign_of * after, sign_of * before)
        return found.above, found.equal, found.below
    apart = sign_of * (after - before)
    # What differs by rounding alone is equal.
    apart = np.where(np.abs(apart) <= 1e-9 * np.maximum(1, np.abs(before)), 0.0, apart)
    labels = None if one.clusters is None else one.clusters[0]
    known = ~np.isnan(apart)
    hits = [np.where(known, test, np.nan) for test in (apart > 0, apart == 0, apart < 0)]
    better, equal, worse = (share(one_of, clusters=labels) for one_of in hits)
    return better, equal, worse


def _needed(one: Samples, found: MeanDifference, how: Comparing) -> int | None:
    """Conversations a version that the size takes, from the spread that these have."""
    error, clusters = found.difference.details["standard_error"], found.difference.clusters
    if error != error or how.detect is None:
        return None
    n = found.difference.n
    if one.paired:
        needed = rows_needed(error * math.sqrt(n), how.detect, level=how.level)
    else:
        known = [values[~np.isnan(values)] for values in one.values]
        variances = [float(values.var(ddof=1)) for values in known]
        plain = sum(v / len(values) for v, values in zip(variances, known, strict=True))
        widening = error**2 / plain if clusters != n and plain > 0 else 1.0
        spread = math.sqrt(widening * sum(variances))
        needed = rows_needed(spread, how.detect, sides=2, level=how.level)
    return None if needed < 0 else needed


def with_verdicts(rows: Sequence[Difference], level: float) -> list[Difference]:
    """The rows of one table with p-values corrected over all of them, and what these say."""
    adjusted = adjust([one.p_value for one in rows])
    found = []
    for one, p in zip(rows, adjusted, strict=True):
        verdict: Verdict = ""
        if p <= level:
            up = one.difference.estimate > 0
            verdict = "better" if up == (one.higher == "better") else "worse"
        found.append(replace(one, p_value=p, verdict=verdict))
    return found


def main_index(gathered: Gathered, wanted: str | None) -> int:
    """Return which question orders conversations: the one wanted, else `overall`, else the first.

    A name counts in whatever case and spaces.

    Raises:
        ConfigError: there is no such question.
    """
    names = [one.question.id for one in gathered.asked]
    known = list(dict.fromkeys(names))
    main = match_name(MAIN if wanted is None else wanted, known)
    if main is None and wanted is not None:
        hint = did_you_mean(wanted, known)
        raise ConfigError(f"main {wanted!r}: {hint}compared are {', '.join(known)}", "main")
    return 0 if main is None else names.index(main)


def _fall(rows: Sequence[Difference], main: tuple[str, str]) -> float:
    """How far a segment fell on the main question, the most of all versions."""
    falls = [
        row.difference.estimate * (1 if row.higher == "worse" else -1)
        for row in rows
        if (row.judge, row.question) == main and not math.isnan(row.difference.estimate)
    ]
    return max(falls, default=-math.inf)


def _fallen(parts: Sequence[Difference], version: str, main: tuple[str, str]) -> list[str]:
    """The segments in which a version is worse on the main question, those that fell most first."""
    return [
        row.segment or ""
        for row in parts
        if row.verdict == "worse" and row.version == version and (row.judge, row.question) == main
    ]


def _to_read(
    one: Samples,
    version: str,
    fallen: Sequence[str],
    gathered: Gathered,
    main: int,
    how: Comparing,
) -> list[Regression]:
    """Conversations of segments that fell, then of all; each once."""
    rows = [
        replace(row, segment=segment)
        for segment in fallen
        for row in _regressions(one.part(segment), version, gathered, main, how)
    ]
    by_item: dict[str, Regression] = {}
    for row in [*rows, *_regressions(one, version, gathered, main, how)]:
        by_item.setdefault(row.item, row)
    return list(by_item.values())[: how.keep]


def _regressions(
    one: Samples, version: str, gathered: Gathered, main: int, how: Comparing
) -> list[Regression]:
    """Pairs that fell furthest; without pairs the lowest conversations of the version."""
    sign_of = -1.0 if _higher(gathered.asked[main].question) == "worse" else 1.0
    if not one.paired:
        question = gathered.asked[main].question
        return lowest_items(version, one.items[1].tolist(), one.values[1], question, how.keep)
    before, after = one.values
    apart = sign_of * (after - before)
    order = np.argsort(apart, kind="stable")[: how.keep]
    return [
        Regression(
            version,
            "",
            one.items[1][row],
            float(before[row]),
            float(after[row]),
            float(after[row] - before[row]),
            "",
            one.items[0][row],
        )
        for row in order.tolist()
        if apart[row] < 0
    ]


def lowest_items(
    version: str, items: Sequence[str], values: FloatArray, question: Question, keep: int
) -> list[Regression]:
    """Return the items that are worst on a question, those of NaN left out."""
    order = np.argsort(-values if _higher(question) == "worse" else values, kind="stable")[:keep]
    return [
        Regression(version, "", items[row], None, float(values[row]), None, "")
        for row in order.tolist()
        if values[row] == values[row]
    ]


def _texts(
    reading: Sequence[Regression], known: Mapping[str, Mapping[str, Item]], first: str
) -> Mapping[tuple[str, str], Item]:
    found: dict[tuple[str, str], Item] = {}
    for one in reading:
        for version, item in ((one.version, one.item), (first, one.before_item)):
            if item is not None and item in known[version]:
                found[version, item] = known[version][item]
    return found
