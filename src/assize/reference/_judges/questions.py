"""What the reference judges answer.

Judges of content, style and reasonableness on the raters' scale answer the raters' own questions,
`content`, `style` and `reasonableness`, so that `agree` compares them with people as they are.
Yes and no are questions of their own: `equivalent`, `natural` and `reasonable`.
"""

from __future__ import annotations

from assize.base.judgment import Question
from assize.formats.research.upheld import QUESTIONS

CONTENT, STYLE, REASONABLENESS = QUESTIONS


def yes_or_no(id: str, text: str) -> Question:
    """A question answered by yes or no, yes being better."""
    return Question(id, text, "binary", ("no", "yes"), (0.0, 1.0), higher="better")


EQUIVALENT = yes_or_no("equivalent", "Does the candidate say the same as the reference?")
NATURAL = yes_or_no("natural", "Does the candidate sound natural, as if a person had written it?")
REASONABLE = yes_or_no("reasonable", "Is the candidate a reasonable thing to say here?")
