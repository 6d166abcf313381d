"""Count what there is, by the issue that answers for it: `python -m scripts.ledger [COMMIT]`.

Statements (no imports, no docstrings), AST nodes, functions and files of `src`, `scripts`,
`examples` and the servers of the tests. With a commit, the change since then. Nodes and functions
must not rise while statements fall: who packs or inlines to lower a count shows here.
"""

from __future__ import annotations

import argparse
import ast
import io
import subprocess
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
COUNTED = ("src", "scripts", "examples", "tests/servers")
OWNERS = {  # the longest path that a file begins with decides
    "src": 47,
    "src/assize/base": 47,
    "src/assize/formats": 48,
    "src/assize/judgments": 48,
    "src/assize/retrieval": 48,
    "src/assize/models": 49,
    "src/assize/running": 49,
    "src/assize/judging": 49,
    "src/assize/juries": 49,
    "src/assize/acts": 49,
    "src/assize/study/_acts.py": 49,
    "src/assize/study/_juries.py": 49,
    "src/assize/_doors": 50,
    "src/assize/agreement": 50,
    "src/assize/cli": 50,
    "src/assize/pages": 50,
    "src/assize/results": 50,
    "src/assize/scoring": 50,
    "src/assize/stats": 50,
    "src/assize/versions": 50,
    "src/assize/_doors/data_card": 53,
    "src/assize/criteria": 51,
    "src/assize/pages/criteria": 51,
    "src/assize/simulate": 51,
    "src/assize/study/_criteria.py": 51,
    "src/assize/calibrate": 52,
    "src/assize/rubric": 52,
    "src/assize/stats/_studies": 52,
    "src/assize/study": 52,
    "src/assize/reference": 53,
    "src/assize/study/_reference.py": 53,
    "src/assize/encoders": 54,
    "src/assize/evaluator": 54,
    "src/assize/study/_evaluators.py": 54,
    "scripts/default_evaluator": 55,
    "src/assize/web": 56,
    "scripts": 57,
    "examples": 57,
    "tests/servers": 57,
}


@dataclass(frozen=True)
class Size:
    """Statements, AST nodes, functions and files of some Python source."""

    statements: int = 0
    nodes: int = 0
    functions: int = 0
    files: int = 0

    def __add__(self, other: Size) -> Size:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Size(*(first + second for first, second in pairs))


def measure(source: str) -> Size:
    """Return the size of one file.

    >>> measure('import os\\ndef f():\\n    "Says nothing."\\n    return 1\\n')
    Size(statements=2, nodes=9, functions=1, files=1)
    """
    statements = nodes = functions = 0
    for node in ast.walk(ast.parse(source)):
        nodes += 1
        functions += isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        imports = isinstance(node, ast.Import | ast.ImportFrom)
        statements += isinstance(node, ast.stmt) and not imports and not text
    return Size(statements, nodes, functions, 1)


def owner_of(path: str) -> int:
    """Return the number of the issue that answers for a file.

    >>> owner_of("src/assize/pages/criteria/learnt.py"), owner_of("src/assize/base/errors.py")
    (51, 47)
    """
    owners = [prefix for prefix in OWNERS if path.startswith(f"{prefix}/") or path == prefix]
    return OWNERS[max(owners, key=len)]


def total(files: Iterable[tuple[str, str]]) -> dict[int, Size]:
    """Return the size by issue of (path, source) pairs."""
    sizes: dict[int, Size] = {}
    for path, source in files:
        owner = owner_of(path)
        sizes[owner] = sizes.get(owner, Size()) + measure(source)
    return sizes


def files_here() -> Iterator[tuple[str, str]]:
    """Yield path and source of each counted file of this checkout."""
    for folder in COUNTED:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf8")


def files_of(commit: str) -> Iterator[tuple[str, str]]:
    """Yield path and source of each counted file of a commit."""
    command = ["git", "-C", str(ROOT), "archive", commit, *COUNTED]
    packed = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        for member in archive:
            if member.isfile() and member.name.endswith(".py"):
                stream = archive.extractfile(member)
                assert stream is not None
                yield member.name, stream.read().decode("utf8")


def main() -> None:
    """Print a row an issue, and the sum."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("commit", nargs="?", help="also the change since this commit")
    commit = parser.parse_args().commit
    now = total(files_here())
    before = total(files_of(commit)) if commit else {}
    print(f"{'issue':>6}{'statements':>20}{'nodes':>20}{'functions':>16}{'files':>14}")
    rows = [(str(owner), before.get(owner), now.get(owner)) for owner in sorted({*OWNERS.values()})]
    rows.append(("all", sum(before.values(), Size()), sum(now.values(), Size())))
    for label, old, new in rows:
        old, new = (old or Size()) if commit else None, new or Size()
        cells = [
            f"{count:,} ({count - was:+,})" if was is not None else f"{count:,}"
            for count, was in zip(astuple(new), astuple(old) if old else [None] * 4, strict=True)
        ]
        print(f"{label:>6}{cells[0]:>20}{cells[1]:>20}{cells[2]:>16}{cells[3]:>14}")


if __name__ == "__main__":
    main()
