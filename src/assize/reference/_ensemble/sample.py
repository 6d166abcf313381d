"""Metrics beside what people said: the rows that an ensemble is fitted on, by conversation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assize.base.conversation import Continuation, Item
from assize.base.errors import DataError
from assize.judgments import JudgmentTable
from assize.reference._continuations.context import conversation_names
from assize.reference._ensemble.columns import MEAN, Columns
from assize.reference._ensemble.examples import Examples, weigh_corpora
from assize.reference._ensemble.targets import Targets
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies.splits import Mask, dealt

Missing = Literal["unscored", "impute"]

FEWEST = 20  # conversations that anything is learnt from
MOST_OF_AN_ITEM = 0.5  # of the metrics; an item that lacks more, as one without a reference, has
# no say in which metrics are left out
MOST_LACKING = 0.05  # of the other rated items; a metric that more are without is left out


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """N rated items with M metrics.

    Args:
        columns: (N, M); NaN where a metric does not apply, or a missing one is imputed.
        targets: (N,) what people said of the same items.
        groups: (N,) conversations, as numbers.
        left_out: columns that are not used, and why.
        unmatched, incomplete: rated items without metrics, and with some of them lacking.
    """

    columns: Columns
    targets: Targets
    groups: IntArray
    left_out: Mapping[str, str]
    unmatched: int = 0
    incomplete: int = 0

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def values(self) -> FloatArray:
        """(N, M)."""
        return self.columns.values

    @property
    def conversations(self) -> int:
        """How many."""
        return len(np.unique(self.groups))

    def examples(self, rows: IntArray, *, annotations: bool = False, seed: int = 0) -> Examples:
        """Some items as rows to fit on.

        Args:
            annotations: a row is one annotation rather than an item's mean, as in UPHELD.
        """
        targets = self.targets.take(rows)
        place, target = np.arange(len(rows)), targets.value
        if annotations:
            place, target = targets.annotations
        corpus, at = targets.source[place], rows[place]
        weights = weigh_corpora(targets.source)[place]
        return Examples(self.values[at], target, self.groups[at], corpus, weights, seed)

    def folds(self, count: int, seed: int) -> IntArray:
        """(N,) folds by conversation.

        Raises:
            DataError: there are fewer conversations than folds.
        """
        return dealt(self.groups.tolist(), count, np.random.default_rng([seed, 1]))


def sample_of(
    columns: Columns,
    targets: Targets,
    conversation: Mapping[str, str],
    *,
    missing: Missing = "unscored",
) -> Sample:
    """The rated items that have metrics, and the metrics that most of them have.

    Args:
        columns, targets: of any items, in any order.
        conversation: by item; an item that is not there is a conversation of its own.
        missing: `unscored` leaves out items without one of the metrics, `impute` keeps them;
            never those with a text that the encoder of a metric cannot read.

    Raises:
        DataError: there are fewer than 20 conversations with metrics and ratings, every metric is
            the same everywhere, or all items are rated alike.
    """
    known = set(columns.items)
    here = np.array([name in known for name in targets.items], dtype=bool)
    if not here.any():
        raise DataError(
            f"no rated item has metrics: rated are {_some(targets.items)}, and metrics are of"
            f" {_some(columns.items)}; give the metrics of the rated continuations"
        )
    rated = targets.take(np.flatnonzero(here))
    known_of = columns.of_items(rated.items)
    left_out = _unusable(known_of, known_of.lacking.mean(axis=1) <= MOST_OF_AN_ITEM)
    kept = [at for at, name in enumerate(columns.names) if name not in left_out]
    if not kept:
        reasons = Counter(left_out.values())
        listed = "; ".join(f"{n} columns: {why}" for why, n in reasons.items())
        raise DataError(f"no metric can be learnt from: {listed}")
    some = known_of.at(kept)
    lost = some.lacking.any(axis=1) if missing == "unscored" else some.lacking.all(axis=1)
    lost |= some.unread.any(axis=1)
    rows = np.flatnonzero(~lost)
    rated = rated.take(rows)
    groups = numbered(rated.items, conversation)
    count = len(np.unique(groups))
    if count < FEWEST:
        raise DataError(
            f"{len(rated):,} of {len(here):,} rated items have all metrics, in {count}"
            f" conversations; at least {FEWEST} conversations are needed: rate more, or score those"
            " that are rated (with missing metrics --missing impute may help)"
        )
    if np.ptp(rated.value) == 0:
        raise DataError("the items with metrics are all rated alike: nothing can be learnt")
    matrix = some.of_items(rated.items)
    return Sample(matrix, rated, groups, left_out, int((~here).sum()), int(lost.sum()))


def numbered(items: Iterable[str], conversation: Mapping[str, str]) -> IntArray:
    """(N,) a number for each item's conversation."""
    number: dict[tuple[str, str], int] = {}
    found = []
    for item in items:
        key = ("of", conversation[item]) if item in conversation else ("own", item)
        found.append(number.setdefault(key, len(number)))
    return np.array(found, dtype=np.int64)


def conversations_of(items: Iterable[Item]) -> dict[str, str]:
    """By continuation, its conversation; from the turns before it where it names none."""
    given = [one for one in items if isinstance(one, Continuation)]
    return {
        one.id: name
        for one, name in zip(given, conversation_names(given), strict=True)
        if one.context or one.conversation is not None
    }


def stored_conversations(metrics: JudgmentTable) -> dict[str, str]:
    """By continuation, the conversation that judgments by local metrics say it is of."""
    rows = metrics.filter(metrics.mentions("details", '"conversation"')).rows()
    return {row.item: str(row.details["conversation"]) for row in rows if row.details}


def _unusable(columns: Columns, among: Mask) -> dict[str, str]:
    """Columns that too many of some items lack, or that say the same everywhere."""
    if not among.any():
        among = np.ones(len(columns), dtype=bool)
    left_out = {}
    for column, name in enumerate(columns.names):
        lacking, values = columns.lacking[among, column], columns.values[among, column]
        best = columns.find(name.removesuffix(MEAN))[:1]
        if lacking.mean() > MOST_LACKING:
            left_out[name] = f"{lacking.sum():,} of {len(lacking):,} rated items are without it"
        elif np.isnan(values).all() or np.nanmin(values) == np.nanmax(values):
            left_out[name] = "it is the same everywhere"
        elif best not in ([], [column]) and np.array_equal(
            columns.values[:, best[0]], columns.values[:, column], equal_nan=True
        ):
            left_out[name] = "every item has the same by its best reference"
    return left_out


def _some(names: Iterable[str]) -> str:
    return ", ".join(list(names)[:3]) + ", ..."
