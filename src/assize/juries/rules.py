"""How judges' decisions become a verdict: cascades and panels.

A cascade is decided by the first judge whose votes agree; a tie passes on to the next:

da ──tie──► maxim ──tie──► explained ──tie──► reward
 └─ A or B     └─ A or B       └─ A or B        └─ A, B or tie

Of a panel every judge is heard, and the heavier side wins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.judgments.values import FloatArray
from assize.juries.decisions import ANSWERS, MISSING, Decisions, Labels

BoolArray = NDArray[np.bool_]

IDENTICAL = "identical"
_EQUAL = 1e-9  # sums of equal weights may differ in their last bits


@dataclass(frozen=True)
class Verdicts:
    """What a jury of J judges came to on N items.

    Args:
        decisions: that the jury was told.
        values: (N,) 1 for A, 0 for a tie, -1 for B, NaN where nobody could judge.
        deciders: (N,) a judge, how a panel came to it, or `identical`; "" for nobody.
        reasons: (N,) why there is no answer, "" where there is one.
        read: (J, N) whether the jury looked at a judge's decision.
        weights: (N,) how strongly a panel is for its answer, in [0, 1], NaN where it was not
            asked or could not say; None for a cascade.
    """

    decisions: Decisions
    values: FloatArray
    deciders: Labels
    reasons: Labels
    read: BoolArray
    weights: FloatArray | None = None

    @property
    def answers(self) -> list[str | None]:
        """`A`, `B`, `tie`, or None, of each item."""
        return [ANSWERS.get(value) for value in self.values.tolist()]

    def tie_identical(self, same: BoolArray) -> Verdicts:
        """The verdicts with a tie, which nobody is asked about, where both responses are alike."""
        return replace(
            self,
            values=np.where(same, 0.0, self.values),
            deciders=np.where(same, IDENTICAL, self.deciders),
            reasons=np.where(same, "", self.reasons),
            read=self.read & ~same,
            weights=None if self.weights is None else np.where(same, np.nan, self.weights),
        )


def cascade(decisions: Decisions) -> Verdicts:
    """The first judge that decides, in the order of the rows.

    A tie or an unscored judge passes on. Where nobody decides the item is a tie if any judge came
    to a tie, and otherwise unscored with the last judge's reason.

    Source: AMULET (arXiv 2505.20451), section 4.3.
    """
    values = decisions.values  # (J, N)
    judges, items = np.arange(len(values)), np.arange(values.shape[1])
    decides = np.abs(values) == 1
    decided = decides.any(axis=0)
    last = np.where(decided, decides.argmax(axis=0), len(values) - 1)  # (N,) last judge read
    some_tie = (values == 0).any(axis=0)
    answers = np.where(decided, values[last, items], np.where(some_tie, 0.0, np.nan))
    names = np.array(decisions.judges, dtype=object)
    return Verdicts(
        decisions,
        answers,
        np.where(decided, names[last], ""),
        np.where(np.isnan(answers), decisions.reasons[last, items], ""),
        judges[:, None] <= last,
    )


def panel(decisions: Decisions, weights: Sequence[float]) -> Verdicts:
    """The heavier side, every judge being heard.

    A judge's tie counts for neither side, and an unscored judge is not counted. Sides of equal
    weight are a tie; an item that no judge could score is unscored. `weights` of the verdicts is
    the difference of the two sides over the weight of all scored judges. A verdict is `unanimous`
    where the whole panel says the same, by `all who answered` where not all of it is scored, by
    `majority` where its side has more than half of that weight, else by `plurality, ties aside`.

    Args:
        weights: above 0, one a judge; all 1 is the majority.

    Raises:
        ConfigError: a weight is not above 0.
    """
    if any(not weight > 0 for weight in weights):
        raise ConfigError(f"weights must be above 0; they are {list(weights)}")
    weight, scored = np.array(weights), ~np.isnan(decisions.values)
    lead = weight @ np.nan_to_num(decisions.values)
    total = weight @ scored
    strength = np.divide(np.abs(lead), total, out=np.zeros(len(lead)), where=total > 0)
    answers = np.where(strength < _EQUAL, 0.0, np.sign(lead))
    answers[~scored.any(axis=0)] = np.nan
    same = decisions.values == answers
    cases = [same.all(axis=0), (same | ~scored).all(axis=0), weight @ same > total / 2 + _EQUAL]
    how = np.select(cases, ["unanimous", "all who answered", "majority"], "plurality, ties aside")
    how = how.astype(object)
    how[np.abs(answers) != 1] = ""
    return weighted_verdicts(decisions, answers, how, np.where(answers == 0, 0.0, strength))


def weighted_verdicts(
    decisions: Decisions, values: FloatArray, how: Labels, weights: FloatArray
) -> Verdicts:
    """The verdicts of a jury that reads every judge; see `Verdicts`."""
    unscored = np.isnan(values)
    last = decisions.reasons[-1] if len(decisions.reasons) else MISSING
    return Verdicts(
        decisions,
        values,
        how,
        np.where(unscored, last, ""),
        np.ones(decisions.values.shape, dtype=bool),
        np.where(unscored, np.nan, weights),
    )
