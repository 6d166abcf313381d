"""Evaluators, stored judges and both together, measured on the same gold and tested in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Self

import numpy as np

from assize import stats
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE
from assize.evaluator._measuring.figures import FIGURES, average, figures_of
from assize.evaluator._measuring.said import Said, judges_in, said_by
from assize.evaluator._measuring.tasks import GOLD, Task
from assize.evaluator._measuring.together import together
from assize.judging.aspects import canonical
from assize.judgments import JudgmentTable
from assize.results import Column, Hidden
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.stats._ranks import midranks

PERMUTATIONS = 2_000


Figure = Estimate | None
"""None where it does not suit the task."""


@dataclass(frozen=True, slots=True, eq=False)
class MeasuredRow:
    """One evaluator, judge or aggregation on one task.

    Args:
        title: of the task, in words.
        said: its values; `head` is the question of its own that was compared, where that has
            another name.
        group: evaluators, judges, or several together.
        gold: who gave it: `gold`, `people` or `judges`.
        n, unscored: of the first figure.

    The other fields are figures: see `FIGURES`.
    """

    task: Task = field(repr=False)
    said: Said = field(repr=False)
    title: str
    benchmark: Hidden[str]
    question: Hidden[str]
    level: Hidden[str]
    judge: str
    head: str | None
    group: Hidden[str]
    gold: Hidden[str]
    n: int
    unscored: int
    pearson: Annotated[Figure, Column("Pearson", digits=2)] = None
    spearman: Annotated[Figure, Column("Spearman", digits=2)] = None
    with_tie: Annotated[Figure, Column("with ties", "percent", digits=1, unit="%")] = None
    without_tie: Annotated[Figure, Column("without ties", "percent", digits=1, unit="%")] = None
    kappa: Annotated[Figure, Column(digits=2)] = None

    @classmethod
    def of(cls, task: Task, said: Said) -> Self:
        """Every figure of one row that the task allows."""
        figures = figures_of(said, task)
        first = next(iter(figures.values()))
        other = said.answered.casefold() != task.question.casefold()
        return cls(
            task,
            said,
            f"{task.benchmark}: {task.question}, {task.level}",
            task.benchmark,
            task.question,
            task.level,
            said.name,
            said.answered if other and said.answered else None,
            said.group,
            task.source,
            first.n,
            first.unscored,
            **figures,
        )

    @property
    def figures(self) -> Mapping[str, Estimate]:
        """Those that suit the task, by name."""
        values = {name: getattr(self, name) for name in FIGURES}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Tested:
    """A row against the base on one figure of one task, on the units that both score.

    Args:
        title: of the task and figure, in words.
        figure: its name in `FIGURES`.
        difference: the row less the base.
        p_value: whether the two can be exchanged.
        p_holm: corrected over all rows of the task and figure.
    """

    title: str
    benchmark: Hidden[str]
    question: Hidden[str]
    level: Hidden[str]
    figure: Hidden[str]
    judge: str
    difference: Annotated[Estimate, Column(signed=True)]
    p_value: Annotated[float, Column("p", kind="p")]
    p_holm: Annotated[float, Column("p (Holm)", kind="p")]


@dataclass(frozen=True, slots=True)
class Averaged:
    """The mean accuracy over the dimensions of one benchmark, with ties."""

    benchmark: str
    judge: str
    accuracy: Estimate


def measure(
    tasks: Sequence[Task],
    evaluators: JudgmentTable | None,
    judges: JudgmentTable | None,
    *,
    gold: str = GOLD,
) -> list[MeasuredRow]:
    """All figures of all who said anything, task by task: evaluators, judges, judges together.

    Args:
        tasks: see `tasks_of`.
        evaluators: what evaluators scored, under their names; None for none.
        judges: stored judgments; gold and people among them are passed over.
        gold: judge whose answers count as true.

    A row that says nothing of a task is absent there.
    """
    empty = JudgmentTable.of([])
    own, others = (canonical(empty if part is None else part) for part in (evaluators, judges))
    names = [name for name in judges_in(others, gold) if name not in own.judges]
    rows = []
    for task in tasks:
        mine = [said_by(own, task, name, "evaluators") for name in own.judges]
        stored = [said_by(others, task, name, "judges") for name in names]
        stored = [said for said in stored if said.there and task.source != "judges"]
        for said in (*mine, *stored, *together(task, stored)):
            if said.answered or said.there:
                rows.append(MeasuredRow.of(task, said))
    return rows


def averages(rows: Sequence[MeasuredRow]) -> list[Averaged]:
    """Of every row that answers two dimensions or more the mean over them."""
    parts: dict[tuple[str, str], list[tuple[Said, Task]]] = {}
    for row in rows:
        if row.task.paired and row.task.question != PREFERENCE.id:
            parts.setdefault((row.task.benchmark, row.said.name), []).append((row.said, row.task))
    return [
        Averaged(benchmark, name, average(some))
        for (benchmark, name), some in parts.items()
        if len(some) > 1
    ]


def against(
    rows: Sequence[MeasuredRow],
    base: str | None = None,
    *,
    permutations: int = PERMUTATIONS,
    seed: int = 0,
) -> list[Tested]:
    """Every row against one, on each figure of each task that is about the whole.

    Args:
        base: the row that others are compared with; the first when None.
        permutations, seed: of the tests, see `assize.stats._compare`.

    Raises:
        ConfigError: there is no row of that name, or none at all.
    """
    names = list(dict.fromkeys(row.said.name for row in rows))
    if not names:
        raise ConfigError(
            "nothing could be measured: no evaluator or judge has an answer where there is gold;"
            " give judgments of these items, with the same ids of items and names of questions"
        )
    chosen = names[0] if base is None else base
    if chosen not in names:
        raise ConfigError(f"no row {chosen!r} to compare with; there are {', '.join(names)}")
    tests = []
    for task in dict.fromkeys(row.task for row in rows if row.task.overall):
        mine = [row for row in rows if row.task is task]
        own = next((row for row in mine if row.said.name == chosen), None)
        others = [row for row in mine if row is not own and row.said.there]
        if own is None or not others:
            continue
        for name in own.figures:
            figure = FIGURES[name]
            second, truth = figure.columns(own.said, task)
            compared = [
                stats.compare(
                    *on_one_scale(figure.columns(row.said, task)[0], second, truth, figure.test),
                    truth,
                    measure=figure.test,
                    clusters=task.clusters,
                    permutations=permutations,
                    rng=np.random.default_rng([seed, 15]),
                )
                for row in others
            ]
            corrected = stats.adjust([one.test.p_value for one in compared])
            title = f"{own.title}, {figure.title}"
            about = (title, task.benchmark, task.question, task.level, name)
            tests += [
                Tested(*about, row.judge, one.difference, one.test.p_value, p)
                for row, one, p in zip(others, compared, corrected, strict=True)
            ]
    return tests


def on_one_scale(
    first: FloatArray, second: FloatArray, truth: FloatArray, measure: str
) -> tuple[FloatArray, FloatArray]:
    """Two columns on one scale: the test exchanges their values, and a rating from 1 to 5 cannot
    stand for a score from 0 to 1. Neither correlation changes by it."""
    if measure not in ("pearson", "spearman"):
        return first, second
    both = ~(np.isnan(first) | np.isnan(second) | np.isnan(truth))
    columns = np.full((2, len(first)), np.nan)
    for column, values in zip(columns, (first[both], second[both]), strict=True):
        if measure == "spearman":
            column[both] = midranks(values)
        elif len(values):
            column[both] = ((values - values.mean()) / (values.std() or 1.0)).round(12)
    return columns[0], columns[1]
