"""Labels of one's own, with what an evaluator sees of what was labelled.

Letters: N labels, F features, H questions of the evaluator.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from assize.base.signature import sign_text
from assize.evaluator._features.surface import FloatArray
from assize.judgments import Unit

FEWEST = 20  # labels; with fewer nothing can be held out that says anything


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Labels on one question of an evaluator.

    Args:
        question: the evaluator's.
        units: (N,) what was labelled.
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

    def sorted(self) -> Labels:
        """In an order of its own, so that no figure depends on the order of files."""
        keys = [item if self.paired else f"{item}\n{turn}" for item, turn in self.units]
        order = sorted(range(len(self)), key=lambda at: sign_text(keys[at], 12))
        return replace(
            self,
            units=tuple(self.units[at] for at in order),
            groups=tuple(self.groups[at] for at in order),
            targets=self.targets[order],
            features=self.features[order],
            raw=self.raw[order],
        )
