"""A distilled evaluator, and how well it reproduces its teachers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Annotated

from assize.evaluator._artefact import CARD, save
from assize.evaluator._distilling import BesidePeople, Fidelity, Teacher
from assize.evaluator._evaluator import Evaluator
from assize.formats.files import open_output
from assize.judgments import JudgmentTable
from assize.results import Hidden, Result, Table


@dataclass(frozen=True, slots=True)
class DistilledResult(Result):
    """An evaluator that was distilled from calibrators, and what was measured.

    Args:
        labels: what it learnt from, as judgments.
        conversations: that were given.
        label_count: labels with a value.
        samples: answers drawn of one conversation and question; None where the label is the mean
            of the predicted distribution.
        seed: of draws and folds.
        folds: of the held-out figures.
        answered_elsewhere: items with answers that are none of the conversations.
        out, labels_out: where evaluator and labels were written.
    """

    evaluator: Evaluator = field(repr=False)
    labels: JudgmentTable = field(repr=False)
    fidelity: Annotated[
        Sequence[Fidelity],
        Table(
            "Held out: with the calibrator's expected answer",
            "How well the evaluator reproduces the calibrator on conversations it did not see.",
        ),
    ]
    people: Annotated[
        Sequence[BesidePeople],
        Table(
            "Held out: with people's ratings",
            "Spearman's correlation with people's mean rating.",
        ),
    ]
    teachers: Annotated[Sequence[Teacher], Table("Teachers")]
    conversations: Hidden[int]
    label_count: Hidden[int]
    samples: Hidden[int | None]
    seed: Hidden[int]
    folds: Hidden[int]
    answered_elsewhere: Hidden[int] = 0
    out: str | None = None
    labels_out: str | None = None

    @property
    def signature(self) -> str:
        """Of the evaluator's scores."""
        return self.evaluator.signature

    def save(self, folder: str | Path) -> None:
        """Writes the evaluator, and its model card beside it.

        Raises:
            OutputError: the folder cannot be written.
        """
        save(self.evaluator, Path(folder))
        with open_output(Path(folder) / CARD) as stream:
            card: str = import_module("assize.evaluator._distilled_card").card(self)
            stream.write(card.encode())

    @property
    def sentence(self) -> str:
        """What it learnt from."""
        drawn = "" if self.samples is None else f", {self.samples} a conversation and question"
        questions = ", ".join(self.evaluator.scored)
        return f"{self.evaluator.judge} with {questions}, from {self.label_count:,} labels{drawn}."

    @property
    def notes(self) -> Sequence[str]:
        """What it learnt from, and what was left out."""
        notes = [("" if self.out is None else f"{self.out}: ") + self.sentence.removesuffix(".")]
        if self.answered_elsewhere:
            lost = f"{self.answered_elsewhere:,} answered items"
            notes.append(f"{lost} are not among the conversations and left out")
        if self.people:
            notes.append(
                "the calibrator must not have been fitted on these ratings, or both figures flatter"
            )
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Conversations that calibrator or evaluator could not score, at the worst question."""
        counts = [(row.spearman.unscored, row.spearman.n) for row in self.fidelity]
        lost, n = max(counts, key=lambda pair: pair[0] / max(1, sum(pair)))
        return lost, lost + n
