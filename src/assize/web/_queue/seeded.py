"""Random numbers that can be drawn again: the same seed and words give the same number.

Who does not know the seed cannot foresee a number, and none depends on what was drawn before.
"""

from __future__ import annotations

from assize.base.signature import content_hash

_STEPS = 2**53


def seeded_uniform(seed: int, *words: str | int) -> float:
    """Return a number in [0, 1), uniform over different words.

    >>> seeded_uniform(1, "gold", 7) == seeded_uniform(1, "gold", 7) != seeded_uniform(1, "gold", 8)
    True
    """
    text = "\x1f".join(map(str, (seed, *words))).encode("utf-8", "surrogatepass")
    return (int(content_hash(text, digits=16), 16) >> 11) / _STEPS


def seeded_index(count: int, seed: int, *words: str | int) -> int:
    """Return a whole number from 0 to below `count`, uniform over different words."""
    return int(seeded_uniform(seed, *words) * count)
