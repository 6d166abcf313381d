"""Deduplicating: criteria that mean the same become one, which remembers the others.

An encoder puts look-alikes together, and the model decides which of them mean the same.

Source: RUBICON, section 3.2.2 (semantic deduplication by a prompt). Differs: the paper names no
embeddings; here groups of look-alikes are shown, by average linkage of cosine distance and of at
most 20, for a pool of hundreds is too much to compare at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from assize.base.errors import AnswerError
from assize.criteria._criterion import Criterion, Polarity
from assize.criteria._learning.summarise import merge
from assize.encoders import Encoder, find_unreadable
from assize.judging.calls import Call, number, numbers, within
from assize.judging.method import JSON
from assize.judging.schemas import record

PROMPT = "criteria-deduplicate"
LARGEST = 20  # criteria that are compared at once


def look_alikes(
    criteria: Sequence[Criterion], encoder: Encoder, similarity: float
) -> list[tuple[Criterion, ...]]:
    """Groups of at least two criteria that are alike, each criterion in one of them at most.

    A criterion that the encoder cannot read is like no other.

    Args:
        similarity: mean cosine from which criteria stand in one group.
    """
    unread = find_unreadable(encoder, [criterion.text for criterion in criteria])
    criteria = [item for index, item in enumerate(criteria) if index not in unread]
    if len(criteria) < 2:
        return []
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, leaves_list, linkage
    from scipy.spatial.distance import squareform

    vectors = encoder.encode([one.text for one in criteria]).vectors.astype(np.float64)
    distances = np.clip(1 - vectors @ vectors.T, 0, 2)
    np.fill_diagonal(distances, 0)
    tree = linkage(squareform(distances, checks=False), "average")
    clusters = fcluster(tree, 1 - similarity, "distance")
    found: dict[int, list[int]] = {}
    for place in leaves_list(tree):  # so that neighbours stay together where a group is cut
        found.setdefault(int(clusters[place]), []).append(int(place))
    pieces = (piece for group in found.values() for piece in _cut(group))
    ordered = sorted(sorted(piece) for piece in pieces if len(piece) > 1)
    return [tuple(criteria[place] for place in piece) for piece in ordered]


def _cut(group: Sequence[int]) -> Iterator[Sequence[int]]:
    """Pieces of at most `LARGEST`, nearly equal."""
    count = -(-len(group) // LARGEST)
    size = -(-len(group) // count)
    for start in range(0, len(group), size):
        yield group[start : start + size]


def comparison(polarity: Polarity, group: Sequence[Criterion]) -> Call:
    """What is asked of a group."""
    texts, last = [one.text for one in group], len(group)
    same = record(same=numbers(1, last), keep=number(1, last))

    def check(value: JSON) -> JSON:
        found, seen = [], set[int]()
        for one in value["groups"]:
            alike = within(one["same"], 1, last, "criterion")
            if len(alike) < 2:
                continue  # alone in its group
            if one["keep"] not in alike:
                raise AnswerError(f"criterion {one['keep']} is kept and not in its group")
            if seen & set(alike):
                raise AnswerError("a criterion stands in two groups")
            seen |= set(alike)
            found.append({"same": alike, "keep": one["keep"]})
        return {"groups": found}

    return Call(
        PROMPT,
        {"criteria": texts},
        texts,
        record(groups={"type": "array", "items": same}),
        check,
        (f"{polarity} {group[0].id}", "deduplicate"),
    )


def merged(
    criteria: Sequence[Criterion], group: Sequence[Criterion], answer: JSON
) -> tuple[Criterion, ...]:
    """The criteria with those of a group merged that mean the same."""
    place = {one.id: one for one in criteria}
    for one in answer["groups"]:
        others = [group[at - 1].id for at in one["same"] if at != one["keep"]]
        kept = group[one["keep"] - 1].id
        place[kept] = merge(place[kept], [place.pop(id) for id in others])
    return tuple(place.values())
