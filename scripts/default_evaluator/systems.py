"""Better systems predicted from worse ones: what a default meets that is older than the bots.

In each corpus whose systems are known, they are split by people's mean rating into a worse and a
better half. Heads learn from the worse halves of the other corpora (and all of those without
systems) and predict the better half of the one that is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from .carryover import Learner, rated
from .corpora import Corpora, Table
from .held_out import HeldOut
from .recipe import Dimension

LEFT_OUT = "corpus; better systems"


def better(table: Table, weights: Mapping[str, float]) -> NDArray[np.bool_] | None:
    """Which rows (N,) are of the better half of systems; None where there are not two.

    Of an odd number of systems the middle one is among the better.
    """
    systems = sorted(set(table.bots.tolist()) - {""})
    if len(systems) < 2:
        return None
    target = table.target(weights)
    means = {one: float(np.nanmean(target[table.bots == one])) for one in systems}
    order = sorted(systems, key=lambda one: means[one])
    return np.isin(table.bots, order[len(order) // 2 :])


def worse_halves(corpora: Corpora, dimension: Dimension) -> Corpora:
    """The corpora without the better half of their systems."""
    return replace(
        corpora,
        conversations={
            name: _worse(table, dimension.conversations.get(name))
            for name, table in corpora.conversations.items()
        },
        turns={
            name: _worse(table, dimension.turns.get(name)) for name, table in corpora.turns.items()
        },
    )


def _worse(table: Table, weights: Mapping[str, float] | None) -> Table:
    above = None if weights is None else better(table, weights)
    return table if above is None else table.take(~above)


def better_from_worse(dimension: Dimension, models: Mapping[str, Learner]) -> Iterator[HeldOut]:
    """Held-out predictions of the better systems of each corpus that has systems.

    Args:
        models: by name, see `carryover.learners`.
    """
    first = next(iter(models.values())).corpora
    weak = {
        model: replace(one, corpora=worse_halves(one.corpora, dimension))
        for model, one in models.items()
    }
    for level, wanted in (("conversation", dimension.conversations), ("turn", dimension.turns)):
        for name, weights in wanted.items():
            kept = better(_tables(first, level)[name], weights)
            if kept is None:
                continue
            fitted = {model: one.fit_without(dimension, name) for model, one in weak.items()}
            tables = {model: _tables(one.corpora, level)[name] for model, one in models.items()}
            yield rated(name, level, fitted, tables, weights, kept, LEFT_OUT)


def _tables(corpora: Corpora, level: str) -> Mapping[str, Table]:
    return corpora.conversations if level == "conversation" else corpora.turns
