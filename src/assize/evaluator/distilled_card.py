"""The model card of a distilled evaluator: who taught it, and how well it learnt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assize.evaluator.distilling import Fidelity
from assize.evaluator.evaluator import Evaluator
from assize.results import ResultTable, columns, with_rows
from assize.stats import Comparison


@dataclass(frozen=True, slots=True)
class Teacher:
    """What one question was learnt from."""

    question: str  # that it predicts
    signature: str  # of its predictions
    raters: tuple[str, ...]  # whose answers are meant
    corrected: bool  # whether a correction by groups was applied
    # labelled, unscored: conversations (or turns) with and without a prediction
    labelled: int
    unscored: int


@dataclass(frozen=True, slots=True)
class Facts:
    """How an evaluator was distilled, and what was measured."""

    teachers: tuple[Teacher, ...]
    conversations: int  # that were given
    # answers drawn of one conversation and question; None where the label is the mean of the
    # predicted distribution
    samples: int | None
    labels: int  # all of them
    seed: int  # of draws and folds
    folds: int  # of the held-out figures
    fidelity: Sequence[Fidelity]
    people: Mapping[str, Comparison]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`teachers`, `fidelity` to them, and `people` beside both, where they are known."""
        teachers = [
            (
                *(one.question, one.signature),
                f"{len(one.raters)}" if len(one.raters) > 1 else ", ".join(one.raters),
                *("yes" if one.corrected else "no", one.labelled, one.unscored),
            )
            for one in self.teachers
        ]
        fidelity = [
            (one.question, one.spearman.n, one.spearman.unscored, one.pearson, one.spearman)
            for one in self.fidelity
        ]
        people = [
            (question, who, figure.n, figure.unscored, figure)
            for question, both in self.people.items()
            for who, figure in (
                ("calibrator", both.first),
                ("evaluator", both.second),
                ("difference", both.difference),
            )
        ]
        words, counts = columns("words", "question"), columns("count", "n", "unscored")
        taught = columns("words", "calibrator", "raters", "corrected")
        spearman = columns("number", "Spearman", digits=2)
        titles = (
            "Teachers",
            "Held out: with the calibrator's expected answer",
            "Held out: with people's ratings",
        )
        both = columns("number", "Pearson", digits=2) + spearman
        found = {
            "teachers": ResultTable(
                titles[0], words + taught + columns("count", "labelled", "unscored"), teachers
            ),
            "fidelity": ResultTable(titles[1], words + counts + both, fidelity),
            "people": ResultTable(
                titles[2],
                words + columns("words", "who") + counts + spearman,
                people,
                grouped=True,
            ),
        }
        return with_rows(found)

    def to_json(self) -> dict[str, Any]:
        """All of it, as it stands in `evaluator.json` and `--json`."""
        return {
            "distilled_from": [asdict(one) | {"raters": list(one.raters)} for one in self.teachers],
            "conversations": self.conversations,
            "labels_as": "expected" if self.samples is None else "sampled",
            "samples": self.samples,
            "labels": self.labels,
            "seed": self.seed,
            "folds": self.folds,
            "fidelity": {
                one.question: {"pearson": one.pearson.to_json(), "spearman": one.spearman.to_json()}
                for one in self.fidelity
            },
            "people": {
                question: {
                    "calibrator": one.first.to_json(),
                    "evaluator": one.second.to_json(),
                    "difference": one.difference.to_json(),
                    "test": one.test.to_json(),
                }
                for question, one in self.people.items()
            },
        }


_INTRO = """\
# {name}

A small judge distilled from {teachers}: a frozen sentence encoder, {features} features of a
conversation, and one linear head a question. It reads the text alone; no language model is
called when it scores.

## What a score means

A score of 0.30 says: 30% of the {conversations} conversations given are predicted worse. It is no
answer on the calibrator's scale. Of conversations unlike these nothing was measured.

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


def card(evaluator: Evaluator, facts: Facts) -> str:
    """The card as Markdown; every number in it was measured in this run."""
    count, tables = len(facts.teachers), facts.tables
    intro = _INTRO.format(
        name=evaluator.name,
        teachers="a calibrator" if count == 1 else f"{count} calibrators",
        features=f"{evaluator.width:,}",
        conversations=f"{facts.conversations:,}",
        labels=_EXPECTED if facts.samples is None else _SAMPLED.format(samples=facts.samples),
        count=f"{facts.labels:,}",
        seed=facts.seed,
    )
    parts = [
        intro,
        tables["teachers"].to_markdown(),
        _FIDELITY.format(folds=facts.folds),
        tables["fidelity"].to_markdown(),
    ]
    if facts.people:
        parts += [_PEOPLE, tables["people"].to_markdown()]
    parts.append(_heads(evaluator, facts))
    return "\n".join(part.strip("\n") + "\n" for part in parts)


def _heads(evaluator: Evaluator, facts: Facts) -> str:
    asked = {one.question for one in facts.teachers}
    made = [f"`{name}`" for name in evaluator.scored if name not in asked]
    lines = [f"Heads: {', '.join(f'`{name}`' for name in evaluator.scored)}."]
    if made:
        lines.append(f"{', '.join(made)} learnt from all questions alike.")
    lines.append(f"Signature `{evaluator.signature}`.")
    return "\n".join(["## Heads", "", *lines]) + "\n"
