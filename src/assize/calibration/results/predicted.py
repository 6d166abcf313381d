"""Predicted answers, and the candidates that are chosen by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.calibration.data.forms import Scale
from assize.calibration.prediction import best_of_n
from assize.calibration.prediction.best_of_n import Selection
from assize.calibration.prediction.rater_means import RaterMeans
from assize.calibration.tables import predicted_table, selection_table
from assize.errors import ConfigError
from assize.formats import read_judgments
from assize.judgment import Question
from assize.judgments import JudgmentTable, Unit
from assize.results import Result, ResultTable

MOST_SELECTIONS = 20  # groups that a table of selections shows


@dataclass(frozen=True, slots=True, eq=False)
class PredictionResult(Result):
    """Predicted answers of raters.

    Args:
        question: that they answer.
        items: what they are about.
        means: what they come to, by rater.
        corrected: whether what a correction has learnt is in them.
        out: the file they were written to.
        kept: the rows, item by item; None where they stand in `out` alone, or nowhere.
    """

    question: Question
    items: int
    means: RaterMeans
    corrected: bool
    out: str | None
    signature: str
    kept: JudgmentTable | None

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
    def tables(self) -> Mapping[str, ResultTable]:
        """`predicted`: by rater how many, and their means."""
        return {"predicted": predicted_table(self.question.id, self.means)}

    @property
    def notes(self) -> Sequence[str]:
        """Where they were written."""
        return () if self.out is None else [f"{self.out}: {self.missing[1]:,} judgments"]

    @property
    def missing(self) -> tuple[int, int]:
        """Predictions that could not be made, of all."""
        each = self.means.by_rater.values()
        return self.means.unscored, sum(one.n + one.unscored for one in each)

    def to_json(self) -> dict[str, Any]:
        """What was predicted of whom."""
        return {
            "target": self.question.id,
            "items": self.items,
            "raters": self.means.to_json(),
            "unscored": self.means.unscored,
            "corrected": self.corrected,
            "out": self.out,
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, eq=False)
class SelectionResult(Result):
    """The best candidate of each group.

    Args:
        units: what the selections' places are of.
        left_out: candidates of no group.
        judgments: a row a candidate: yes, no, or unscored.
    """

    target: Scale
    selections: Sequence[Selection]
    units: Sequence[Unit]
    left_out: int
    max_entropy: float | None
    corrected: bool
    judgments: JudgmentTable
    out: str | None
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`chosen`: of the first groups."""
        named = self.target.id
        return {"chosen": selection_table(self.selections, self.units, named, MOST_SELECTIONS)}

    @property
    def notes(self) -> Sequence[str]:
        """How many groups were chosen from, and what that should gain."""
        found = best_of_n.summary(self.selections, self.units)
        said = [
            f"{found['chosen']:,} of {len(self.selections):,} groups chosen from,"
            f" {found['abstained']:,} abstained, {found['unscored']:,} not predicted;"
            f" expected gain over any candidate {best_of_n.gain(self.selections).estimate:.2f}"
        ]
        if self.left_out:
            of = f"{self.left_out:,} of {len(self.units):,}"
            said.append(f"{of} belong to no group and are left out")
        return said

    def to_json(self) -> dict[str, Any]:
        """Each selection, and what all should gain."""
        return {
            "target": self.target.id,
            **best_of_n.summary(self.selections, self.units),
            "left_out": self.left_out,
            "max_entropy": self.max_entropy,
            "corrected": self.corrected,
            "out": self.out,
            "signature": self.signature,
        }
