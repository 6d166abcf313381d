"""What to look at before preference data are used: turns, judges' agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.base.conversation import Pair, Preference
from assize.judgments.values import SIGN
from assize.results import Column, Estimate
from assize.simulate._dialogue_filters import exchanges
from assize.stats._agreement import raw_agreement
from assize.stats._coincidence import alpha


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How far the judges vote alike on the pairs.

    Args:
        alike: share of pairs of judges that agree, averaged over pairs of dialogues.
        alpha: Krippendorff's, nominal over A, B and tie.
        unanimous: pairs on which all judges who voted, two or more, say the same.
    """

    alike: Annotated[Estimate, Column("judges alike", "percent", digits=1, unit="%")]
    alpha: Estimate
    unanimous: int


def agreement_of(votes: Mapping[str, Mapping[str, Preference | None]]) -> list[JudgeAgreement]:
    """Of votes by judge and pair; none for fewer than two judges."""
    if len(votes) < 2:
        return []
    items = list(dict.fromkeys(item for answers in votes.values() for item in answers))
    cast = np.array(
        [[SIGN.get(str(answers.get(item)), np.nan) for item in items] for answers in votes.values()]
    ).reshape(len(votes), len(items))
    several = (~np.isnan(cast)).sum(axis=0) > 1
    same = sum(len(set(column[~np.isnan(column)])) == 1 for column in cast.T[several])
    return [JudgeAgreement(raw_agreement(cast), alpha(cast), same)]


@dataclass(frozen=True, slots=True)
class TurnCount:
    """How many pairs have a number of exchanges of user and assistant."""

    turns: int
    pairs: int


def turn_counts(pairs: Sequence[Pair]) -> list[TurnCount]:
    """Return the counts, fewest turns first."""
    counts = Counter(exchanges((*pair.context, *pair.a)) for pair in pairs)
    return [TurnCount(turns, number) for turns, number in sorted(counts.items())]
