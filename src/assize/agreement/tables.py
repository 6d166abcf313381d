"""The figures as tables, and as the object of `--json`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from assize.agreement.audit import Audit
from assize.agreement.columns import PEOPLE
from assize.agreement.study import Study
from assize.results import Column, ResultTable, columns
from assize.results.numbers import NONE
from assize.stats import Comparison, Estimate, Test

HEADLINE = {
    "ordinal": ("kappa", "alpha", "spearman", "mae"),
    "number": ("spearman", "pearson", "kendall", "alpha", "mae"),
    "binary": ("agreement", "kappa", "pearson", "AUC", "average precision"),
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

OF_CLASSES = ("AUC", "average precision", "spearman", "pearson", "kendall")
"""Those of scores and a gold of two values: errors and alpha of unlike scales mean nothing."""

MOST_ROWS = 30
"""Judges that the table of judges names; `--json` holds all."""

_BINS = {
    "perfect": "perfect",
    "majority": "majority, not perfect",
    "plurality": "plurality, no majority",
    "none": "no plurality",
}
_FIGURE = [Column("estimate", "number"), Column("n", "count")]


def judge_table(study: Study) -> ResultTable:
    """Every judge: how much it answered, how much it could not."""
    ranked = sorted(
        study.found.by_judge.items(),
        key=lambda pair: (pair[0] != study.gold, pair[1].person and pair[0] != PEOPLE),
    )
    rows = [
        (
            name + (" (gold)" if name == study.gold else ""),
            *(one.scored, one.unscored, one.not_applicable, one.split),
        )
        for name, one in ranked
    ]
    named = [Column("judge"), *columns("count", "n", "unscored", "NA", "split votes")]
    return ResultTable("judges", named, rows).head(MOST_ROWS)


def overall_table(study: Study) -> ResultTable:
    """All judges together, and how many items reach which agreement."""
    every: dict[str, Estimate] = {**study.overall}
    if study.bins is not None:
        every |= {said: getattr(study.bins, name) for name, said in _BINS.items()}
    rows = [(name, one, one.n, one.unscored, one.reason) for name, one in every.items()]
    note = "Items with fewer than two answers do not enter; they are counted."
    named = [Column("all judges"), *_FIGURE, Column("fewer than two", "count"), Column("note")]
    return ResultTable("all judges together", named, rows, [note])


def pair_table(study: Study) -> ResultTable:
    """Each two judges, with the figures that suit the scale."""
    kind = study.found.question.kind
    rows = []
    for pair in study.pairs:
        chosen = (
            OF_CLASSES if "AUC" in pair.figures and kind == "number" else HEADLINE.get(kind, ())
        )
        missing = max((one.unscored for one in pair.figures.values()), default=0)
        for name in chosen:
            if name in pair.figures:
                one = pair.figures[name]
                rows.append((f"{pair.first} ~ {pair.second}", name, one.n, missing, one, one))
    named = [
        *columns("words", "pair", "judges"),
        *columns("count", "n", "unscored"),
        *columns("number", "estimate", ends="none"),
        *columns("number", "interval", ends="alone"),
    ]
    notes = ["n counts what both answered, unscored where both were asked and one failed."]
    precise = [pair.figures.get("average precision") for pair in study.pairs]
    share = next((one.details.get("chance") for one in precise if one is not None), None)
    if share is not None:
        notes.append(f"By chance an AUC is 0.5, and an average precision {share:.2f}.")
    if study.left_out is not None:
        notes.append(f"Left out: {study.left_out}.")
    return ResultTable("each two judges", named, rows, notes, grouped=True)


def comparison_table(found: Comparison, names: tuple[str, str], title: str) -> ResultTable:
    """Both judges, their difference and its test."""
    verdict = {"first": f"{names[0]} is better", "second": f"{names[1]} is better"}
    said = verdict.get(found.better or "", found.difference.reason or "no difference shown")
    rows = [
        (names[0], found.first, found.first.n, None),
        (names[1], found.second, found.second.n, None),
        ("difference", found.difference, found.difference.n, said),
        ("paired swap test", None, found.test.n, tested(found.test)),
    ]
    named = [Column("judge"), *_FIGURE, Column("verdict")]
    return ResultTable(title, named, rows, ["On what all three answered."])


def audit_table(found: Audit) -> ResultTable:
    """What an audit found, one figure a row."""
    rows = []

    def add(name: str, one: Estimate, test: Test | None = None) -> None:
        if not math.isnan(one.estimate):
            rows.append((name, one, one.n, None if test is None else tested(test)))

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
    named = [Column("audit"), *_FIGURE, Column("test")]
    return ResultTable(f"audit of {found.judge}", named, rows)


def tested(test: Test) -> str:
    """`p = 0.0123 (10,000 permutations, ±0.0011)`, or exact."""
    if math.isnan(test.p_value):
        return test.reason or NONE
    drawn = f"{test.permutations:,} permutations, ±{test.monte_carlo_error:.2g}"
    return f"p = {test.p_value:.2g} ({'exact' if test.exact else drawn})"


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
