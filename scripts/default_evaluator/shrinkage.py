"""How strongly the weights on `exchanges` are shrunk, block by block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.evaluator._features.exchanges import widths
from assize.evaluator._features.surface import FloatArray
from assize.evaluator._heads.ridge import Ridge


@dataclass(frozen=True, slots=True)
class Shrinkage(Ridge):
    """Penalties on standardised features; `Ridge` has those of `turns`.

    What separates weak chatbots from weaker ones (length, repetition) is held back; whether an
    answer belongs to its own question is not. Chosen by leaving corpora out, see
    design/03-evaluator.md.
    """

    user: float = 30_000.0  # on the vectors of the user's turns
    assistant: float = 100_000.0  # of the assistant's
    exchange: float = 30_000.0  # on products and differences of the two
    similarity: float = 1_000.0
    shape: float = 3_000.0
    belonging: float = 300.0
    manner: float = 1_000.0
    answer: float = 300.0

    def penalties(self, dimension: int) -> FloatArray:
        """One penalty a feature, (F,)."""
        by_block = {
            "assistant_mean": self.assistant,
            "user_mean": self.user,
            "assistant_last": self.assistant,
            "user_last": self.user,
            "product": self.exchange,
            "difference": self.exchange,
        }
        return np.concatenate(
            [
                np.full(width, by_block[block] if block in by_block else getattr(self, block))
                for block, width in widths(dimension).items()
            ]
        )
