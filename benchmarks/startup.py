"""How long a newcomer waits: import, help text, first score. Medians of whole processes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

RUNS = 7
AIMS = {"import assize": 0.3, "assize --help": 0.5, "first score": 1.5}


def seconds(command: list[str]) -> float:
    """Median wall time of a whole process, after one run that fills the caches."""
    times = []
    for _ in range(RUNS + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return median(times[1:])


def main() -> None:
    turns = [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello! What can I do?"}]
    with tempfile.TemporaryDirectory() as folder:
        one = Path(folder) / "one.jsonl"
        one.write_text(json.dumps({"id": "c1", "turns": turns}) + "\n")
        assize = str(Path(sys.executable).with_name("assize"))
        bare = seconds([sys.executable, "-c", "pass"])
        print(f"{'bare interpreter':18} {bare:.2f} s")
        for name, command in {
            "import assize": [sys.executable, "-c", "import assize"],
            "assize --help": [assize, "--help"],
            "first score": [assize, "score", str(one), "--quiet"],
        }.items():
            took = seconds(command)
            print(f"{name:18} {took:.2f} s, {took / bare:.1f} x bare (aim {AIMS[name]} s)")


if __name__ == "__main__":
    main()
