"""Two sources on the same places: every metric of each, and the change, by conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from assize import stats
from assize.base.conversation import Continuation
from assize.reference._continuations.tuning.generating import CUT_OFF, UNSCORED
from assize.reference._metrics.measure import Measured
from assize.reference._metrics.table import MEAN, METRICS
from assize.results import Column, Hidden, Result, Table
from assize.results.numbers import counted
from assize.stats import Estimate


@dataclass(frozen=True, slots=True)
class Change:
    """One metric before and after.

    Args:
        base, tuned: means over the places that both were scored on.
        change: mean of tuned less base, with the jackknife's interval over conversations.
        p: signs of the changes flipped conversation by conversation.
        p_holm: corrected for all metrics (Holm).
        higher: "better" where a higher value is closer to the reference.
    """

    metric: str
    base: Annotated[Estimate, Column(ends="none")]
    tuned: Annotated[Estimate, Column(ends="none")]
    change: Annotated[Estimate, Column(signed=True)]
    p: Annotated[float, Column(kind="p", extra=True)]
    p_holm: Annotated[float, Column("p (Holm)", "p")]
    higher: Hidden[str | None]


@dataclass(frozen=True, slots=True)
class AnswerCount:
    """How many answers a model gave, how often none, and how many were cut off."""

    model: str
    answers: int
    none: int
    cut_off: int


@dataclass(frozen=True, slots=True)
class Tuned(Result):
    """What tuning changed, on places that were not tuned on.

    Args:
        continuations: what both models said, `source` being base or tuned.
        left_out: places that stand in what was tuned on, or in conversations of it; None where
            that was not given.
    """

    base: str
    tuned: str
    continuations: Sequence[Continuation] = field(repr=False)
    changes: Annotated[Sequence[Change], Table("Metrics of held-out turns, before and after")]
    answers: Annotated[Sequence[AnswerCount], Table("Answers")]
    conversations: int
    left_out: Hidden[int | None]
    out: str | None
    signature: str

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Which metrics are neither better high nor low."""
        neither = ", ".join(row.metric for row in self.changes if row.higher is None)
        return {"changes": [f"Of {neither} neither side is the better one."] if neither else []}

    @property
    def missing(self) -> tuple[int, int]:
        """Places in which a model said nothing, of all answers that were asked for."""
        return sum(row.none for row in self.answers), len(self.continuations)

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know."""
        notes = []
        if self.left_out is None:
            notes.append("what was tuned on is not known: name it, so that nothing of it is tested")
        elif self.left_out:
            notes.append(f"{counted(self.left_out, 'place')} of what was tuned on left out")
        return notes if self.out is None else [*notes, f"{self.out}: what both said"]


def count_answers(continuations: Sequence[Continuation], source: str, model: str) -> AnswerCount:
    """Return how the answers of one model ended."""
    own = [row.metadata for row in continuations if row.source == source]
    none = sum(UNSCORED in metadata for metadata in own)
    cut_off = sum(CUT_OFF in metadata for metadata in own)
    return AnswerCount(model, len(own) - none, none, cut_off)


def changes(
    before: Measured,
    after: Measured,
    conversations: Sequence[str],
    *,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> list[Change]:
    """Every metric before and after, paired by place; conversations are the independent units.

    Args:
        before, after: the same metrics of the same N places, in one order; of several references
            the best counts, and columns of their mean are left out.
        conversations: (N,) of each place.
        permutations, rng: of the tests, which share their flips.

    Returns:
        One a metric, in their order; NaN where too few places were scored on both sides.
    """
    kept = [at for at, name in enumerate(before.names) if not name.endswith(MEAN)]
    values = [one.values[:, kept] for one in (before, after)]
    gaps = values[1] - values[0]
    tests = stats.sign_flips(gaps, clusters=conversations, permutations=permutations, rng=rng)
    holm = stats.adjust([one.p_value for one in tests])
    both = ~np.isnan(gaps)
    rows = []
    for column, name in enumerate(before.names[index] for index in kept):
        first, second = (
            stats.mean(np.where(both[:, column], side[:, column], np.nan), clusters=conversations)
            for side in values
        )
        change = stats.mean(gaps[:, column], clusters=conversations)
        higher = METRICS[name].higher if name in METRICS else None
        p_value = tests[column].p_value
        rows.append(Change(name, first, second, change, p_value, holm[column], higher))
    return rows
