"""Draw operator mutants, try them, print a table and the survivors: `make operators SEED=1`.

What has been tried is kept in `build/operators` as long as sources and tests stay as they are:
start it again after Ctrl-C, or with a larger count, and it goes on.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

import pytest

from golden.operators.draw import PACKAGES, ROOT, draw_mutants
from golden.operators.forks import MARKED, OPTIONS
from golden.operators.sites import Mutant
from golden.operators.trial import Result, Trials, read_results

TESTS = [f"{folder}/{package}" for package in PACKAGES for folder in ("tests", "src/assize")]


def read_digest() -> str:
    """Return a digest of sources and tests, by which results and records are kept."""
    digest = hashlib.sha256()
    for folder in ("src", "tests"):
        for path in sorted(Path(ROOT, folder).rglob("*.py")):
            digest.update(str(path.relative_to(ROOT)).encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def format_table(mutants: Sequence[Mutant], results: Sequence[Result]) -> str:
    """Return counts by package, and the rate of the killed with Wilson's 95% interval."""
    from assize.stats import wilson  # sets numpy's threads: after the tests' conftest

    outcomes = {result.mutant: result.outcome for result in results}
    header = ("package", "drawn", "killed", "timed out", "survived", "untested", "rate", "95%")
    rows: list[tuple[str, ...]] = [header]
    for package in (*PACKAGES, "all"):
        drawn = [
            outcomes[str(mutant)]
            for mutant in mutants
            if package in ("all", mutant.file.split("/")[2]) and str(mutant) in outcomes
        ]
        counts = [drawn.count(kind) for kind in ("killed", "timed out", "survived", "untested")]
        share = wilson(counts[0] + counts[1], len(drawn))
        ends = "-".join(f"{end:.3f}" for end in share.interval)
        rows.append((package, str(len(drawn)), *map(str, counts), f"{share.estimate:.3f}", ends))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )


def main() -> int:
    """Try the mutants of a seed."""
    parser = argparse.ArgumentParser(prog="python -m golden.operators", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--survivors", type=Path, help="file for the list of survivors")
    parser.add_argument("--lanes", type=int, default=1, help="processes side by side")
    asked = parser.parse_args()
    mutants = draw_mutants(asked.seed, asked.count)
    folder = ROOT / "build/operators" / read_digest()
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "results.jsonl"
    trials = Trials(mutants, path, asked.lanes)
    code = pytest.main([*OPTIONS, "-m", MARKED, *TESTS], plugins=[trials])
    results = read_results(path)
    print(format_table(mutants, results))
    survived = {result.mutant for result in results if result.outcome in ("survived", "untested")}
    alive = [str(mutant) for mutant in mutants if str(mutant) in survived]
    text = "".join(f"{mutant}\n" for mutant in alive)
    if asked.survivors is None:
        print(text, end="")
    else:
        asked.survivors.write_text(text, encoding="utf8")
    return int(code)


if __name__ == "__main__":
    raise SystemExit(main())
