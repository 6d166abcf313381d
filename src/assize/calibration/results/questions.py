"""What questions are worth, and what a study compares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.calibration.study.importance import Along, Importance
from assize.calibration.study.methods import METHODS
from assize.calibration.tables import importance_table
from assize.judgments import Unit
from assize.results import Result, ResultTable, columns
from assize.stats.estimate import nullable


@dataclass(frozen=True, slots=True, eq=False)
class ImportanceResult(Result):
    """What a point more of each question is worth for the main one, by kind of directions.

    Args:
        questions: by question, by kind of directions.
    """

    target: str
    raters: Sequence[str]
    questions: Mapping[str, Mapping[Along, Importance]]
    units: Sequence[Unit]
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`importance`: a row a question and kind of directions."""
        return {"importance": importance_table(self.target, self.questions)}

    def to_json(self) -> dict[str, Any]:
        """By question, and by item."""
        return {
            "target": self.target,
            "raters": list(self.raters),
            "questions": {
                question: {
                    way: one.mean.to_json()
                    | {"median": nullable(one.median), "pooled": nullable(one.pooled)}
                    | _refitted(one)
                    for way, one in ways.items()
                }
                for question, ways in self.questions.items()
            },
            "items": [
                {"item": item, "turn": turn}
                | {
                    question: {way: nullable(float(one.each[row])) for way, one in ways.items()}
                    for question, ways in self.questions.items()
                }
                for row, (item, turn) in enumerate(self.units)
            ],
            "signature": self.signature,
        }


def _refitted(one: Importance) -> dict[str, Any]:
    """Intervals that hold the fit's own variance, where there are some."""
    if one.refitted is None:
        return {}
    names = ("mean", "pooled")
    both = zip(names, one.refitted, strict=True)
    return {"refitted": {name: estimate.to_json() for name, estimate in both}}


@dataclass(frozen=True, slots=True)
class MethodList(Result):
    """The methods that a study compares."""

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`methods`, by group."""
        rows = [(one.group, name, one.about) for name, one in METHODS.items()]
        named = columns("words", "group", "method", "what it does")
        return {"methods": ResultTable("Methods", named, rows, grouped=True)}

    def to_json(self) -> dict[str, Any]:
        """By name, its group and what it does."""
        rows = {name: {"group": one.group, "about": one.about} for name, one in METHODS.items()}
        return {"methods": rows}
