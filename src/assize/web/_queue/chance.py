"""Chance that can be drawn again: the same seed and the same words give the same number."""

from __future__ import annotations

from assize.base.signature import content_hash

_WORDS = 2**53


def chance(seed: int, *words: str | int) -> float:
    """A number in [0, 1), uniform over different words.

    Who knows no seed cannot foresee it, and it does not depend on what was drawn before.

    >>> chance(1, "gold", 7) == chance(1, "gold", 7) != chance(1, "gold", 8)
    True
    """
    said = "\x1f".join(map(str, (seed, *words))).encode("utf-8", "surrogatepass")
    return (int(content_hash(said, digits=16), 16) >> 11) / _WORDS


def picked(seed: int, among: int, *words: str | int) -> int:
    """A whole number from 0 to below `among`, uniform over different words."""
    return int(chance(seed, *words) * among)
