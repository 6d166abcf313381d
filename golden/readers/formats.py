"""What is read from the corpora and the examples: counts, kinds, labels, and what `check` finds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import assize
from golden.figures import Figure, flatten
from golden.product import CORPORA, DATA, EXAMPLES, Figures, corpus, run

OTHERS = {
    "hh-test": DATA / "amulet-hh-test/instances.jsonl",
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
    names = (*CORPORA, "hh-harmless")
    paths = {name: corpus(name) for name in names} | {name: [path] for name, path in OTHERS.items()}
    for name, files in paths.items():
        kinds: Counter[str] = Counter()
        for item in (record for path in files for record in assize.read(path).records()):
            kinds[type(item).__name__] += 1
            turns = getattr(item, "turns", ())
            kinds["turns"] += len(turns)
            kinds["characters"] += sum(len(turn.text) for turn in turns)
        yield from ((f"{name}/{kind}", Figure(count)) for kind, count in sorted(kinds.items()))
    paths |= {name: [path] for name, path in TABLES.items()}
    for name, files in paths.items():
        if name in WITHOUT_JUDGMENTS:
            continue
        counts: Counter[tuple[str, str]] = Counter()
        for row in assize.read_judgments(files):
            answer = "unscored" if row.unscored else row.answer
            counts[row.question, answer if answer is not None else "a score"] += 1
        for (question, answer), count in sorted(counts.items()):
            yield f"{name}/judgments/{question}/{answer}", Figure(count)
    examples = EXAMPLES / "conversations.jsonl", EXAMPLES / "ratings.jsonl"
    checked = run("check", *examples)
    checked["findings"] = sum(row["count"] for row in checked["findings"])
    yield from flatten(checked, "check")
