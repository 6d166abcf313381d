"""Ensembles of metrics within a corpus and from three to the fourth: benchmarks/ensembles.py."""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

from benchmarks import ensembles
from golden.figures import flatten
from golden.product import DATA, Figures


def read(folder: Path) -> Figures:
    """Return the benchmark's figures with one seed."""
    printed = io.StringIO()
    sys.argv = ["ensembles.py", str(DATA), "--seeds", "1"]
    with contextlib.redirect_stdout(printed):
        ensembles.main()
    yield from flatten(json.loads(printed.getvalue()), "benchmark")
