"""What measuring evaluators came to: figures, tables in MTDEval's shape, tests, and seconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.evaluator._measuring.measure import Averaged, MeasuredRow, Tested
from assize.evaluator._measuring.mtdeval import compare_dimensions, compare_rows
from assize.evaluator._measuring.runtime import Runtime
from assize.results import Result, ResultTable, Table

_GOLD = {
    "gold": "the gold labels",
    "people": "what people said together",
    "judges": "what all judges said together",
}


@dataclass(frozen=True, slots=True)
class EvaluatorFigures(Result):
    """How evaluators, judges, and judges together agree with gold.

    Args:
        judge: the first evaluator's name in judgments; without one the first judge's.
        figures: a row and task each.
        averages: over the dimensions of each benchmark, where there are several.
        tests: every row against `base`.
        base: the row that others are tested against.
        among: rows of which the best and the second best are set off.
        runtimes: seconds an instance, where they were asked for.
        signature: of the evaluators and of how all was measured.
        may_be_unscored: what `judge` leaves unscored decides no exit code, for nobody asked for it.
    """

    judge: str
    figures: Annotated[
        Sequence[MeasuredRow],
        Table("Against gold", "How far each judge says what gold says.", group="title"),
    ]
    averages: Sequence[Averaged]
    tests: Annotated[Sequence[Tested], Table("Differences", group="title")]
    base: str
    among: Sequence[str]
    runtimes: Annotated[
        Sequence[Runtime], Table("Seconds an instance, one at a time", notes=["95% intervals."])
    ]
    signature: str
    may_be_unscored: bool = field(default=False, repr=False)

    @property
    def sentence(self) -> str:
        """Who was measured on what."""
        judges = len({row.judge for row in self.figures})
        others = f" and {judges - 1} other rows" if judges > 1 else ""
        return f"{self.judge}{others}, measured against {self._gold}."

    @property
    def _gold(self) -> str:
        return " and ".join(dict.fromkeys(_GOLD[row.gold] for row in self.figures))

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """`compared` where there are several rows, and `dimensions` where there are several."""
        several = len({row.judge for row in self.figures}) > 1
        tables = {"compared": compare_rows(self.figures, self.among)} if several else {}
        found = tables | compare_dimensions(self.figures, self.averages, self.among)
        return {name: table for name, table in found.items() if table.rows}

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Whose word is gold, and what was tested."""
        gold = (
            f"Against {self._gold}; pairs in percent. With ties: of the three answers; without: of"
            " sides, where gold is decided, by the sign alone."
        )
        tests = (
            f"Each row less {self.base}, on what both score, with its interval; p by exchanging the"
            " two (ranks, or standardised), corrected over the rows of a figure (Holm)."
        )
        return {"figures": [gold], "tests": [tests]}

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know: whose word is the gold."""
        notes = []
        unscored = sum(row.unscored for row in self.figures if row.judge == self.judge)
        if self.may_be_unscored and unscored:
            notes.append(
                f"{self.judge}, the shipped evaluator, leaves {unscored:,} unscored, which decides"
                " no exit code; --evaluator none leaves its row out"
            )
        if any(row.gold == "judges" for row in self.figures):
            notes.append(
                "nobody's word is gold, and no person judged: figures are agreement with the judges"
                " themselves"
            )
        if any(row.head is not None and not row.task.paired for row in self.figures):
            notes.append("a row without a question of the name is compared by the one in `head`")
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Units that the first row leaves unscored, and all."""
        own = [row for row in self.figures if row.judge == self.judge]
        unscored = sum(row.unscored for row in own)
        total = unscored + sum(row.n for row in own)
        return (0 if self.may_be_unscored else unscored), total
