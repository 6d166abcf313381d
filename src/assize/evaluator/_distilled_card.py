"""The model card of a distilled evaluator: who taught it, and how well it learnt."""

from __future__ import annotations

from assize.evaluator._distilled_result import DistilledResult

_INTRO = """\
# {name}

A small judge distilled from {teachers}: a frozen sentence encoder, {features} features of a
conversation, and one linear head a question. It reads the text alone; no language model is
called when it scores.

## What a score means

A score is the answer that the calibrator is expected to give, on its question's scale: a line
through its expected answers at ranks held out. `details.rank` is the rank: 0.30 says that 30% of
the {conversations} conversations given are predicted worse. A question that no calibrator
answers, such as `overall`, has the rank as its score. Of conversations unlike these nothing was
measured.

## What it learnt from

{labels}, on {conversations} conversations: {count} labels. Seed {seed}.
"""

_SAMPLED = """\
{samples} answers a conversation and question, drawn from the calibrated distributions of its
raters"""
_EXPECTED = "The mean of the calibrated distributions of its raters"

_FIDELITY = """
## How well it reproduces the calibrator

Correlation of its score with the calibrator's expected answer, 95% intervals. Each score is by
an evaluator that did not learn from that conversation ({folds} folds).
"""

_PEOPLE = """
## Beside people

Spearman's correlation with people's mean rating, on the same conversations. The evaluator did
not learn from them; what the calibrator was fitted on is not known here: if these ratings were
among it, both figures flatter.
"""


def card(result: DistilledResult) -> str:
    """The card as Markdown; every number in it was measured in this run."""
    count, tables = len(result.teachers), result.tables
    labels = _EXPECTED if result.samples is None else _SAMPLED.format(samples=result.samples)
    intro = _INTRO.format(
        name=result.evaluator.name,
        teachers="a calibrator" if count == 1 else f"{count} calibrators",
        features=f"{result.evaluator.width:,}",
        conversations=f"{result.conversations:,}",
        labels=labels,
        count=f"{result.label_count:,}",
        seed=result.seed,
    )
    parts = [
        intro,
        tables["teachers"].to_markdown(),
        _FIDELITY.format(folds=result.folds),
        tables["fidelity"].to_markdown(),
    ]
    if result.people:
        parts += [_PEOPLE, tables["people"].to_markdown()]
    parts.append(_heads(result))
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _heads(result: DistilledResult) -> str:
    taught = {teacher.question for teacher in result.teachers}
    derived = [f"`{name}`" for name in result.evaluator.scored if name not in taught]
    lines = [f"Heads: {', '.join(f'`{name}`' for name in result.evaluator.scored)}."]
    if derived:
        lines.append(f"{', '.join(derived)} learnt from all questions alike.")
    lines.append(f"Signature `{result.signature}`.")
    return "\n".join(["## Heads", "", *lines]) + "\n"
