"""What to look at before preference data are used: turns, judges' agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.conversation import Pair, Preference
from assize.results.types import Estimate
from assize.simulate._dialogue_filters import exchanges
from assize.stats._agreement import raw_agreement
from assize.stats._coincidence import alpha

_CODES: Mapping[str | None, float] = {"A": 1.0, "tie": 0.0, "B": -1.0, None: float("nan")}


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far the judges vote alike on the pairs.

    Args:
        alike: share of pairs of judges that agree, averaged over pairs of dialogues.
        alpha: Krippendorff's, nominal over A, B and tie.
        unanimous: pairs on which all judges who voted, two or more, say the same.
    """

    alike: Estimate
    alpha: Estimate
    unanimous: int


def agreement_of(votes: Mapping[str, Mapping[str, Preference | None]]) -> Agreement | None:
    """Of votes by judge and pair; None for fewer than two judges."""
    if len(votes) < 2:
        return None
    items = list(dict.fromkeys(item for said in votes.values() for item in said))
    cast = np.array([[_CODES[said.get(one)] for one in items] for said in votes.values()])
    cast = cast.reshape(len(votes), len(items))
    several = (~np.isnan(cast)).sum(axis=0) > 1
    same = sum(len(set(one[~np.isnan(one)])) == 1 for one in cast.T[several])
    return Agreement(raw_agreement(cast), alpha(cast), same)


@dataclass(frozen=True, slots=True)
class TurnCount:
    """How many pairs have a number of exchanges of user and assistant."""

    turns: int
    pairs: int


def turn_counts(pairs: Sequence[Pair]) -> list[TurnCount]:
    """Return the counts, fewest turns first."""
    counts = Counter(exchanges((*pair.context, *pair.a)) for pair in pairs)
    return [TurnCount(turns, number) for turns, number in sorted(counts.items())]
