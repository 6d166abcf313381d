"""The result of a study of metrics and ensembles: rows by target and data set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from assize.reference._ratings import Unit
from assize.reference._study.association import MetricFigures
from assize.reference._study.controls import ControlFigures
from assize.reference._study.data import DataSet
from assize.reference._study.ensembles import BEST, FittedTree, Gain
from assize.reference._study.levels import (
    BalancedAccuracy,
    LevelAccuracy,
    LevelFigures,
    LevelShares,
)
from assize.reference._study.metric_tables import describe_figures, metric_tables
from assize.reference._study.regressions import MetricWeight, VarianceExplained
from assize.reference._study.sources import AnswerCounts, SourceFigures
from assize.results import Column, Estimate, Hidden, Result, ResultTable, Table
from assize.results.numbers import number


@dataclass(frozen=True, slots=True)
class RatedItems:
    """What people rated of one data set.

    Args:
        unscored: ratings that were asked for and hold no value.
    """

    target: str
    data: str | None
    items: int
    ratings: int
    raters: int
    unscored: int
    conversations: int
    simulated: Hidden[bool]


@dataclass(frozen=True, slots=True)
class BestFigures:
    """The metric and the ensembles with the largest r on items; None where there is none.

    Args:
        metric: chosen after the fact.
        ensemble: cross-validated in the data set.
        applied: fitted on the data set that trains all others; None where there is one set.
    """

    target: str
    data: str | None
    metric: str | None = None
    metric_r: Annotated[Estimate | None, Column("its r", digits=2)] = None
    ensemble: str | None = None
    ensemble_r: Annotated[Estimate | None, Column("r", digits=2)] = None
    applied: Annotated[str | None, Column("applied")] = None
    applied_r: Annotated[Estimate | None, Column("r, applied", digits=2)] = None


@dataclass(frozen=True)
class ReferenceStudy(Result):
    """How well metrics, judges and ensembles agree with people, data set by data set.

    Rows are by target (what people were asked) and data set, whose name is None where all items
    are one set. UPHELD's table 3 is `best`, 4 and figure 1 `sources`, 5 `accuracy`, 9-11 the
    tables `metrics TARGET`, 12 `levels`; figures 2-3 and 8-11 are `regression`, 7 is `kept`, 12
    `answers`.

    Args:
        figures: of metrics and ensembles.
        trees: the first tree of an ensemble, one a target and data set that has any.
        targets: names, in the order in which they are shown.
        data: names of the data sets.
        trained_on: the data set whose ensembles are applied to the others; None where there is
            one.
        learnt_from: what a row is that ensembles learn from.
        folds: number of folds of conversations, each held out once.
        learners: names of the ensembles.
    """

    heading = "Metrics against people"

    best: Annotated[
        Sequence[BestFigures],
        Table(
            "Best metric and best ensemble",
            "r is Pearson with the mean rating of an item.",
            group="target",
            notes=[
                "The 95% interval is clustered by conversation. The metric is chosen after the"
                " fact, the ensemble's predictions are held out: the gains have both on the same"
                " terms. applied: the best of those fitted on the data set that trains the others"
                " (in itself cross-validated)."
            ],
        ),
    ]
    gains: Annotated[
        Sequence[Gain],
        Table(
            "Ensembles against the best metric",
            "Whether a mixture of metrics is closer to people than the best of them.",
            group="target",
            notes=[
                "Pearson with the mean rating of an item, on items that both have a value for. The"
                " best metric is chosen where the ensemble is fitted. The gain is paired, its 95%"
                " interval clustered by conversation; p: the two exchanged conversation by"
                " conversation."
            ],
        ),
    ]
    controls: Annotated[
        Sequence[ControlFigures],
        Table(
            "What an ensemble's agreement is made of",
            "The best cross-validated ensemble, and the best metric beside it.",
            group="target",
            notes=[
                "no reference used: fitted again on the metrics that read no reference. within one"
                " system: predictions and ratings less their means over each source's items, so"
                " that telling systems apart gains nothing."
            ],
        ),
    ]
    kept: Annotated[
        Sequence[LevelShares],
        Table(
            "Items kept by how far people agree",
            "Shares of the items with two ratings or more (n); the others are unscored.",
            group="target",
            notes=[
                "perfect: all ratings of an item are the same; majority: more than half;"
                " plurality: one is given more often than any other. Each level holds those"
                " before it."
            ],
        ),
    ]
    levels: Annotated[
        Sequence[LevelFigures],
        Table(
            "Agreement by how far people agree",
            "Metrics where people agree more and more, with the change in percent.",
            group="target",
            notes=[
                "all: every rating a row; from plurality on people's answer is the mode of an"
                " item, so that the first change is of items and of the answer. means: all items"
                " with their mean rating. Δ%: against the level before. Where people agree ratings"
                " are also further apart, which raises a correlation by itself."
            ],
        ),
    ]
    accuracy: Annotated[
        Sequence[LevelAccuracy],
        Table(
            "Accuracy by how far people agree",
            "How often judges give the answer that most people give.",
            group="target",
            notes=[
                "An item stands in the highest level that it reaches alone; any: all of them. To"
                " yes and no judges the mode is yes above the middle of the scale. people: share"
                " of an item's ratings that are its mode, which they themselves made: two of five"
                " are 0.40. one by the others: a rating against the mode of the others, which"
                " compares with a judge."
            ],
        ),
    ]
    balanced: Annotated[
        Sequence[BalancedAccuracy],
        Table(
            "Balanced accuracy by how far people agree",
            "Mean over the modes' values of the share of their items.",
            group="target",
        ),
    ]
    sources: Annotated[
        Sequence[SourceFigures],
        Table(
            "Ratings by source",
            "How far people agree on each source's candidates, and how high they rate them.",
            group="target",
            notes=[
                "alpha: Krippendorff's, on answers in order (on numbers with equal distances)."
                " Share of the best: sum of the ratings over the sum of the highest that they"
                " could be (UPHELD, E.1); on a scale from 1 to 5 the least is 20%."
            ],
        ),
    ]
    answers: Annotated[
        Sequence[AnswerCounts],
        Table("Answers by source", "How often each rating is given.", group="target"),
    ]
    regression: Annotated[
        Sequence[MetricWeight],
        Table(
            "Regression on metrics",
            "Steps of the rating for one standard deviation of the metric.",
            group="target",
            notes=["Every rating a row; errors are clustered by conversation."],
        ),
    ]
    explained: Annotated[
        Sequence[VarianceExplained],
        Table(
            "Variance that all metrics together explain",
            "n: ratings of items with all metrics.",
            group="target",
        ),
    ]
    figures: Annotated[
        Sequence[MetricFigures],
        Table(
            "Every figure",
            "Metrics and ensembles on single ratings and on the means of items.",
            group="target",
        ),
    ]
    rated: Annotated[Sequence[RatedItems], Table("What people rated", group="target")]
    continuations: int
    ratings: int
    trees: Sequence[FittedTree]
    targets: Sequence[str]
    data: Sequence[str]
    trained_on: str | None
    learnt_from: Unit
    folds: Hidden[int]
    learners: Sequence[str]
    sets: Sequence[DataSet] = field(repr=False)
    notes: Sequence[str] = ()
    signature: str = ""

    @property
    def sentence(self) -> str:
        """How close the best ensemble and the best metric of the first target come to people."""
        simulated = "Simulated data. " if self.simulated else ""
        best = next((row for row in self.best if row.metric_r is not None), None)
        if best is None or best.metric_r is None:
            return f"{simulated}No metric could be compared with people's ratings."
        metric = f"{best.metric} is closest to people's {best.target}"
        metric += f" (r = {number(best.metric_r.estimate, 2)})"
        if best.ensemble is None or best.ensemble_r is None:
            return f"{simulated}Of the metrics {metric}."
        held_out = f"r = {number(best.ensemble_r.estimate, 2)} on held-out conversations"
        return f"{simulated}Of the metrics {metric}; of the ensembles {best.ensemble} ({held_out})."

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """The tables, those of metrics behind the best ones."""
        tables = super().tables
        return dict(sorted(tables.items(), key=lambda table: place_of(table[0])))

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """`metrics TARGET`, of several data sets `items TARGET` too: UPHELD's tables 9-11."""
        return metric_tables(
            self.figures,
            self.targets,
            self.trained_on,
            describe_figures(self.learners, self.trained_on, self.learnt_from, self.folds),
            simulated=self.simulated,
        )

    @property
    def missing(self) -> tuple[int, int]:
        """Values of metrics that rated items lack, and how many there would be."""
        lost = sum(
            int(np.isnan(metric.values).sum()) for data in self.sets for metric in data.columns
        )
        return lost, sum(len(data) * len(data.columns) for data in self.sets)

    @property
    def simulated(self) -> bool:
        """Whether any of the data are simulated."""
        return any(data.simulated for data in self.sets)


def place_of(table: str) -> int:
    """Return where a table stands: the best figures, metrics, all others."""
    return 0 if table == "best" else 1 if table.startswith(("metrics ", "items ")) else 2


def choose_best(
    figures: Sequence[MetricFigures], data: DataSet, target: str, train: str
) -> BestFigures:
    """Return the metric and the ensembles of a data set with the largest r on items.

    Args:
        train: name of the data set whose ensembles are applied to the others; "" for none.
    """
    on_items = [row for row in figures if row.unit == "items" and not np.isnan(r_of(row))]
    single = {metric.name for metric in data.metrics}
    metrics = [row for row in on_items if row.trained_on is None and row.metric in single]
    fitted = [row for row in on_items if row.trained_on is not None and row.metric != BEST]
    metric = max(metrics, key=lambda row: abs(r_of(row)), default=None)
    own = max((row for row in fitted if row.cross_validated), key=r_of, default=None)
    applied = max((row for row in fitted if row.trained_on == train), key=r_of, default=None)
    return BestFigures(
        target,
        data.label,
        None if metric is None else metric.metric,
        None if metric is None else metric.pearson,
        None if own is None else own.metric,
        None if own is None else own.pearson,
        None if applied is None else applied.metric,
        None if applied is None else applied.pearson,
    )


def r_of(row: MetricFigures) -> float:
    """Return Pearson's r of a row."""
    return row.pearson.estimate
