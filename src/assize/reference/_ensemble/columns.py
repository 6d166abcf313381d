"""Judgments of metrics and judges as a matrix: a row a continuation, a column a metric.

A column is a judge and one of its questions, written `judge:question` without the judge's model:
`metrics:cosine`, `equivalence:equivalence`. Where two models of one judge have answered, each is a
column of its own under its full name, `equivalence@openai:gpt-4o:equivalence`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.encoders import UNREADABLE
from assize.judgments import JudgmentTable
from assize.judgments.values import not_applicable, numbers
from assize.results.log import log
from assize.results.numbers import name_some
from assize.stats._arrays import FloatArray
from assize.stats._studies.splits import Mask

LEARNT = "ensemble"  # judges that are ensembles themselves, and no column of one
MEAN = "-mean"  # of a local metric's name, for its mean over several references
LOCAL = "metrics"  # the judge of all local metrics, whatever its preset and encoder

PAPER: tuple[str, ...] = (
    "metrics:cosine",
    "metrics:bertscore-precision",
    "metrics:bertscore-recall",
    "metrics:bertscore-f1",
    "metrics:rouge1-recall",
    "metrics:rouge2-recall",
    "metrics:rougel-recall",
    "metrics:rougelsum-recall",
    "equivalent:*",
    "natural-explained:*",
    "equivalence:*",
    "equivalence-explained:*",
)
"""The 12 metrics of UPHELD's ensembles (tables 9 and 10); its formulas of ROUGE are recall."""


class Source(NamedTuple):
    """Whose answers to which question a column holds."""

    judge: str  # in full, with its model
    question: str

    @property
    def base(self) -> str:
        """The judge without its model; of the local metrics without their preset, too."""
        name = self.judge.partition("@")[0]
        return LOCAL if name.partition("/")[0] == LOCAL else name


class Measured(NamedTuple):
    """How a judge of local metrics measured: its signature, and which metrics it was asked for."""

    signature: str
    metrics: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What metrics and judges say of N items.

    Args:
        items: (N,) ids, in order of appearance.
        names: (M,) `judge:question`.
        sources: (M,) the judges in full.
        values: (N, M) numbers as `judgments.values` has them, the mean of repeats; NaN where
            there is none.
        lacking: (N, M) where a number should be and is not: unscored, or never measured. A metric
            that was answered NA, as it does not apply, lacks nothing.
        unread: (N, M) where a number is lacking because the encoder cannot read a text.
        measured: how each judge of local metrics measured; one whose answers are unsigned, or
            signed in several ways, is left out.
    """

    items: tuple[str, ...]
    names: tuple[str, ...]
    sources: tuple[Source, ...]
    values: FloatArray
    lacking: Mask
    unread: Mask
    measured: Mapping[str, Measured] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.items)

    @classmethod
    def of(cls, table: JudgmentTable, *, learnt: bool = False) -> Columns:
        """Every judge and question of a table, but people's answers and preferences.

        Args:
            table: the judgments.
            learnt: ensembles are columns, too; for comparing them, never for fitting one.

        Raises:
            DataError: nothing is left.
        """
        kept = table.where(kind=("metric", "model", "evaluator", None), turn=None)
        if not learnt:
            kept = kept.where(judge=[one for one in kept.judges if not one.startswith(LEARNT)])
        asked = [
            one for one in kept.asked if table.questions[one].kind not in ("preference", "text")
        ]
        if not len(kept) or not asked:
            raise DataError(
                "no judgment here is by a metric or a model: give what assize reference score"
                " has written"
            )
        items = tuple(item for item, _ in kept.units()[1])
        row_of = {item: row for row, item in enumerate(items)}
        columns = {}
        for name in asked:
            of_question = kept.where(question=name)
            for judge in of_question.judges:
                rows = of_question.where(judge=judge)
                columns[Source(judge, name)] = read_column(rows, table.questions[name], row_of)
        sources = tuple(columns)
        values, applies, unread = map(np.column_stack, zip(*columns.values(), strict=True))
        for column, source in enumerate(sources):
            best = source._replace(question=source.question.removesuffix(MEAN))
            if source.base == LOCAL and best != source and best in columns:
                # A mean over references is the metric itself where a continuation has only one.
                alone, other = np.isnan(values[:, column]) & applies[:, column], sources.index(best)
                values[alone, column] = values[alone, other]
                applies[alone, column] = applies[alone, other]
        lacking = np.isnan(values) & applies
        measured = _measured(kept, sources)
        return cls(items, named(sources), sources, values, lacking, unread & lacking, measured)

    @classmethod
    def blank(cls, items: Sequence[str]) -> Columns:
        """Items of which nothing was measured."""
        empty = np.empty((len(items), 0))
        return cls(tuple(items), (), (), empty, empty.astype(bool), empty.astype(bool))

    def of_items(self, items: Sequence[str]) -> Columns:
        """The rows of some items, in this order; all is lacking where nothing is known of one."""
        place = {name: index for index, name in enumerate(self.items)}
        rows = [place.get(name, -1) for name in items]
        return replace(self, items=tuple(items), **self._parts(rows, 0))

    def at(self, columns: Sequence[int]) -> Columns:
        """Some of the columns, by their places."""
        names = tuple(self.names[column] for column in columns)
        sources = tuple(self.sources[column] for column in columns)
        return replace(self, names=names, sources=sources, **self._parts(columns, 1))

    def _parts(self, places: Sequence[int], axis: int) -> dict[str, Any]:
        """The matrices at some places of an axis; at -1 nothing is known."""
        index = np.array(places, dtype=np.int64)
        ends = [(0, 1 - axis), (0, axis)]
        unknown = {"values": np.nan, "lacking": True, "unread": False}
        return {
            name: np.pad(getattr(self, name), ends, constant_values=value).take(index, axis)
            for name, value in unknown.items()
        }

    def take(self, names: Sequence[str]) -> Columns:
        """Some of the columns, in this order; `judge:*` is every question of a judge.

        Raises:
            ConfigError: there is none of a name.
        """
        places: list[int] = []
        for name in names:
            if not self.find(name):
                raise ConfigError(f"no column {name!r}; there are {', '.join(self.names)}")
            places += self.find(name)
        return self.at(places)

    def find(self, name: str) -> list[int]:
        """The places of a column, or of all that `judge:*` means; [] where there is none."""
        if not name.endswith(":*"):
            return [index for index, known in enumerate(self.names) if known == name]
        judge = name.removesuffix(":*")
        return [
            index
            for index, source in enumerate(self.sources)
            if judge in (source.base, source.judge)
        ]

    def matching(
        self, names: Sequence[str], sources: Sequence[Source], *, lenient: bool = False
    ) -> Columns:
        """The columns that were fitted on, in their order, each by the judge that it was fitted on.

        Another model of that judge, and another encoder's metrics, will not do: their numbers
        are on another scale. Of one reference the best is the mean.

        Args:
            lenient: a column that is not there is lacking.

        Raises:
            DataError: a column is not there.
        """
        places = [self._place(source) for source in sources]
        if -1 in places and not lenient:
            missing = places.index(-1)
            by = sources[missing].judge
            there = [f"{one.question} by {one.judge}" for one in self.sources]
            raise DataError(
                f"the ensemble reads {names[missing]} by {by}, and there are {name_some(there)};"
                f" score the items with --judge {by}"
            )
        parts = self._parts(places, 1)
        return replace(self, names=tuple(names), sources=tuple(sources), **parts)

    def _place(self, wanted: Source) -> int:
        """The place of a column, -1 for none."""
        for index, source in enumerate(self.sources):
            if source.question == wanted.question and measured_alike(source.judge, wanted.judge):
                return index
        best = wanted._replace(question=wanted.question.removesuffix(MEAN))
        return self._place(best) if wanted.base == LOCAL and best != wanted else -1


def of_paper(known: Columns) -> list[str]:
    """The columns of UPHELD's 12 metrics that are there, as `Columns.take` reads them; the log
    names the others.

    Raises:
        ConfigError: there are none.
    """
    absent = [name for name in PAPER if not known.find(name)]
    if len(absent) == len(PAPER):
        raise ConfigError(
            f"none of the paper's metrics is here; there are {', '.join(known.names)}"
        )
    if absent:
        log.warning("of the paper's 12 metrics there are none of %s", ", ".join(absent))
    return [name for name in PAPER if known.find(name)]


def named(sources: Sequence[Source]) -> tuple[str, ...]:
    """The names of columns: without the model wherever one alone has answered.

    >>> named([Source("metrics", "cosine"), Source("rate@a:x", "q"), Source("rate@a:y", "q")])
    ('metrics:cosine', 'rate@a:x:q', 'rate@a:y:q')
    """
    judges: dict[str, set[str]] = {}
    for one in sources:
        judges.setdefault(one.base, set()).add(one.judge)
    return tuple(
        f"{one.base if len(judges[one.base]) == 1 else one.judge}:{one.question}" for one in sources
    )


def measured_alike(judge: str, wanted: str) -> bool:
    """Whether a judge is the one that is wanted, or measures as it does.

    The preset of the paper names its encoder; what stands behind an @ is a copy of it.

    >>> measured_alike("metrics@minilm", "metrics"), measured_alike("rate@a:x", "rate@a:y")
    (True, False)
    """
    (name, _, encoder), (other, _, asked) = judge.partition("@"), wanted.partition("@")
    if judge == wanted or name != other or name.partition("/")[0] != LOCAL:
        return judge == wanted
    return "/" in name or (encoder or "minilm") == (asked or "minilm")


def read_column(
    rows: JudgmentTable, question: Question, row_of: Mapping[str, int]
) -> tuple[FloatArray, Mask, Mask]:
    """Of one judge's answers to a question (N,): their mean for each item, whether one was due,
    and whether there is none because the encoder cannot read a text."""
    codes, names = rows.codes("item")
    item = np.array([row_of[name] for name in names], dtype=np.int64)[codes]
    value = numbers(rows, question)
    scored = ~np.isnan(value)
    sums = np.bincount(item[scored], value[scored], len(row_of))
    counts = np.bincount(item[scored], minlength=len(row_of))
    due, unread = np.ones(len(row_of), dtype=bool), np.zeros(len(row_of), dtype=bool)
    due[item[not_applicable(rows)]] = False
    for judgment in rows.filter(rows.present("unscored")):
        if judgment.unscored is not None and judgment.unscored.reason == UNREADABLE:
            unread[row_of[judgment.item]] = True
    return np.where(counts > 0, sums / np.maximum(counts, 1), np.nan), due, unread


def _measured(table: JudgmentTable, sources: Sequence[Source]) -> dict[str, Measured]:
    found = {}
    for judge in dict.fromkeys(one.judge for one in sources if one.base == LOCAL):
        code, names = table.where(judge=judge).codes("signature")
        different = set(code.tolist())
        if len(different) == 1 and -1 not in different:
            own = (one.question.removesuffix(MEAN) for one in sources if one.judge == judge)
            found[judge] = Measured(names[different.pop()], tuple(dict.fromkeys(own)))
    return found
