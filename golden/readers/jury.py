"""AMULET's juries on HH-TEST: docs/jury.md; every verdict, and the study in the paper's shape."""

from __future__ import annotations

from pathlib import Path

from golden.figures import flatten
from golden.product import DATA, Figures, judgments, run

HH = DATA / "amulet-hh-test"
VOTES = HH / "outputs-gpt4o.jsonl.gz", HH / "reward-models.jsonl"
ITEMS = HH / "instances.jsonl"
JURIES = {
    "da > maxim": ("--cascade", "da > maxim"),
    "da > maxim > explained": ("--cascade", "da > maxim > explained"),
    "all": ("--panel", "all"),
    "four": ("--panel", "io, explained, da, maxim"),
    "weighted": ("--panel", "io=1, explained=2, da=3, maxim=3"),
    "reliability": ("--reliability", "--exchangeable"),
}


def read(folder: Path) -> Figures:
    """Return the figures of some juries, of their verdicts, and of the study."""
    for name, options in JURIES.items():
        out = folder / "verdicts.jsonl"
        result = run("jury", *VOTES, "--items", ITEMS, "--unscored", "loss", *options, "--out", out)
        yield from flatten(result, name)
        yield from ((f"{name}/verdicts/{key}", figure) for key, figure in judgments(out))
        out.unlink()
    files = ",".join(map(str, (*VOTES, ITEMS)))
    yield from flatten(run("jury", "study", "--paper", "--set", f"HH-TEST={files}"), "study")
