"""What measuring evaluators came to: figures, tables in MTDEval's shape, tests, and seconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assize.results import Result
from assize.stats.estimate import nullable

if TYPE_CHECKING:
    from assize.evaluator.measuring.measure import Averaged, MeasuredRow, Tested
    from assize.evaluator.measuring.runtime import Runtime


@dataclass(frozen=True, slots=True, eq=False)
class EvaluatorFigures(Result):
    """How evaluators, judges, and judges together agree with gold.

    Args:
        judge: the first evaluator's name in judgments.
        figures: a row and task each.
        averages: over the dimensions of each benchmark, where there are several.
        tests: every row against `base`.
        base: the row that others are tested against.
        among: rows of which the best and the second best are set off.
        runtimes: seconds an instance, where they were asked for.
        signature: of the evaluators and of how all was measured.
    """

    judge: str
    figures: Sequence[MeasuredRow]
    averages: Sequence[Averaged]
    tests: Sequence[Tested]
    base: str
    among: Sequence[str]
    runtimes: Sequence[Runtime]
    signature: str

    tables_from = "assize.evaluator.measuring.tables:figures_tables"

    @property
    def lines(self) -> Sequence[str]:
        """The signature."""
        return [f"signature {self.signature}"]

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know: whose word is the gold."""
        sources = {row.task.source for row in self.figures}
        said = []
        if "judges" in sources:
            said.append(
                "nobody's word is gold, and no person judged: figures are agreement with the judges"
                " themselves"
            )
        if any(row.said.answered and not row.task.paired and _other(row) for row in self.figures):
            said.append("a row without a question of the name is compared by the one in `head`")
        return said

    @property
    def missing(self) -> tuple[int, int]:
        """Units that the first evaluator leaves unscored, and all."""
        mine = [row for row in self.figures if row.said.name == self.judge]
        unscored = sum(_counts(row)[1] for row in mine)
        return unscored, sum(sum(_counts(row)) for row in mine)

    def to_json(self) -> dict[str, Any]:
        """Every figure with its benchmark, question, level and row; averages, tests, seconds."""
        return {
            "judge": self.judge,
            "figures": [row_json(row) for row in self.figures],
            "averages": [
                {"benchmark": one.benchmark, "row": one.row} | one.figure.to_json()
                for one in self.averages
            ],
            "base": self.base,
            "tests": [test_json(one) for one in self.tests],
            "runtime": [one.to_json() for one in self.runtimes],
            "signature": self.signature,
        }


def row_json(row: MeasuredRow) -> dict[str, Any]:
    """One row of one task."""
    named = {
        "benchmark": row.task.benchmark,
        "question": row.task.question,
        "level": row.task.level,
        "gold": row.task.source,
        "row": row.said.name,
        "group": row.said.group,
        "head": row.said.answered or None,
    }
    return named | {name: one.to_json() for name, one in row.figures.items()}


def test_json(one: Tested) -> dict[str, Any]:
    """One comparison with the base."""
    difference = one.comparison.difference
    return {
        "benchmark": one.task.benchmark,
        "question": one.task.question,
        "figure": one.figure,
        "row": one.row,
        "difference": difference.to_json(),
        "p_value": nullable(one.comparison.test.p_value),
        "p_holm": nullable(one.p_holm),
    }


def _other(row: MeasuredRow) -> bool:
    return row.said.answered.casefold() != row.task.question.casefold()


def _counts(row: MeasuredRow) -> tuple[int, int]:
    first = next(iter(row.figures.values()))
    return first.n, first.unscored
