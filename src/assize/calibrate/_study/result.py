"""What a study found: its tables, some in the shape that the paper prints, and its notes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.calibrate._network.grids import Grid
from assize.calibrate._network.training import Setting
from assize.calibrate._study.data import Data
from assize.calibrate._study.nested_search import FEWEST
from assize.calibrate._study.saving import Saved
from assize.calibrate._study.systems import ALL, RaterAnswers, SystemMean, system_table
from assize.results import Column, Estimate, Hidden, Result, ResultTable, Table
from assize.results.numbers import counted, number
from assize.stats import Calibration
from assize.stats._studies import (
    LOSSES,
    MEASURES,
    Figure,
    Folds,
    MethodRow,
    MethodTable,
    Pairing,
    Point,
)
from assize.stats._studies.compare_methods import gaps_table

BASES = ("default", "network")  # the first that is there is what a table compares with
BOUNDS = ("oracles", "worth")  # groups that know what no method can: nobody's best
MOST_RATERS = 40  # whose answers are shown
NoInterval = Annotated[Estimate, Column(ends="none")]


@dataclass(frozen=True, slots=True)
class Reliability:
    """Smooth calibration error of a method's probability of each answer, cross-validated."""

    method: str
    errors: Mapping[str, NoInterval]


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """One measure of a method, each question being the target in turn."""

    measure: str
    method: str
    figures: Mapping[str, NoInterval]


@dataclass(frozen=True, slots=True)
class PartTests:
    """The tests of one part of the forms.

    Args:
        forms: with an answer to the target.
        pairs: of all methods, for every loss; each loss is a family of its own.
    """

    forms: int
    pairs: Sequence[Pairing]


@dataclass(frozen=True, slots=True)
class Study(Result):
    """All that a study found.

    Args:
        target: what is predicted.
        forms, items, raters: filled-in forms, and what and whom they are by.
        cross_validated, test_set: every method on the forms of folds, and on those held out of all.
        reliability: of the methods whose probabilities are drawn.
        curve: methods after learning from some of the forms.
        adaptive: what an adaptive rubric saves, beside a fixed order of questions.
        questions: every other question as the target, on the cross-validated forms;
            `test_questions` on those of the test set.
        rater_answers: how often each rater gave each answer; those with most forms first.
        systems: every question by source and system.
        tests: by part (`cross-validated`, `test set`), between all methods.
        folds: how many, beside the test set; `held_out` says what they are of.
        duplicates: forms by a rater about an item that they had rated before.
        not_applicable, unscored: ratings NA and without an answer, left out.
        unmatched: rated items without a model's answers, and how many ratings each has.
        setting, grid: of the networks; what is searched anew in every split.
        left_out: methods that need a part that is not installed, and which.
        signature: of everything that could change a number but the data.
        by: what `systems` are.
        parts: methods with their predictions and tests, a table a part.
        diagrams: by method, a reliability diagram an answer.
    """

    heading = "Calibration study"
    target: str
    forms: int
    items: int
    raters: int
    cross_validated: Annotated[
        Sequence[MethodRow],
        Table(
            "Cross-validated",
            "How close each method comes to what raters answered about items it has not seen.",
            group="group",
        ),
    ]
    test_set: Annotated[
        Sequence[MethodRow],
        Table("Test set", "The same on items that nothing was fitted on.", group="group"),
    ]
    reliability: Annotated[
        Sequence[Reliability],
        Table(
            "Smooth calibration error of each answer",
            "Are the probabilities true? 0 where a method says 70% of what happens 7 times in 10.",
        ),
    ]
    curve: Annotated[
        Sequence[Point],
        Table(
            "Learning curve",
            "How many forms are needed?",
            group="method",
            notes=["[]: 5-95% of random subsamples of the forms."],
        ),
    ]
    adaptive: Annotated[
        Sequence[Saved],
        Table(
            "Adaptive rubric: calls saved against accuracy",
            "Which questions need asking?",
            notes=[
                "An adaptive rubric asks next what is expected to take most off the variance of the"
                " main score (on the target's scale, squared), and stops where that is too little."
                " Predictions average over what the model might have answered to the rest."
            ],
        ),
    ]
    questions: Annotated[
        Sequence[QuestionRow],
        Table("Every question", "How well each question is predicted.", group="measure"),
    ]
    test_questions: Annotated[
        Sequence[QuestionRow],
        Table("Every question, test set", "On items that nothing was fitted on.", group="measure"),
    ]
    rater_answers: Annotated[
        Sequence[RaterAnswers],
        Table("How raters differ", "How often each rater gave each answer.", most=MOST_RATERS),
    ]
    systems: Sequence[SystemMean]
    tests: Mapping[str, PartTests]
    folds: Hidden[int]
    held_out: Folds
    duplicates: Hidden[int]
    not_applicable: Hidden[int]
    unscored: Hidden[int]
    unmatched: Mapping[str, int]
    setting: Setting
    grid: Grid | None
    left_out: Mapping[str, str]
    signature: str
    by: str
    parts: Sequence[MethodTable] = field(repr=False)
    diagrams: Mapping[str, Sequence[Calibration]] = field(repr=False)
    data: Data = field(repr=False)

    @property
    def sentence(self) -> str:
        """Which method comes closest to what raters answered."""
        part = self.parts[0]
        best = part.best(self.loss, but=BOUNDS)
        if not best:
            return f"No method predicts {self.target}."
        measure = LOSSES[self.loss].measure
        figure = part.figures[best][measure]
        return (
            f"{best} comes closest to what raters answered to {self.target}:"
            f" {MEASURES[measure].title} {number(figure.estimate)} ({part.name}, {self.held_out})."
        )

    @property
    def loss(self) -> str:
        """The loss by which methods are compared: squared error, where answers are ordered."""
        return "squared error" if self.data.forms.target.ordered else "log loss"

    @property
    def base(self) -> str:
        """The method that the others are compared with; "" where none of `BASES` was run."""
        return choose_base(self.parts)

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """Return `PART by LOSS`, the differences behind table 1's marks; `system SOURCE`, of tables
        4 and 5."""
        tables = {}
        for part in self.parts:
            for loss in LOSSES:
                gaps = gaps_table(part, self.references(part, loss), loss)
                if gaps.rows:
                    tables[f"{part.name} by {loss}"] = gaps
        known = {row.system for row in self.systems} != {ALL}
        for source in dict.fromkeys(row.source for row in self.systems if known):
            tables[f"system {source}"] = system_table(self.systems, source, self.by)
        return tables

    def references(self, part: MethodTable, loss: str) -> list[str]:
        """Return `base`, and the method with the least loss that is no bound; each once."""
        measure = LOSSES[loss].measure
        known = [
            row.name
            for row in part.rows
            if not math.isnan(part.figures[row.name][measure].estimate)
        ]
        names = dict.fromkeys((self.base, part.best(loss, but=BOUNDS)))
        return [name for name in names if name in known]

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """What figures are means of, and what p compares; where subsamples are alike."""
        seeds = len(self.held_out.seeds)
        over = f"Means over {counted(seeds, 'seed')}" if seeds > 1 else "At one seed"
        beside = "where a page shows them, ± is the deviation over seeds, [] the 95% interval"
        notes = [f"{over}, {self.held_out}; {beside} over items."]
        if self.base:
            losses = {"squared error": "squared errors", "log loss": "log losses"}[self.loss]
            notes.append(
                f"p: {losses} against those of `{self.base}`, flipped item by item, Holm-corrected."
            )
        alike = {
            f"{point.distinct} at {counted(point.rows, 'form')}": None
            for point in self.curve
            if point.distinct < point.subsamples
        }
        curve = (
            f"Of the {self.curve[0].subsamples} subsamples, not all are different:"
            f" {', '.join(alike)}. Their spread is less than that of new forms."
            if alike
            else ""
        )
        held = "Measured on the test set." if self.data.folds.test.any() else ""
        curves = [line for line in (held, curve) if line and self.curve]
        return {"cross_validated": notes, "test_set": notes, "curve": curves}

    @property
    def notes(self) -> Sequence[str]:
        """What is counted twice, left out, or held out together."""
        unmatched = len(self.unmatched)
        lines = {
            f"{counted(self.duplicates, 'form')} by a rater about an item that they had rated"
            " before; all count.": self.duplicates,
            f"{counted(unmatched, 'rated item')} without answers by a model: left out.": unmatched,
            f"{counted(self.not_applicable, 'rating')} NA: the question does not apply; left out"
            " of fit and evaluation.": self.not_applicable,
            f"{counted(self.unscored, 'rating')} without an answer: left out.": self.unscored,
            f"{counted(self.held_out.ungrouped, 'item')} in no group by {self.held_out.by}: held"
            " out together.": self.held_out.ungrouped,
        }
        notes = [line for line, count in lines.items() if count]
        if any(row.method == "network" for row in self.cross_validated):
            notes.append(describe_settings(self.data))
        for why in dict.fromkeys(self.left_out.values()):
            names = ", ".join(name for name, reason in self.left_out.items() if reason == why)
            notes.append(f"Left out: {names} ({why}).")
        return notes


def choose_base(parts: Sequence[MethodTable]) -> str:
    """Return the method that the others are compared with; "" where none of `BASES` was run."""
    names = {row.name for part in parts for row in part.rows}
    return next((name for name in BASES if name in names), "")


def describe_settings(data: Data) -> str:
    """Return where the networks' settings come from."""
    grid, setting = data.grid, data.setting
    if grid is None or not data.searches:
        why = "" if grid is None else f" (a search needs {FEWEST} folds)"
        epochs = f"{setting.pretrain} + {setting.finetune} epochs"
        return (
            f"Networks at one setting{why}: first weights of deviation {setting.initial:g},"
            f" {epochs}."
        )
    starts = ", ".join(f"{start:g}" for start in grid.starts)
    return (
        f"Each network's setting is searched anew in every split, of {len(grid)} (first weights of"
        f" deviation {starts}); `network as released` has one."
    )


def question_rows(
    questions: Mapping[str, Mapping[str, Mapping[str, Figure]]],
) -> list[QuestionRow]:
    """Return a row a measure and method, with a figure each question that the measure suits.

    Args:
        questions: figures by question, method and measure.
    """
    rows = []
    for name, measure in MEASURES.items():
        known = {
            question: methods
            for question, methods in questions.items()
            if any(not math.isnan(figures[name].estimate) for figures in methods.values())
        }
        for method in dict.fromkeys(method for methods in known.values() for method in methods):
            figures = {
                question: methods[method][name]
                for question, methods in known.items()
                if method in methods
            }
            rows.append(QuestionRow(measure.title, method, figures))
    return rows
