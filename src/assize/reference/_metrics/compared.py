"""A batch of continuations as their different texts, and who is compared with whom.

Letters: N continuations, P pairs of a candidate and one of its references.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.conversation import Continuation
from assize.reference._metrics.bags import IntArray


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """Continuations, their texts numbered.

    Args:
        texts: each different text once, without blanks at its ends, of candidates, references
            and turns of the contexts.
        candidate: (N,) the candidate's text; -1 where it is blank.
        owner: (P,) the continuation of each pair, ascending.
        left: (P,) the candidate's text.
        right: (P,) the reference's text; blank references are in no pair.
        which: (P,) the reference's place among the continuation's.
        last: (N,) the user's turn before the candidate; -1 where none holds text.
        context: N lists of the texts of the context's turns, with whether the assistant said them.
    """

    texts: Sequence[str]
    candidate: IntArray
    owner: IntArray
    left: IntArray
    right: IntArray
    which: IntArray
    last: IntArray
    context: Sequence[Sequence[tuple[int, bool]]]

    @classmethod
    def of(cls, continuations: Sequence[Continuation]) -> Compared:
        """Numbers the texts of some continuations."""
        places: dict[str, int] = {}

        def number(text: str) -> int:
            bare = text.strip()
            return places.setdefault(bare, len(places)) if bare else -1

        candidate = [number(one.candidate) for one in continuations]
        pairs = [
            (place, candidate[place], to, at)
            for place, one in enumerate(continuations)
            if candidate[place] >= 0
            for at, reference in enumerate(one.references)
            if (to := number(reference)) >= 0
        ]
        context = [
            [
                (at, turn.role == "assistant")
                for turn in one.context
                if turn.role in ("user", "assistant") and (at := number(turn.text)) >= 0
            ]
            for one in continuations
        ]
        last = [next((at for at, own in reversed(turns) if not own), -1) for turns in context]
        owner, left, right, which = np.array(pairs, np.int64).reshape(-1, 4).T
        return cls(
            list(places),
            np.array(candidate, np.int64),
            owner,
            left,
            right,
            which,
            np.array(last, np.int64),
            context,
        )
