"""Balancing pairs by label: which to leave out, for 40 A, 40 B, 20 ties."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from math import floor

import numpy as np

from assize.base.conversation import PREFERENCES, Preference
from assize.base.errors import ConfigError, DataError


@dataclass(frozen=True, slots=True)
class Balanced:
    """Which pairs stay.

    Args:
        kept: ids, in the order of the labels that were given.
        left_out: pairs that go, by label.
    """

    kept: tuple[str, ...]
    left_out: Mapping[str, int]


def shares_of(text: str) -> tuple[float, float, float]:
    """Shares of A, B and ties that a text names, as parts of 1.

    >>> shares_of("40/40/20")
    (0.4, 0.4, 0.2)
    """
    try:
        found = [float(one) for one in text.replace(":", "/").split("/")]
    except ValueError:
        found = []
    if len(found) != 3 or min(found) < 0 or not 0 < sum(found) < float("inf"):
        raise ConfigError(
            f"balance {text!r}: give the shares of A, B and ties, as 40/40/20; they may not be"
            " negative, nor all zero"
        )
    total = sum(found)
    return found[0] / total, found[1] / total, found[2] / total


def balanced(
    labels: Mapping[str, Preference],
    shares: tuple[float, float, float],
    rng: np.random.Generator,
) -> Balanced:
    """As many pairs as there can be with these shares, the others drawn at random.

    Args:
        labels: by pair, A, B or tie.
        shares: of A, B and ties; they sum to 1.
        rng: draws who goes.

    Raises:
        DataError: a label that should have a share has no pair, so nothing can be kept.

    Source: MTDEval, appendix A.2: 40% A, 40% B, 20% Fair; how pairs were chosen is not said.
    """
    by = {label: [one for one, found in labels.items() if found == label] for label in PREFERENCES}
    want = dict(zip(("A", "B", "tie"), shares, strict=True))
    sizes = _sizes({label: len(ids) for label, ids in by.items()}, want)
    if not sum(sizes.values()):
        had = ", ".join(f"{len(ids)} {label}" for label, ids in by.items())
        raise DataError(f"no pairs can have these shares: there are {had}", source="labels")
    drawn = {label: [ids[at] for at in rng.permutation(len(ids))] for label, ids in by.items()}
    chosen = {one for label in by for one in drawn[label][: sizes[label]]}
    gone = Counter(label for one, label in labels.items() if one not in chosen)
    return Balanced(
        tuple(one for one in labels if one in chosen),
        {label: gone[label] for label in PREFERENCES},
    )


def _sizes(there: Mapping[str, int], want: Mapping[str, float]) -> dict[str, int]:
    """How many of each label: the most in all that keep the shares, rounded down each."""
    total = min((there[label] / share for label, share in want.items() if share > 0), default=0.0)
    return {label: floor(total * share + 1e-9) for label, share in want.items()}
