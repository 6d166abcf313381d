"""`pairwise`: two dialogues in one call, reasons first, then A, B or tie overall."""

from __future__ import annotations

from dataclasses import replace

from assize.judging.explained import EXPLAINED

PAIRWISE = replace(
    EXPLAINED,
    name="pairwise",
    about="in which of two dialogues the assistant did better; reasons first",
    prompt="pairwise",
)
