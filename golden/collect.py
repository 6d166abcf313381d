"""Fill the table of one checkout: `python -m golden.collect TABLE [--tier b] [--only jury]`."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path

from golden.figures import Table, save
from golden.readers import READERS


def collect(tiers: str, only: list[str]) -> Table:
    """Return the figures of the readers of some tiers; each reader has a folder of its own."""
    table: Table = {}
    for name, tier in READERS.items():
        if tier not in tiers or (only and name not in only):
            continue
        start = time.process_time()
        module = import_module(f"golden.readers.{name}")
        with tempfile.TemporaryDirectory() as folder:
            rows = {f"{name}/{key}": figure for key, figure in module.read(Path(folder))}
        table |= rows
        print(f"{name}: {len(rows)} figures, {time.process_time() - start:.0f} s", file=sys.stderr)
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--tiers", default="ab")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    save(collect(options.tiers, options.only), options.table)
