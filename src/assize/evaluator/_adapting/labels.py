"""Labels of one's own, with what an evaluator sees of what was labelled.

Letters: N labels, F features, H questions of the evaluator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assize.evaluator._features.surface import FloatArray

FEWEST = 20  # labels; with fewer nothing can be held out that says anything


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Labels on one question of an evaluator.

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
