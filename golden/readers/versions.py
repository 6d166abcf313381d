"""Two versions compared, and a gate: docs/compare.md, docs/gate.md."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import assize
from assize import Judgment, Question
from golden.figures import flatten
from golden.product import Figures, run

HELPFUL = Question("helpful", kind="ordinal", answers=("1", "2", "3", "4"), values=(1, 2, 3, 4))


def write_versions(folder: Path) -> list[Path]:
    """Write 120 ratings of each of two versions; the second is better, some are unscored."""
    paths = []
    for name, gain in (("old", 0.0), ("new", 0.5)):
        rng = random.Random(name)
        rows = [
            Judgment(
                f"c{number}",
                "rater",
                "helpful",
                answer=str(min(4, max(1, round(rng.gauss(2.5 + gain, 0.8))))),
            )
            for number in range(120)
        ]
        paths.append(folder / f"{name}.jsonl")
        assize.write(paths[-1], rows, questions=[HELPFUL])
    return paths


def read(folder: Path) -> Figures:
    """Return the comparison of two versions and the checks of a gate."""
    old, new = write_versions(folder)
    yield from flatten(compare(run("compare", f"old={old}", f"new={new}")), "compare")
    limits = "--fail-under", "helpful=2", "--baseline", old, "--max-drop", "helpful=0.1"
    yield from flatten(gate(run("gate", new, *limits)), "gate")


def compare(result: Any) -> Any:
    """Return a comparison as BASE had it."""
    differences = [difference(row) for row in result.pop("differences")]
    segments = [difference(row) for row in result.pop("segments")]
    for row in result["pairing"].values():
        row["said"] = row.pop("why")
        row["pairs"], row["left_over"] = row.get("pairs"), row.get("left_over")
    for row in result["regressions"]:
        row.pop("begins", None)
        for name in ("before", "before_item", "change"):
            row.setdefault(name, None)
    result.pop("detect", None)
    return {"by": None, **result, "rows": differences, "segments": segments}


def difference(row: Any) -> Any:
    """Return a row of a comparison as BASE had it."""
    for name in ("group", "higher", "n", "unscored"):
        row.pop(name)
    for name in ("better", "equal", "worse"):
        share = row[name]
        ends = [None if end is None else 100 * end for end in share["interval"]]
        row[name] = {"percent": 100 * share["estimate"], "interval": ends}
    test = row["test"]
    row["test"] = {"estimate": test.pop("statistic"), **test}
    row["p_corrected"] = row.pop("p_value")
    row["segment"] = row.get("segment")
    row["verdict"] = row["verdict"] or None
    return row


def gate(result: Any) -> Any:
    """Return a gate's checks as BASE had them."""
    for check in result["checks"]:
        name, sign, limit = check["check"].rsplit(" ", 2)
        end = "lower" if sign == ">=" else "upper"
        check["check"] = f"{name}, {end} end {sign} {limit}"
        check.update(check.pop("figure"))
        check["passed"] = check.pop("gate") == "passed"
        check.setdefault("reason", None)
        if check["judge"] == "all judges":
            check["judge"] = None
            check["check"] = f"unscored <= {limit}%"
    return {**result, "compared": compare(result["compared"])}
