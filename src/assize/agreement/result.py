"""What `assize agree` returns: agreement, comparisons, audits and counts, one record a row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.agreement.ceiling import compare_with_raters
from assize.base.judgment import TRUTHS
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, Columns
from assize.results import Column, Estimate, Hidden, Result, Share, Table, Test
from assize.results.numbers import counted, with_interval

Figure = Annotated[Estimate | None, Column(coarse=2)]
"""A statistic; None where it does not suit the question's scale."""


READ_FIRST = (
    "Read alpha first to compare questions: it allows for chance, and for how far apart answers"
    " are. agreement is the share of equal answers, which is also high where nearly all items get"
    " one answer; so the two can rank questions differently."
)

SECTIONS_MEAN = "mean of the sections"
"""Group of RewardBench's sections together."""


POSITION = "answer changes with the order"
"""Name of the first figure of the audit of position."""


@dataclass(frozen=True, slots=True)
class QuestionFacts:
    """What was asked.

    Args:
        kind: scale of the answers.
        text: the question; "" where it is unknown.
        gold: judge that counts as true; None for none.
        n: items (or turns of items) that were judged.
        data: digits that stand for all answers compared.
    """

    question: str
    kind: str
    text: str
    gold: str | None
    n: int
    data: str


@dataclass(frozen=True, slots=True)
class OverallFigure:
    """One statistic of all judges of a question, such as alpha.

    The shares called perfect, majority, plurality and none are of the items that reach this
    agreement and no higher one (UPHELD, table 5).
    """

    question: str
    statistic: str
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class JudgePair:
    """The agreement of two judges, on what both answered.

    Args:
        second: gold, where one of the two is.
        unscored: items that both were asked about and one failed on.
        accuracy_with_tie: of three answers, on all pairs.
        accuracy: on pairs whose gold is decided; a predicted tie is wrong.
        accuracy_decided: where neither is a tie, which is `coverage` of the pairs.
        auc: how well a score tells gold's two answers apart.
    """

    question: str
    first: str
    second: str
    n: int
    unscored: int
    agreement: Figure = None
    kappa: Figure = None
    alpha: Figure = None
    cramers_v: Annotated[Estimate | None, Column("Cramer's V", coarse=2)] = None
    pearson: Hidden[Estimate | None] = None
    spearman: Figure = None
    kendall: Hidden[Estimate | None] = None
    rmse: Hidden[Estimate | None] = None
    mae: Annotated[Estimate | None, Column("MAE", coarse=2)] = None
    accuracy: Figure = None
    accuracy_with_tie: Hidden[Estimate | None] = None
    accuracy_decided: Annotated[Estimate | None, Column("both decided", coarse=2)] = None
    coverage: Figure = None
    auc: Annotated[Estimate | None, Column("AUC", coarse=2)] = None
    average_precision: Annotated[Estimate | None, Column("avg. precision", coarse=2)] = None

    @property
    def figures(self) -> Mapping[str, Estimate]:
        """The statistics that there are, by name."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in values.items() if isinstance(value, Estimate)}


@dataclass(frozen=True, slots=True)
class GoldComparison:
    """Which of two judges is closer to gold, on what all three answered.

    Args:
        test: a permutation test that swaps the two judges item by item.
        p_holm: its p-value after Holm's adjustment for all questions; None for one question.
        better: name of the better judge; `not shown` where the test shows no difference.
    """

    question: str
    measure: str
    first: str
    second: str
    difference: Annotated[Estimate, Column(signed=True)]
    test: Annotated[Test, Column("p")]
    p_holm: Annotated[float | None, Column("p (Holm)", "p")]
    better: str
    first_figure: Annotated[Estimate, Column("of the first", coarse=2)]
    second_figure: Annotated[Estimate, Column("of the second", coarse=2)]
    n: int
    unscored: int


@dataclass(frozen=True, slots=True)
class GroupAccuracy:
    """How often a judge prefers what gold prefers, among the items of one group.

    Ties of gold do not enter; an answer of tie counts as wrong.
    """

    question: str
    judge: str
    group: str
    accuracy: Estimate


@dataclass(frozen=True, slots=True)
class AuditFigure:
    """One figure of an audit of one judge, such as how often its answer changes with the order."""

    question: str
    judge: str
    audit: str
    estimate: Estimate
    test: Annotated[Test | None, Column("p")] = None


@dataclass(frozen=True, slots=True)
class JudgeCounts:
    """How much one judge answered of one question.

    Args:
        gold: whether the judge counts as true.
        split_votes: pairs whose votes differ by order, which count as ties.
    """

    question: str
    judge: str
    gold: bool
    n: int
    unscored: int
    not_applicable: int
    split_votes: int


@dataclass(frozen=True, slots=True)
class RaterFigures:
    """How one rater differs from the others, on items that at least one of them answered too.

    Args:
        n: such items.
        difference: the rater's mean less the others' on the same items; None of nominal answers.
        agreement: share of the others who gave the same answer; None of numbers.
        correlation: Spearman's, with the others' mean; of answers with an order.
        odd: share of the answers that are odd, where at least two others answered: more than half
            of them gave one other answer, or a number is three times as far from their median as
            the median answer.
    """

    question: str
    rater: str
    n: int
    unscored: int
    difference: Annotated[
        Estimate | None, Column("mean less the others'", coarse=2, ends="below", signed=True)
    ]
    agreement: Annotated[Estimate | None, Column("agreement with the rest", coarse=2, ends="below")]
    correlation: Annotated[
        Estimate | None, Column("Spearman with the rest", coarse=2, ends="below")
    ]
    odd: Annotated[Share, Column("odd answers", kind="percent", digits=0, unit="%", ends="below")]


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
