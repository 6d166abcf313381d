"""Drift of act labels: how far those of a tagger, or of your model, are AMULET's stored ones.

python benchmarks/act_drift.py [RUN...]
    RUN: folders that `assize judge FILES --judge acts@MODEL --out RUN` wrote about the same
    conversations; run it before and after a change of definitions and compare

The tagger is trained on four fifths of the conversations and measured on the others. It learns
from labels and never reads a definition: a change of definitions leaves its figures as they are,
unless it changes which labels there are.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from assize import stats
from assize.acts._annotations import Acts, Annotation, act_judges, gather
from assize.acts._cues import utterances
from assize.acts._tagging import examples, fit_tagger
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Conversation, Pair
from assize.encoders import load_encoder
from assize.formats import read
from assize.formats.arguments import judgments_of
from assize.judgments import JudgmentTable

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "amulet-hh-test"
PARTS = 5
Labels = Mapping[str, Sequence[Acts]]  # of each item's turns: the context, then both responses


def labels_of(found: Mapping[str, Annotation]) -> dict[str, Sequence[Acts]]:
    return {name: (*one.context, *one.a, *one.b) for name, one in found.items()}


def compare(name: str, given: Labels, stored: Labels) -> None:
    """Prints the share of turns with the same functions, F1 and kappa over functions."""
    turns = [
        (item, {act.function for act in a}, {act.function for act in b})
        for item in sorted(given.keys() & stored.keys())
        if len(given[item]) == len(stored[item])
        for a, b in zip(given[item], stored[item], strict=True)
        if b
    ]
    if not turns:
        print(f"{name}: no turn of the same conversations")
        return
    clusters = [item for item, _, _ in turns]
    same = stats.share([a == b for _, a, b in turns], clusters=clusters)
    both = sum(len(a & b) for _, a, b in turns)
    f1 = 2 * both / sum(len(a) + len(b) for _, a, b in turns)
    names = sorted({one for _, a, b in turns for one in (*a, *b)})
    cells = [(item, f in a, f in b) for item, a, b in turns for f in names]
    kappa = stats.cohen_kappa(
        [float(a) for _, a, _ in cells],
        [float(b) for _, _, b in cells],
        clusters=[item for item, _, _ in cells],
    )
    shown = [f"{100 * part:.1f}" for part in (same.estimate, *same.interval)]
    print(
        f"{name}: {shown[0]}% of {len(turns):,} turns ({len(set(clusters))} conversations) have"
        f" the same functions [{shown[1]}, {shown[2]}]; F1 {f1:.3f}; kappa {kappa.estimate:.3f}"
        f" [{kappa.interval[0]:.3f}, {kappa.interval[1]:.3f}]"
    )


def main() -> None:
    if not DATA.is_dir():
        print(f"nothing measured: there is no {DATA.name} beside the project")
        return
    records = list(read(DATA / "instances.jsonl"))
    items = {one.id: one for one in records if isinstance(one, Pair | Conversation)}
    table: JudgmentTable = judgments_of([str(DATA / "outputs-gpt4o.jsonl.gz")])
    taxonomy = load_taxonomy()
    print(f"taxonomy {taxonomy.name}, definitions {taxonomy.hash}, {len(taxonomy.acts)} acts")
    (judge, *_) = act_judges(table)
    votes = gather(table, items, acts=judge, maxims=None, taxonomy=taxonomy)
    first, second = votes.acts["first"], votes.acts["second"]
    stored = labels_of(first)
    compare("GPT-4o's second vote", labels_of(second), stored)
    held = {name for place, name in enumerate(sorted(first)) if place % PARTS == 0}
    learnt = {name: one for name, one in first.items() if name not in held}
    tagger = fit_tagger(examples(items, learnt, {}), load_encoder("minilm", precision="int8"))
    tagged = {name: tagger.tag(utterances(items[name])) for name in sorted(held)}
    compare("the tagger, on a fifth", {k: [tuple(a) for a in v] for k, v in tagged.items()}, stored)
    for run in sys.argv[1:]:
        asked = judgments_of([run])
        for name in act_judges(asked):
            own = gather(asked, items, acts=name, maxims=None, taxonomy=taxonomy)
            compare(name, labels_of(own.acts["first"]), stored)


if __name__ == "__main__":
    main()
