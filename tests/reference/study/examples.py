"""Small data sets, made by hand or simulated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from tests.reference.study.simulate import Simulating, simulate

from assize.reference._ratings import Ratings
from assize.reference._study.data import Column, DataSet, Scale
from assize.reference._study.reading import data_sets, targets_of
from assize.reference._study.result import ReferenceStudy
from assize.reference._study.run import Settings, study
from assize.stats._arrays import FloatArray

NAN = float("nan")
FIVE = (1.0, 2.0, 3.0, 4.0, 5.0)
QUICK = Settings(learners=("linear",), permutations=200)
# the levels of agreement: twice perfect, a majority of four and of three, a plurality, no mode
ITEMS = (
    [1, 1, 1, 1, 1],
    [5, 5, 5, 5, 5],
    [2, 2, 2, 2, 3],
    [4, 4, 4, 1, 2],
    [5, 5, 1, 2, 3],
    [1, 1, 2, 2, 3],
)


def column(
    values: Sequence[float], scale: Scale = "number", answers: tuple[float, ...] = ()
) -> Column:
    return Column("metric", "Surface", scale, answers, np.array(values, float))


def ratings(*items: Sequence[float], answers: tuple[float, ...] = ()) -> Ratings:
    """From the ratings of each item; missing ones are the last raters'."""
    most = max(map(len, items))
    values = np.array([[*one, *[NAN] * (most - len(one))] for one in items], float).T
    highest = answers[-1] if answers else NAN
    return Ratings("content", values, answers, highest)


def data_of(
    rated: Ratings, *columns: Column, conversations: Sequence[str] | None = None
) -> DataSet:
    n = rated.values.shape[1]
    own = [f"c{at}" for at in range(n)] if conversations is None else list(conversations)
    return DataSet(
        name="all",
        items=[f"i{at}" for at in range(n)],
        conversations=np.array(own),
        sources=np.array(["x"] * n),
        columns=columns,
        ratings={rated.target: rated},
    )


LARGE = 200  # conversations, for what is known of many


@cache
def simulated(**changed: int) -> DataSet:
    """A simulated data set."""
    how = {"conversations": 40, "turns": 4, "seed": 3} | changed
    made = simulate(Simulating(**how))
    (found,) = data_sets(made.metrics, made.ratings, made.items, targets_of((), made.ratings), {})
    return found


@cache
def studied() -> ReferenceStudy:
    """A study of ten simulated conversations."""
    return study([simulated(conversations=10)], QUICK)


def correlated(n: int, share: float, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Two columns (n,) whose correlation is `share`."""
    x = rng.normal(size=n)
    return x, share * x + np.sqrt(1 - share**2) * rng.normal(size=n)
