"""Labels of one's own, with what an evaluator sees of what was labelled.

Letters: N labels, F features, H questions of the evaluator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from assize.errors import DataError
from assize.evaluator.features.surface import FloatArray

FEWEST = 20  # labels; with fewer nothing can be held out that says anything


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Labels on one question of an evaluator; kept with it when it was adapted.

    Args:
        question: the evaluator's.
        keys: (N,) hashes of what was labelled; the same item and turn have the same one.
        groups: (N,) hashes of what is not independent: conversations, pairs, or raters.
        targets: (N,) higher being better; of a pair 1 for A, 0 for a tie, -1 for B.
        features: (N, F) as the featuriser gives them; of a pair two rows, (N, 2, F).
        raw: (N, H) the unadapted evaluator's raw numbers; of a pair (N, 2, H).
        paired: whether they are preferences between the sides of pairs.
        by: what `groups` are: `conversation`, `rater` or `pair`.
        natural: whether targets are ratings on people's own scale, and not means of several
            questions, nor turned round.
        ends: lowest and highest rating of that scale, where its question says so.
        turn: (N,) whether a label is of a turn.
    """

    question: str
    keys: tuple[str, ...]
    groups: tuple[str, ...]
    targets: FloatArray
    features: FloatArray
    raw: FloatArray
    paired: bool = False
    by: str = "conversation"
    natural: bool = False
    ends: tuple[float, float] | None = None
    turn: tuple[bool, ...] = ()

    def __len__(self) -> int:
        return len(self.keys)

    def joined(self, later: Labels) -> Labels:
        """With later labels added; of what was labelled twice the later label counts.

        Raises:
            DataError: they are of another kind, so that the two cannot be learnt from together.
        """
        if (self.paired, self.natural, self.ends) != (later.paired, later.natural, later.ends):
            raise DataError(
                f"these labels of {self.question!r} are on another scale than those that the"
                " evaluator was adapted to; adapt the evaluator that it came from, with all labels"
            )
        new = set(later.keys)
        kept = [place for place, key in enumerate(self.keys) if key not in new]
        both = [(self, kept), (later, range(len(later)))]
        by = self.by if self.by == later.by else "conversation"
        return replace(
            self,
            keys=tuple(one.keys[at] for one, places in both for at in places),
            groups=tuple(one.groups[at] for one, places in both for at in places),
            turn=tuple(one.turn[at] for one, places in both for at in places),
            targets=np.concatenate([self.targets[kept], later.targets]),
            features=np.concatenate([self.features[kept], later.features]),
            raw=np.concatenate([self.raw[kept], later.raw]),
            by=by,
        )

    def sorted(self) -> Labels:
        """In the order of the keys, so that no figure depends on the order of files."""
        order = sorted(range(len(self)), key=lambda at: self.keys[at])
        return replace(
            self,
            keys=tuple(self.keys[at] for at in order),
            groups=tuple(self.groups[at] for at in order),
            turn=tuple(self.turn[at] for at in order),
            targets=self.targets[order],
            features=self.features[order],
            raw=self.raw[order],
        )
