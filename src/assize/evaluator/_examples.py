"""Items as what an evaluator can read of them: views by item and turn, sides by pair, groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.conversation import Conversation, Item, Pair
from assize.base.judgment import Unscored
from assize.encoders import Encoder
from assize.evaluator._features.featuriser import Featuriser, readable
from assize.evaluator._features.views import View, main_views, turn_views
from assize.judgments import Unit
from assize.stats._arrays import IntArray


@dataclass(frozen=True, slots=True)
class ItemViews:
    """What can be read of items.

    Args:
        views: of conversations and responses by (item, None), of assistant turns by (item, turn).
        sides: A and B by pair.
        unread: by pair, why one of its sides cannot be read.
    """

    views: Mapping[Unit, View]
    sides: Mapping[str, Sequence[View]]
    unread: Mapping[str, Unscored]


def read_views(
    items: Iterable[Item], encoder: Encoder, featuriser: Featuriser, *, turns: bool = True
) -> ItemViews:
    """Return the views that have features.

    Args:
        turns: also of every assistant turn of conversations.
    """
    views: dict[Unit, View] = {}
    sides: dict[str, Sequence[View]] = {}
    unread: dict[str, Unscored] = {}
    for item in items:
        parts = [readable(view, encoder, featuriser) for view in main_views(item)]
        whole = [part for part in parts if isinstance(part, View)]
        if isinstance(item, Pair):
            if len(whole) == len(parts):
                sides[item.id] = whole
            else:
                unread[item.id] = next(part for part in parts if isinstance(part, Unscored))
            continue
        if whole:
            views[item.id, None] = whole[0]
        if turns and isinstance(item, Conversation):
            for turn, part in turn_views(item):
                view = readable(part, encoder, featuriser)
                if isinstance(view, View):
                    views[item.id, turn] = view
    return ItemViews(views, sides, unread)


def joined_by(keys: Sequence[Iterable[object]]) -> IntArray:
    """(N,) a number a group, from 0 in order of appearance: rows that share a key are in one, also
    by way of others.

    >>> joined_by([["x"], ["y"], ["x", "z"], ["z"]]).tolist()
    [0, 1, 0, 0]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    places: dict[object, int] = {}
    edges = [
        (row, len(keys) + places.setdefault(key, len(places)))
        for row, own in enumerate(keys)
        for key in own
    ]
    size = len(keys) + len(places)
    rows, others = np.array(edges, np.intp).reshape(-1, 2).T
    graph = coo_array((np.ones(len(rows)), (rows, others)), shape=(size, size))
    groups = connected_components(graph, directed=False)[1][: len(keys)]
    return np.asarray(groups, dtype=np.int64)
