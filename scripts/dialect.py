"""Count names of the old dialect that are still bound: `python -m scripts.dialect [--lower]`.

STYLE has participles that stand alone (`found`, `said`) and words that only their writer can fill
with meaning (`one`, `place`) on its left side. `dialect.json` holds how many each package may
still bind; `make check` fails where there are more. `--lower` writes the counts of today, which
must be no higher.
"""

from __future__ import annotations

import argparse
import ast
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LIMITS = Path(__file__).with_suffix(".json")
WORDS = {
    *("found", "said", "told", "given", "kept", "asked", "shown", "made", "drawn", "taken"),
    *("named", "settled", "meant", "heard", "wanted", "learnt", "one", "at", "place", "each"),
}
PROMISED = {("Judgment", "at"), ("Question", "asked")}  # fields of records that users read


def bindings(tree: ast.AST, owner: str = "") -> Iterator[str]:
    """Yield each name that a tree binds: variables, parameters, fields, functions."""
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, ast.ClassDef) else owner
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Store)
            and (owner, node.id) not in PROMISED
        ):
            yield node.id
        yield from bindings(node, inner)


def count() -> dict[str, int]:
    """Return how many names of the dialect each package of src binds."""
    source = ROOT / "src" / "assize"
    counts: Counter[str] = Counter()
    for path in sorted(source.rglob("*.py")):
        package = path.relative_to(source).parts[0].removesuffix(".py")
        names = bindings(ast.parse(path.read_text(encoding="utf8")))
        counts[package] += sum(name.strip("_") in WORDS for name in names)
    return {package: number for package, number in sorted(counts.items()) if number}


def above(counts: dict[str, int], limits: dict[str, int]) -> list[str]:
    """Return a line for each package that binds more than it may."""
    return [
        f"{package} binds {number} names of the old dialect; it may bind {limits.get(package, 0)}"
        for package, number in counts.items()
        if number > limits.get(package, 0)
    ]


def main() -> int:
    """Print what is above its limit; 1 where anything is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lower", action="store_true", help="write the counts of today")
    lower = parser.parse_args().lower
    counts, limits = count(), json.loads(LIMITS.read_text(encoding="utf8"))
    lines = above(counts, limits)
    for line in lines:
        print(line)
    print(f"{sum(counts.values())} names of the old dialect")
    if lower and not lines:
        LIMITS.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf8")
    return 1 if lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
