"""What scrubbing finds in sentences of ten countries, by kind, and what presidio finds there.

python benchmarks/scrubbing.py [--each 25] [--seed 0]

Presidio is measured where it is installed (`pip install presidio-analyzer`); it runs without a
language model, for none is downloaded here, so names are none of its kinds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.simulate.scrubber.ten_countries import KINDS, ten_countries

from assize.simulate._scrubber.fold import fold
from assize.simulate._scrubber.names import named
from assize.simulate._scrubber.patterns import Room, patterned
from assize.stats import wilson

Spans = Iterable[tuple[int, int]]


def ours(text: str) -> Spans:
    """Spans that the scrubber replaces."""
    folded = fold(text)
    room = Room(len(folded.text), patterned(folded.text))
    room.add(*named(folded.text))
    return [(folded.starts[one.start], folded.starts[one.end]) for one in room.found]


def presidio() -> Callable[[str], Spans]:
    """Spans that presidio's patterns find, for want of a language model without its names."""
    import spacy
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import SpacyNlpEngine

    class Blank(SpacyNlpEngine):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.nlp = {"en": spacy.blank("en")}

        def load(self) -> None:
            """Nothing is downloaded."""

    engine = AnalyzerEngine(nlp_engine=Blank(), supported_languages=["en"])
    return lambda text: [(one.start, one.end) for one in engine.analyze(text, language="en")]


def measure(find: Callable[[str], Spans], seed: int, each: int) -> dict[str, tuple[int, int]]:
    """Values found whole and planted, by kind; under `precision` spans on a value, and all."""
    counts = {kind: [0, 0] for kind in (*KINDS, "precision")}
    for one in ten_countries(seed, each):
        spans = sorted(find(one.text))
        start = one.text.find(one.value) if one.value else -1
        end = start + len(one.value)
        if one.value:
            covered = all(
                not sign.isalnum() or any(low <= at < high for low, high in spans)
                for at, sign in enumerate(one.text[start:end], start=start)
            )
            counts[one.kind][0] += covered
            counts[one.kind][1] += 1
        counts["precision"][0] += sum(
            low < end and start < high for low, high in spans if one.value
        )
        counts["precision"][1] += len(spans)
    return {kind: (found, total) for kind, (found, total) in counts.items()}


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--each", type=int, default=25)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    finders: dict[str, Callable[[str], Spans]] = {"ours": ours}
    if find_spec("presidio_analyzer") is not None:
        finders["presidio"] = presidio()
    for name, find in finders.items():
        print(name)
        for kind, (found, total) in measure(find, given.seed, given.each).items():
            print(f"  {kind:16} {found:5} of {total:5}  {wilson(found, total)}")


if __name__ == "__main__":
    main()
