"""Labels of one's own, with what an evaluator sees of what was labelled.

Letters: N labels, F features, H questions of the evaluator.
"""

from __future__ import annotations

from dataclasses import dataclass

from assize.judgments import Unit
from assize.stats._arrays import FloatArray

FEWEST = 20  # labels; with fewer nothing can be held out that says anything


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Labels on one question of an evaluator.

    Args:
        question: the evaluator's.
        units: (N,) what was labelled, by the hashes of their ids, so that no figure depends on the
            order of files.
        groups: (N,) hashes of what is not independent: conversations, pairs, or raters.
        targets: (N,) higher being better; of a pair 1 for A, 0 for a tie, -1 for B.
        features: (N, F) as the featuriser gives them; of a pair two rows, (N, 2, F).
        raw: (N, H) the unadapted evaluator's raw numbers; of a pair (N, 2, H).
        paired: whether they are preferences between the sides of pairs.
        by: what `groups` are: `conversation`, `rater` or `pair`.
        natural: whether targets are ratings on people's own scale, and not means of several
            questions, nor turned round.
        ends: lowest and highest rating of that scale, where its question says so.
    """

    question: str
    units: tuple[Unit, ...]
    groups: tuple[str, ...]
    targets: FloatArray
    features: FloatArray
    raw: FloatArray
    paired: bool = False
    by: str = "conversation"
    natural: bool = False
    ends: tuple[float, float] | None = None

    def __len__(self) -> int:
        return len(self.units)
