"""What is read from the corpora and the examples: counts, kinds, labels, and what `check` finds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import assize
from golden.figures import Figure, flatten
from golden.product import CORPORA, DATA, EXAMPLES, Figures, corpus, run

OTHERS = {
    "hh-test": DATA / "amulet-hh-test/instances.jsonl",
    "hh-harmless": DATA / "hh-harmless/pairs.jsonl.gz",
    "llm-rubric": DATA / "llm-rubric/real_dialogues.jsonl",
    "p2-mtd": DATA / "mtdeval/p2-mtd-sample.json",
    "daily-mtd": DATA / "mtdeval/daily-mtd-pair-sample.csv",
}
WITHOUT_JUDGMENTS = ("topical-chat",)
TABLES = {
    "hh-test votes": DATA / "amulet-hh-test/outputs-gpt4o.jsonl.gz",
    "hh-test rewards": DATA / "amulet-hh-test/reward-models.jsonl",
    "llm-rubric answers": DATA / "llm-rubric/synth_llm.csv",
    "llm-rubric ratings": DATA / "llm-rubric/synth_human.csv",
}


def read(folder: Path) -> Figures:
    """Return counts of items, turns and judgments by kind, and mean values by question."""
    paths = {name: corpus(name, folder) for name in CORPORA} | OTHERS
    for name, path in paths.items():
        kinds: Counter[str] = Counter()
        for item in assize.read(path):
            kinds[type(item).__name__] += 1
            turns = getattr(item, "turns", ())
            kinds["turns"] += len(turns)
            kinds["characters"] += sum(len(turn.text) for turn in turns)
        yield from ((f"{name}/{kind}", Figure(count)) for kind, count in sorted(kinds.items()))
    for name, path in (paths | TABLES).items():
        if name in WITHOUT_JUDGMENTS:
            continue
        counts: Counter[tuple[str, str]] = Counter()
        for row in assize.read_judgments([path]):
            answer = "unscored" if row.unscored else row.answer
            counts[row.question, answer if answer is not None else "a score"] += 1
        for (question, answer), count in sorted(counts.items()):
            yield f"{name}/judgments/{question}/{answer}", Figure(count)
    files = EXAMPLES / "conversations.jsonl", EXAMPLES / "ratings.jsonl"
    yield from flatten(run("check", *files), "check")
