"""Conversations that belong together, such as those of one user."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Item
from assize.judgments.item_fields import cluster_labels, facts_of

ALONE = "item"  # the field that says that each conversation stands alone


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which conversations stay together in folds, halves and resamples.

    Args:
        field: of the conversations, that says it.
        of: its value by conversation.
    """

    field: str
    of: Mapping[str, str]

    def labels(self, items: Sequence[str]) -> NDArray[Any]:
        """(N,) the cluster of each conversation."""
        return np.array([self.of[one] for one in items])

    def line(self, items: Sequence[str]) -> str:
        """How many clusters there are, for a reader.

        >>> Clusters("user", {"a": "ann", "b": "ann"}).line(["a", "b"])
        '2 conversations of 1 clusters by user, which stay together in folds and resamples'
        """
        count = len({self.of[one] for one in items})
        whole = f"{len(items):,} conversations of {count:,} clusters by {self.field}"
        return f"{whole}, which stay together in folds and resamples"


def clusters_of(items: Iterable[Item], field: str, wanted: Sequence[str]) -> Clusters | None:
    """The clusters of some conversations; None where each stands alone.

    Args:
        items: the conversations.
        field: of the record or its metadata; `item` for none.
        wanted: ids of those that must have one.

    Raises:
        DataError: a wanted one is not among the items, or lacks the field.
    """
    if field == ALONE:
        return None
    found = cluster_labels(wanted, facts_of(items), field)
    return Clusters(field, dict(zip(wanted, found, strict=True)))
