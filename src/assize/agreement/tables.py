"""The figures as rows of a table, and as the object of `--json`."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from assize.agreement.audit import Audit
from assize.agreement.columns import PEOPLE
from assize.agreement.study import PairOf, Study
from assize.stats import Comparison, Estimate, Test

Rows = tuple[list[str], list[list[str]]]

HEADLINE = {
    "ordinal": ("kappa", "alpha", "spearman", "mae"),
    "number": ("spearman", "pearson", "kendall", "alpha", "mae"),
    "binary": ("agreement", "kappa", "pearson"),
    "nominal": ("agreement", "kappa", "alpha", "Cramer's V"),
    "preference": (
        "agreement",
        "kappa",
        "accuracy w/o tie",
        "accuracy, both decided",
        "coverage",
    ),
}
"""Which figures of a pair a table shows; `--json` holds all."""


MOST_ROWS = 30
"""Judges that the table of judges names; `--json` holds all."""


def shown(value: float) -> str:
    """A number in three digits behind the point; a dash where there is none."""
    return "–" if math.isnan(value) else f"{value:.3f}"


def with_interval(found: Estimate) -> str:
    """The estimate and its interval: `0.312 [0.190, 0.425]`."""
    low, high = found.interval
    if math.isnan(low):
        return shown(found.estimate)
    return f"{shown(found.estimate)} [{shown(low)}, {shown(high)}]"


def ends(found: Estimate) -> str:
    """The interval, or the reason why there is none."""
    if math.isnan(found.interval[0]):
        return "" if found.reason is None else found.reason
    return f"[{shown(found.interval[0])}, {shown(found.interval[1])}]"


def judge_rows(study: Study) -> Rows:
    """Every judge: how much it answered, how much it could not."""
    ranked = sorted(
        study.found.by_judge.items(),
        key=lambda pair: (pair[0] != study.gold, pair[1].person and pair[0] != PEOPLE),
    )
    rows = [
        [
            name + (" (gold)" if name == study.gold else ""),
            f"{one.scored:,}",
            f"{one.unscored:,}",
            f"{one.not_applicable:,}",
            f"{one.split:,}",
        ]
        for name, one in ranked[:MOST_ROWS]
    ]
    if len(ranked) > len(rows):
        rows.append([f"... and {len(ranked) - len(rows):,} more", "", "", "", ""])
    return ["judge", "n", "unscored", "NA", "split votes"], rows


def overall_rows(study: Study) -> Rows:
    """All judges together, and how many items reach which agreement."""
    rows = [
        [name, with_interval(one), f"{one.n:,}", f"{one.unscored:,}", one.reason or ""]
        for name, one in study.overall.items()
    ]
    if study.bins is not None:
        bins = study.bins
        for name in ("perfect", "majority", "plurality", "none"):
            one: Estimate = getattr(bins, name)
            title = {"none": "no plurality", "majority": "majority, not perfect"}.get(name, name)
            title = "plurality, no majority" if name == "plurality" else title
            rows.append([title, with_interval(one), f"{one.n:,}", f"{one.unscored:,}", ""])
    return ["all judges", "estimate", "n", "fewer than two", "note"], rows


def pair_rows(study: Study) -> Rows:
    """Each two judges, with the figures that suit the scale below their names."""
    rows = []
    for pair, missing, figures in _pairs(study):
        rows.append([f"{pair.first} ~ {pair.second}", f"{pair.n:,}", f"{missing:,}", "", ""])
        for name, one in figures:
            count = "" if one.n == pair.n else f"{one.n:,}"
            rows.append([f"  {name}", count, "", shown(one.estimate), ends(one)])
    return ["judges", "n", "unscored", "estimate", "interval"], rows


def wide_pair_rows(study: Study) -> Rows:
    """The same with the figure in a column of its own, for a page."""
    rows = []
    for pair, missing, figures in _pairs(study):
        for at, (name, one) in enumerate(figures):
            names = f"{pair.first} ~ {pair.second}" if at == 0 else ""
            absent = f"{missing:,}" if at == 0 else ""
            rows.append([names, name, f"{one.n:,}", absent, shown(one.estimate), ends(one)])
    return ["judges", "figure", "n", "unscored", "estimate", "interval"], rows


def _pairs(study: Study) -> Iterator[tuple[PairOf, int, list[tuple[str, Estimate]]]]:
    """Each pair, the units at which one of the two failed, and the figures that a table shows."""
    chosen = HEADLINE.get(study.found.question.kind, ())
    for pair in study.pairs:
        missing = max((one.unscored for one in pair.figures.values()), default=0)
        yield pair, missing, [(name, pair.figures[name]) for name in chosen if name in pair.figures]


def comparison_rows(found: Comparison, names: tuple[str, str]) -> Rows:
    """Both judges, their difference and its test."""
    test = found.test
    verdict = {"first": f"{names[0]} is better", "second": f"{names[1]} is better"}
    p = shown_p(test)
    rows = [
        [names[0], with_interval(found.first), f"{found.first.n:,}", ""],
        [names[1], with_interval(found.second), f"{found.second.n:,}", ""],
        [
            "difference",
            with_interval(found.difference),
            f"{found.difference.n:,}",
            verdict.get(found.better or "", found.difference.reason or "no difference shown"),
        ],
        ["paired swap test", p, f"{test.n:,}", test.reason or ""],
    ]
    return ["", "estimate", "n", ""], rows


def shown_p(test: Test) -> str:
    """`p = 0.0123 (10,000 permutations, +-0.0011)`, or exact."""
    if math.isnan(test.p_value):
        return "–"
    if test.exact:
        return f"p = {test.p_value:.2g} (exact)"
    drawn = f"{test.permutations:,} permutations, ±{test.monte_carlo_error:.2g}"
    return f"p = {test.p_value:.2g} ({drawn})"


def audit_rows(found: Audit) -> Rows:
    """What an audit found, one figure a row."""
    rows: list[list[str]] = []

    def add(name: str, one: Estimate, test: Test | None = None) -> None:
        if not math.isnan(one.estimate):
            rows.append(
                [name, with_interval(one), f"{one.n:,}", "" if test is None else shown_p(test)]
            )

    if found.position is not None:
        add("answer changes with the order", found.position.dependent)
        add("preference turns round", found.position.reversed)
        add("pull to the first shown", found.position.direction, found.position.test)
    if found.length is not None:
        add("longer of a pair wins", found.length.longer)
        add("correlation with length", found.length.correlation)
        add("gold's correlation with length", found.length.gold)
        add("with length, at equal gold", found.length.at_equal_gold)
    if found.own is not None:
        add("advantage of its own", found.own.judged)
        add("advantage of its own, by gold", found.own.gold)
        add("excess over gold", found.own.excess, found.own.test)
    if found.repeats is not None:
        add("agreement over repeats", found.repeats.agreement)
        add("alpha over repeats", found.repeats.alpha)
    for name, one in found.unscored.items():
        add(f"unscored, {name}", one)
    return ["audit", "estimate", "n", "test"], rows


def as_json(
    study: Study,
    measure: str | None,
    comparison: Comparison | None,
    audits: Sequence[Audit],
) -> dict[str, Any]:
    """Everything that was found on one question."""
    found = study.found
    value: dict[str, Any] = {
        "kind": found.question.kind,
        "n": len(found.units),
        "gold": study.gold,
        "judges": {
            name: {
                "n": one.scored,
                "unscored": one.unscored,
                "not_applicable": one.not_applicable,
                "split": one.split,
            }
            for name, one in found.by_judge.items()
        },
        "overall": {name: one.to_json() for name, one in study.overall.items()},
        "pairs": [
            {
                "judges": [pair.first, pair.second],
                "n": pair.n,
                "statistics": {name: one.to_json() for name, one in pair.figures.items()},
            }
            for pair in study.pairs
        ],
        "left_out": study.left_out,
    }
    if study.bins is not None:
        names = ("perfect", "majority", "plurality", "none")
        value["bins"] = {name: getattr(study.bins, name).to_share() for name in names}
    if comparison is not None:
        value["compare"] = {
            "measure": measure,
            "first": comparison.first.to_json(),
            "second": comparison.second.to_json(),
            "difference": comparison.difference.to_json(),
            "test": comparison.test.to_json(),
            "better": comparison.better,
        }
    if audits:
        value["audit"] = {one.judge: _audit_json(one) for one in audits}
    return value


def _audit_json(found: Audit) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for name, record in (
        ("position", found.position),
        ("length", found.length),
        ("own", found.own),
        ("repeats", found.repeats),
    ):
        if record is not None:
            parts = {part: getattr(record, part) for part in record.__slots__}
            value[name] = {part: one.to_json() for part, one in parts.items() if one is not None}
    value["unscored"] = {
        name: {**one.to_share(), "n": one.n} for name, one in found.unscored.items()
    }
    return value
