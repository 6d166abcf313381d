"""The model card of an evaluator that criteria were distilled into."""

from __future__ import annotations

from assize.criteria._distilled.result import DistilledCriteria

_INTRO = """\
# {name}

A small judge distilled from evaluations of {count} criteria on {n} conversations: a frozen
sentence encoder, features of a conversation, and one linear head a criterion. It reads the text
alone; no language model is called when it scores.

## What a score means

With the file of the criteria, `criteria@FILE@evaluator:FOLDER` gives each criterion's expected
evaluation from 0 to 10 and NetSAT. By itself the evaluator gives ranks: a score of 0.30 says that
30% of these conversations are predicted worse. Of conversations unlike these nothing was measured.

## How well it reproduces the evaluations

Every figure is of conversations that the measured evaluator did not learn from.
"""


def card(name: str, found: DistilledCriteria) -> str:
    """The card as Markdown; every number in it was measured in this run."""
    intro = _INTRO.format(name=name, count=len(found.reproduced) - 1, n=f"{found.n:,}")
    tables = [f"{one.title}\n\n{one.to_markdown()}" for one in found.tables.values()]
    parts = [intro, *tables, f"Signature `{found.signature}`."]
    return "\n".join(part.strip("\n") + "\n" for part in parts)
