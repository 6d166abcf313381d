"""A simulated pool as judgments give it: evaluations, labels and the set of criteria."""

from __future__ import annotations

import numpy as np
from tests.criteria.selection.planted import planted

from assize.criteria._criterion import CriteriaSet, Criterion
from assize.criteria._evaluations import Evaluations
from assize.formats.labels import Labels


def simulated(
    *, each: int = 40, criteria: int = 24, effect: float = 1.0
) -> tuple[CriteriaSet, Evaluations, Labels]:
    """As `planted`; criteria are `c0`, `c1` ..., conversations `i0`, `i1` ..."""
    pool, _ = planted(0, each=each, criteria=criteria, effect=effect)
    known = tuple(
        Criterion(f"c{at}", f"Statement {at}.", "sat" if sat else "dsat")
        for at, sat in enumerate(pool.sat)
    )
    items = [f"i{at}" for at in range(2 * each)]
    values = np.where(pool.sat, pool.scores, -pool.scores)
    labels = Labels("made", {name: bool(one) for name, one in zip(items, pool.good, strict=True)})
    return CriteriaSet("pool", known), Evaluations(items, known, values, 0), labels
