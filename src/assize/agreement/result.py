"""What `assize agree` returns: agreement, comparisons, audits and counts, one record a row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.agreement.ceiling import compare_with_raters
from assize.agreement.rows import (
    AuditFigure,
    GoldComparison,
    GroupAccuracy,
    JudgeCounts,
    JudgePair,
    OverallFigure,
    QuestionFacts,
    RaterFigures,
)
from assize.base.judgment import TRUTHS
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, Columns
from assize.results import Estimate, Hidden, Result, Table, Test
from assize.results.numbers import counted, with_interval

READ_FIRST = (
    "Read alpha first to compare questions: it allows for chance, and for how far apart answers"
    " are. agreement is the share of equal answers, which is also high where nearly all items get"
    " one answer; so the two can rank questions differently."
)

SECTIONS_MEAN = "mean of the sections"
"""Group of RewardBench's sections together."""


POSITION = "answer changes with the order"
"""Name of the first figure of the audit of position."""


@dataclass(frozen=True)
class Agreement(Result):
    """Agreement and correlation between judges.

    Args:
        answers: the values compared, by question.
        judgments: the rows that they come from.
        settings: what the figures depend on.
        inferred: questions whose scale was guessed from the answers seen.
        duplicates: rows that repeat an earlier one; they count like any other.
        alone: questions on which people stand alone in the figures of all judges and in the table
            of raters, because the other judges' scale is another.
    """

    heading = "Agreement between judges"

    questions: Sequence[QuestionFacts]
    overall: Annotated[
        Sequence[OverallFigure],
        Table(
            "All judges together",
            "How far the judges agree beyond chance, without gold.",
            "question",
            notes=["Unscored: items with fewer than two answers, which are left out."],
        ),
    ]
    pairs: Annotated[
        Sequence[JudgePair],
        Table(
            "Judges, two at a time",
            "How close each judge is to gold, and to each other.",
            "question",
            notes=["n: items that both answered. Unscored: both were asked, and one failed."],
        ),
    ]
    comparisons: Annotated[
        Sequence[GoldComparison],
        Table(
            "Closer to gold",
            "Which of two judges agrees better with gold.",
            "question",
            notes=[
                "Only items that all three answered. accuracy_with_tie counts a tie as a third"
                " answer."
            ],
        ),
    ]
    groups: Annotated[
        Sequence[GroupAccuracy],
        Table("Accuracy by group", "How often a judge prefers what gold prefers.", "question"),
    ]
    audits: Annotated[
        Sequence[AuditFigure],
        Table("Audits", "Whether answers depend on things that should not matter.", "judge"),
    ]
    judges: Annotated[
        Sequence[JudgeCounts],
        Table("Judges", "How much each judge answered.", "question", most=30),
    ]
    raters: Annotated[
        Sequence[RaterFigures],
        Table(
            "Raters",
            "How each rater differs from the others; those with most odd answers first.",
            "question",
            notes=[
                "Odd: more than half of the others (at least two) agree on another answer; for"
                " numbers: more than three times as far from their median as a typical answer."
            ],
            most=30,
        ),
    ]
    answers: Mapping[str, Columns] = field(repr=False)
    judgments: JudgmentTable = field(repr=False)
    notes: Sequence[str] = ()
    settings: Mapping[str, object] = field(default_factory=dict)
    signature: str = ""
    inferred: Sequence[str] = ()
    duplicates: Hidden[int] = 0
    alone: Sequence[str] = field(default=(), repr=False)

    @property
    def sentence(self) -> str:
        """Who answered what, and how far all judges agree."""
        unscored, total = self.missing
        judges = counted(len({row.judge for row in self.judges}), "judge")
        questions = counted(len(self.questions), "question")
        sentence = f"{judges}, {questions}: {total - unscored:,} answers, {unscored:,} unscored."
        for row in self.overall[:1]:
            figure = with_interval(row.estimate)
            sentence += f" {row.statistic.capitalize()} of all judges on {row.question}: {figure}."
        return sentence

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Why figures are missing, what chance reaches, and how sure p-values are."""
        tests = {
            "comparisons": [row.test for row in self.comparisons],
            "audits": [row.test for row in self.audits if row.test is not None],
        }
        return {
            "overall": [
                *([READ_FIRST] if len(self.questions) > 1 else []),
                *self._mixture,
                *reasons({row.statistic: row.estimate for row in self.overall}),
            ],
            "pairs": [
                *dict.fromkeys(reason for row in self.pairs for reason in reasons(row.figures)),
                *chance_levels(self.pairs),
                *compare_with_raters(self.pairs, self.raters),
            ],
            "comparisons": list(permutations(tests["comparisons"])),
            "audits": [*permutations(tests["audits"]), *self._without_orders],
            "groups": self._groups,
            "judges": self._rows,
        }

    @property
    def _without_orders(self) -> list[str]:
        """Whose votes on pairs do not tell what the order does to them."""
        audited = dict.fromkeys((row.question, row.judge) for row in self.audits)
        with_orders = {(row.question, row.judge) for row in self.audits if row.audit == POSITION}
        names = dict.fromkeys(
            judge
            for question, judge in audited
            if self.answers[question].question.kind == "preference"
            and (question, judge) not in with_orders
        )
        if not names:
            return []
        return [f"Position: the votes of {', '.join(names)} are not of both orders (`order`)."]

    @property
    def _mixture(self) -> list[str]:
        """Whether all judges together are people and models, or people alone."""
        everybody = {
            name: column.person
            for question, columns in self.answers.items()
            for name, column in columns.by_judge.items()
            if name not in (PEOPLE, *TRUTHS) and question not in self.alone
        }
        mixed = len({*everybody.values()}) > 1
        notes = ["People and models; for people alone name them with --judges."] if mixed else []
        if self.alone:
            notes.append(f"{', '.join(self.alone)}: people alone; other judges' scale is another.")
        return notes

    @property
    def _groups(self) -> list[str]:
        notes = [f"Groups are values of {self.settings.get('by')}."]
        if any(row.group == SECTIONS_MEAN for row in self.groups):
            notes.append(
                "A section counts its subsets by their items, Reasoning math as much as code; their"
                " mean counts each section once. Only subsets that are there enter."
            )
        return notes

    @property
    def _rows(self) -> list[str]:
        names, notes = ", ".join(self.inferred), []
        if names:
            notes.append(f"The scale of {names} was guessed from the answers seen.")
        if self.duplicates:
            notes.append(f"{self.duplicates:,} rows repeat an earlier one; they count like others.")
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored answers, and answers that were asked for."""
        unscored = sum(row.unscored for row in self.judges)
        return unscored, unscored + sum(row.n for row in self.judges)


def reasons(figures: Mapping[str, Estimate]) -> Iterator[str]:
    """Yield why a figure or its interval is missing."""
    for name, figure in figures.items():
        if figure.reason:
            yield f"{name}: {figure.reason}."


def chance_levels(pairs: Sequence[JudgePair]) -> Iterator[str]:
    """Yield what AUC and average precision come to by chance, by question."""
    shares = {
        row.question: row.average_precision.details["chance"]
        for row in pairs
        if row.average_precision is not None and "chance" in row.average_precision.details
    }
    for question, share in shares.items():
        yield f"{question}: by chance an AUC is 0.5, and an average precision {share:.2f}."


def permutations(tests: Sequence[Test]) -> Iterator[str]:
    """Yield on how many permutations p-values rest, with their largest Monte Carlo error."""
    drawn = [test for test in tests if not test.exact and not math.isnan(test.p_value)]
    if drawn:
        error = max(test.monte_carlo_error for test in drawn)
        yield f"p from {drawn[0].permutations:,} permutations, ±{error:.2g} at most."
    yield from dict.fromkeys(f"p: {test.reason}." for test in tests if test.reason)
