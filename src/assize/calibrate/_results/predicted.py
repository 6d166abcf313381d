"""Predicted answers, and the candidates that are chosen by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.base.errors import ConfigError
from assize.calibrate._prediction.best_of_n import Selection
from assize.calibrate._prediction.rater_means import RaterMean
from assize.formats import read_judgments
from assize.judgments import JudgmentTable
from assize.results import Column, Estimate, Hidden, Result, Table
from assize.results.numbers import counted

MOST_SELECTIONS = 20  # groups that a table of selections shows


@dataclass(frozen=True, slots=True)
class PredictionResult(Result):
    """Predicted answers of raters.

    Args:
        target: the question that they answer.
        raters: what they come to, by rater.
        items: what they are about.
        unscored: predictions that could not be made.
        corrected: whether what a correction has learnt is in them.
        out: the file they were written to.
        kept: the rows, item by item; None where they stand in `out` alone, or nowhere.
    """

    heading = "Predicted answers"
    target: str
    raters: Annotated[
        Mapping[str, RaterMean],
        Table("Predicted answers", "What each rater is expected to say.", key="rater"),
    ]
    items: int
    unscored: Annotated[int, Column("predictions unscored")]
    corrected: bool
    out: str | None
    signature: str
    kept: JudgmentTable | None = field(repr=False)

    @property
    def judgments(self) -> JudgmentTable:
        """A judgment by `calibration:RATER` an item and rater; read from `out` where it is.

        Raises:
            ConfigError: they were neither kept nor written into a file.
        """
        if self.kept is not None:
            return self.kept
        if self.out in (None, "-"):
            raise ConfigError("the judgments were not kept; predict with keep=True, or out a file")
        return read_judgments([str(self.out)])

    @property
    def sentence(self) -> str:
        """What is predicted of how many raters."""
        return f"Predicted answers to {self.target} of {counted(len(self.raters), 'rater')}."

    @property
    def notes(self) -> Sequence[str]:
        """Where they were written."""
        return () if self.out is None else [f"{self.out}: {self.missing[1]:,} judgments"]

    @property
    def missing(self) -> tuple[int, int]:
        """Predictions that could not be made, of all."""
        scored = sum(rater.n for rater in self.raters.values())
        return self.unscored, scored + self.unscored


@dataclass(frozen=True, slots=True)
class SelectionResult(Result):
    """The best candidate of each group.

    Args:
        target: the question whose expected answer decides.
        expected_gain: of the chosen over any candidate.
        groups: all that there are.
        chosen, abstained, unscored: of these, decided on, too uncertain, and not predicted.
        candidates_unscored: candidates about which nothing is known.
        left_out: candidates of no group.
        judgments: a row a candidate: yes, no, or unscored.
    """

    heading = "Chosen candidates"
    target: str
    expected_gain: Annotated[Estimate, Column("expected gain over the average candidate", digits=2)]
    groups: int
    chosen: Annotated[int, Column("groups chosen from")]
    abstained: Annotated[int, Column("groups abstained")]
    unscored: Annotated[int, Column("groups not predicted")]
    candidates_unscored: Annotated[int, Column("candidates not predicted")]
    left_out: Hidden[int]
    selections: Annotated[
        Sequence[Selection],
        Table(
            "Chosen candidates",
            "The best candidate of each group.",
            notes=["Entropy of its predicted answers, in nats."],
            most=MOST_SELECTIONS,
        ),
    ]
    max_entropy: float | None
    corrected: bool
    out: str | None
    signature: str
    judgments: JudgmentTable = field(repr=False)

    @property
    def sentence(self) -> str:
        """By what was chosen."""
        return f"The candidate with the highest expected answer to {self.target}, of each group."

    @property
    def notes(self) -> Sequence[str]:
        """How many candidates were left out."""
        all_ = self.left_out + sum(selection.candidates for selection in self.selections)
        note = f"{self.left_out:,} of {all_:,} belong to no group and are left out"
        return [note] if self.left_out else []
