"""Two sources on the same places: every metric of each, and the change, by conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize import stats
from assize.conversation import Continuation
from assize.reference.data.tuning.generating import CUT_OFF, UNSCORED
from assize.reference.metrics.measure import Measured
from assize.reference.metrics.table import MEAN, METRICS
from assize.results import Column, Result, ResultTable, columns
from assize.results.numbers import counted
from assize.stats import Estimate, Test
from assize.stats.estimate import nullable


@dataclass(frozen=True, slots=True)
class Change:
    """One metric before and after.

    Args:
        before, after: means over the places that both were scored on.
        change: mean of after less before, with the jackknife's interval over conversations.
        test: signs of the changes flipped conversation by conversation.
        p_holm: its p-value, corrected for all metrics (Holm).
        higher: "better" where a higher value is closer to the reference.
    """

    metric: str
    before: Estimate
    after: Estimate
    change: Estimate
    test: Test
    p_holm: float
    higher: str | None

    def to_json(self) -> dict[str, Any]:
        """As it stands in `--json`."""
        return {
            "metric": self.metric,
            "before": self.before.to_json(),
            "after": self.after.to_json(),
            "change": self.change.to_json(),
            "p": nullable(self.test.p_value),
            "p_holm": nullable(self.p_holm),
            "higher": self.higher,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Tuned(Result):
    """What tuning changed, on places that were not tuned on.

    Args:
        base, tuned: the models.
        continuations: what both said, `source` being base or tuned.
        changes: by metric.
        conversations: how many there are.
        left_out: places that stand in what was tuned on, or in conversations of it; None where
            that was not given.
    """

    base: str
    tuned: str
    continuations: Sequence[Continuation]
    changes: Sequence[Change]
    conversations: int
    left_out: int | None
    out: str | None
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`changes` by metric, and `answers` of each model."""
        named = [Column("metric"), *columns("number", "base", "tuned")]
        named += [Column("change", "number", ends="below", signed=True)]
        named += [*columns("p", "p (Holm)"), *columns("count", "n", "unscored")]
        rows = [
            (
                one.metric,
                one.before.estimate,
                one.after.estimate,
                one.change,
                one.p_holm,
                one.change.n,
                one.change.unscored,
            )
            for one in self.changes
        ]
        title = f"{self.conversations} conversations that were held out"
        neither = [one.metric for one in self.changes if one.higher is None]
        note = [f"Of {', '.join(neither)} neither side is the better one."] if neither else []
        found = {"changes": ResultTable(title, named, rows, note)}
        named = [Column("model"), *columns("count", "answers", "none", "cut off")]
        told = [
            (name, *_answers(self.continuations, source))
            for source, name in (("base", self.base), ("tuned", self.tuned))
        ]
        return found | {"answers": ResultTable("Answers", named, told)}

    @property
    def missing(self) -> tuple[int, int]:
        """Places in which a model said nothing, of all answers that were asked for."""
        return sum(UNSCORED in one.metadata for one in self.continuations), len(self.continuations)

    @property
    def lines(self) -> Sequence[str]:
        """What makes the figures reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know."""
        said = []
        if self.left_out is None:
            said.append("what was tuned on is not known: name it, so that nothing of it is tested")
        elif self.left_out:
            said.append(f"{counted(self.left_out, 'place')} of what was tuned on left out")
        return said if self.out is None else [*said, f"{self.out}: what both said"]

    def to_json(self) -> dict[str, Any]:
        """Changes by metric."""
        return {
            "base": self.base,
            "tuned": self.tuned,
            "conversations": self.conversations,
            "left_out": self.left_out,
            "answers": {
                source: dict(
                    zip(
                        ("answers", "none", "cut_off"),
                        _answers(self.continuations, source),
                        strict=True,
                    )
                )
                for source in ("base", "tuned")
            },
            "changes": [one.to_json() for one in self.changes],
            "out": self.out,
            "notes": list(self.notes),
            "signature": self.signature,
        }


def _answers(continuations: Sequence[Continuation], source: str) -> tuple[int, int, int]:
    """How many answers a model gave, how often none, and how many were cut off."""
    of = [one for one in continuations if one.source == source]
    none = sum(UNSCORED in one.metadata for one in of)
    return len(of) - none, none, sum(CUT_OFF in one.metadata for one in of)


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
    holm = stats.holm([one.p_value for one in tests]).tolist()
    both = ~np.isnan(gaps)
    found = []
    for at, name in enumerate(before.names[place] for place in kept):
        first, second = (
            stats.mean(np.where(both[:, at], one[:, at], np.nan), clusters=conversations)
            for one in values
        )
        change = stats.mean(gaps[:, at], clusters=conversations)
        known = METRICS.get(name)
        higher = None if known is None else known.higher
        found.append(Change(name, first, second, change, tests[at], holm[at], higher))
    return found
