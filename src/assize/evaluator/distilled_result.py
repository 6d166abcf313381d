"""A distilled evaluator, and how well it reproduces its teachers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assize.evaluator.artefact import CARD, save
from assize.evaluator.distilled_card import Facts, card
from assize.evaluator.evaluator import Evaluator
from assize.formats.files import open_output
from assize.judgments import JudgmentTable
from assize.results import Result, ResultTable


@dataclass(frozen=True, slots=True, eq=False)
class DistilledResult(Result):
    """An evaluator that was distilled from calibrators.

    Args:
        facts: who taught it, and how well it learnt.
        labels: what it learnt from, as judgments.
        answered_elsewhere: items with answers that are none of the conversations.
        out, labels_out: where evaluator and labels were written.
    """

    evaluator: Evaluator
    facts: Facts
    labels: JudgmentTable
    answered_elsewhere: int = 0
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
            stream.write(card(self.evaluator, self.facts).encode())

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`fidelity` to the calibrators, and `people` beside both."""
        return {name: one for name, one in self.facts.tables.items() if name != "teachers"}

    @property
    def notes(self) -> Sequence[str]:
        """What it learnt from, and what was left out."""
        facts, where = self.facts, "" if self.out is None else f"{self.out}: "
        drawn = "" if facts.samples is None else f", {facts.samples} a conversation and question"
        questions = ", ".join(self.evaluator.scored)
        said = f"{self.evaluator.judge} with {questions}, from {facts.labels:,} labels{drawn}"
        found = [where + said]
        if self.answered_elsewhere:
            lost = f"{self.answered_elsewhere:,} answered items"
            found.append(f"{lost} are not among the conversations and left out")
        if facts.people:
            found.append(
                "the calibrator must not have been fitted on these ratings, or both figures flatter"
            )
        return found

    @property
    def missing(self) -> tuple[int, int]:
        """Conversations that calibrator or evaluator could not score, at the worst question."""
        each = [(one.spearman.unscored, one.spearman.n) for one in self.facts.fidelity]
        lost, n = max(each, key=lambda one: one[0] / max(1, sum(one)))
        return lost, lost + n

    def to_json(self) -> dict[str, Any]:
        """All that was measured."""
        return {
            "evaluator": self.evaluator.judge,
            "heads": list(self.evaluator.scored),
            **self.facts.to_json(),
            "answered_elsewhere": self.answered_elsewhere,
            "out": self.out,
            "labels_out": self.labels_out,
            "signature": self.signature,
        }
