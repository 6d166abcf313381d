"""Plant faults one at a time; a test must fail for each: `make mutants`.

A mutant of `mutants.toml` is a sentence, a file, the exact old text, the new text, and the tests
that must notice. Whoever rewrites a place seeds the same sentence anew. The sources are copied,
so that this checkout stays as it is.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_suffix(".toml")
FAILED = 1  # pytest's exit code where tests ran and some failed


@dataclass(frozen=True)
class Mutant:
    """A fault: what it says, where it stands, and the tests that must fail for it."""

    says: str
    file: str
    old: str
    new: str
    tests: str

    def mutate(self, source: str) -> str:
        """Return the source with the fault.

        Raises:
            ValueError: the old text does not stand there exactly once.
        """
        count = source.count(self.old)
        if count != 1:
            raise ValueError(f"{self.file} holds the old text {count} times: {self.says}")
        return source.replace(self.old, self.new)


def read_mutants(path: Path = TABLE) -> list[Mutant]:
    """Return the mutants of a file."""
    rows = tomllib.loads(path.read_text(encoding="utf8"))["mutant"]
    return [Mutant(**row) for row in rows]


@contextmanager
def copied_sources() -> Iterator[Path]:
    """Yield a copy of this checkout's sources; data and environment are links."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        kept = shutil.ignore_patterns(".git", ".venv", "site", "__pycache__", ".*_cache", "build")
        shutil.copytree(ROOT, copy, ignore=kept)
        (Path(folder) / "shared").symlink_to(ROOT.parent / "shared")
        yield copy


def notices(copy: Path, mutant: Mutant) -> bool:
    """Whether a test fails while the fault stands in a copy of the sources."""
    path = copy / mutant.file
    source = path.read_text(encoding="utf8")
    path.write_text(mutant.mutate(source), encoding="utf8")
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            [*command, *mutant.tests.split()], cwd=copy, env=environment, capture_output=True
        )
    finally:
        path.write_text(source, encoding="utf8")
    if done.returncode not in (0, FAILED):
        output = done.stdout.decode(errors="replace")[-2000:]
        raise RuntimeError(f"pytest {mutant.tests} ended with {done.returncode}: {output}")
    return done.returncode == FAILED


def main() -> int:
    """Print the mutants that no test noticed; 1 where there is one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("word", nargs="?", default="", help="only mutants whose file holds it")
    word = parser.parse_args().word
    mutants = [mutant for mutant in read_mutants() if word in mutant.file]
    with copied_sources() as copy:
        alive = [mutant for mutant in mutants if not notices(copy, mutant)]
    for mutant in alive:
        print(f"alive: {mutant.file}: {mutant.says}")
    print(f"{len(mutants) - len(alive)} of {len(mutants)} mutants die")
    return 1 if alive else 0


if __name__ == "__main__":
    raise SystemExit(main())
