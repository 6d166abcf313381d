"""Compare this checkout with the commit in BASE: `make golden`, `python -m golden --tiers abc`."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from golden.figures import Table, decided, differences, load
from golden.readers import TOLERANCES

ROOT = Path(__file__).parents[1]
HERE = Path(__file__).parent
DECISIONS = ("dropped.txt", "changed.txt")


def collect_in(root: Path, table: Path, arguments: list[str]) -> Table:
    """Collect the figures of a checkout in a process of its own, on one thread."""
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    environment = os.environ | dict.fromkeys(threads, "1")
    environment["PYTHONPATH"] = os.pathsep.join([str(root / "src"), str(root)])
    environment.setdefault("GOLDEN_DATA", str(ROOT.parent / "shared" / "data"))
    command = [sys.executable, "-m", "golden.collect", str(table), *arguments]
    subprocess.run(command, cwd=root, env=environment, check=True)
    return load(table)


def base_table(folder: Path, arguments: list[str]) -> Table:
    """Collect the figures of BASE in a worktree that is removed afterwards."""
    worktree = folder / "base"
    commit = (HERE / "BASE").read_text(encoding="utf8").strip()
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "-q", "--detach", str(worktree), commit], check=True)
    try:
        return collect_in(worktree, folder / "base.jsonl", arguments)
    finally:
        subprocess.run([*git, "remove", "--force", str(worktree)], check=True)


def main() -> int:
    """Print what differs; 1 where a difference stands in neither dropped.txt nor changed.txt."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tiers", default="ab", help="tiers to compare; a and b by default")
    parser.add_argument("--only", action="append", default=[], help="a reader; all by default")
    parser.add_argument("--base", type=Path, help="a table of BASE collected before, here")
    options = parser.parse_args()
    arguments = ["--tiers", options.tiers]
    arguments += [part for name in options.only for part in ("--only", name)]
    with tempfile.TemporaryDirectory() as folder:
        base = load(options.base) if options.base else base_table(Path(folder), arguments)
        may_go, may_change = (decided(HERE / name, list(base)) for name in DECISIONS)
        now = collect_in(ROOT, Path(folder) / "now.jsonl", arguments)
    readers = {name.split("/")[0] for name in now}
    base = {name: base[name] for name in base if name.split("/")[0] in readers}
    return report(base, now, may_go, may_change)


def report(base: Table, now: Table, may_go: set[str], may_change: set[str]) -> int:
    """Print the differences that no decision covers, and count the others."""
    lines = differences(base, now, TOLERANCES)
    missing = {name for name, line in lines.items() if line == "missing"}
    changed = {name for name, line in lines.items() if " -> " in line}
    covered = (missing & may_go) | (changed & may_change)
    open_lines = {name: lines[name] for name in sorted((missing | changed) - covered)}
    for name, line in open_lines.items():
        print(f"{name}: {line}")
    new = len(lines) - len(missing) - len(changed)
    print(
        f"{len(base)} figures at BASE, {len(now)} here: {new} new, "
        f"{len(missing)} dropped and {len(changed)} changed, "
        f"{len(open_lines)} of them without a decision"
    )
    return 1 if open_lines else 0


if __name__ == "__main__":
    raise SystemExit(main())
