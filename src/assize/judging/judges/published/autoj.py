"""`autoj`, `autoj-pairwise`: a critique with a rating from 1 to 10, or the better of two, or a tie.

Source: Li et al. (2023), "Generative judge for evaluating alignment"; the sections, the scale and
the verdict's words are those of its release. Differs: the sentences are ours; a dialogue of several
turns stands whole where it has one response.
"""

from __future__ import annotations

import re

from assize.base.judgment import PREFERENCE
from assize.judging.judges.published.graded import (
    Compared,
    Graded,
    compared_method,
    graded_method,
)
from assize.judging.judges.published.verdict import Form
from assize.judging.judges.rating import HIGHEST, LOWEST, RATING
from assize.judging.method import Method

RATED = Form(
    re.compile(r"\brating: ?\[\[\s{0,9}([0-9]{1,9}(?:\.[0-9]{1,9})?)\s{0,9}\]\]", re.I),
    "Rating: [[5]]",
    closes=False,
)
DECIDED = Form(
    re.compile(
        r"(?:\bso\W{1,3})?(?:\b(?:the|my)\s{1,9})?final decision is\W{0,9}"
        r"(response\s{1,9}[12]|tie)\b",
        re.I,
    ),
    "So, the final decision is Tie",
    closes=False,
)
# What a dialogue could imitate: the verdict's beginning, and the prompt's own sections.
GUARDED = (
    "Rating: [[",
    "Rating:[[",
    "final decision is",
    "[BEGIN DATA]",
    "[END DATA]",
    "[Query]:",
    "[Response]:",
    "[Response 1]:",
    "[Response 2]:",
)


def rated(name: str, criterion: str | None) -> Method:
    """How one response or dialogue is rated."""
    return graded_method(
        RATED,
        RATING.questions[0],
        name=name,
        about=f"one dialogue, {LOWEST} to {HIGHEST}",
        prompt="autoj",
        guarded=GUARDED,
    )


def compared(name: str, criterion: str | None) -> Method:
    """How two responses or dialogues are compared, with ties."""
    return compared_method(
        DECIDED,
        PREFERENCE,
        {"response 1": "A", "response 2": "B", "tie": "tie"},
        name=name,
        about="the better of two, or a tie",
        prompt="autoj-pairwise",
        guarded=GUARDED,
    )


AUTOJ = Graded(
    "Auto-J: a critique and a rating, 1 to 10; of a pair the higher rating wins", "autoj", rated
)
AUTOJ_PAIRWISE = Compared(
    "Auto-J: the better of two responses or dialogues, or a tie; a critique first",
    "autoj-pairwise",
    compared,
    variants=False,
)
