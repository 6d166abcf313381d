"""How much longer one side of a pair is than the other, in words."""

from __future__ import annotations

import re

from assize.base.conversation import Pair

_UNSPACED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\s{_UNSPACED}]*[^\W{_UNSPACED}][^\s{_UNSPACED}]*")


def words(text: str) -> int:
    """Words of a text: what stands between blanks and is no mere mark; each sign of a script
    without blanks is one.

    >>> words("That's a well-known - fact!"), words("你好 OK")
    (4, 3)
    """
    return len(_WORD.findall(text))


def length_difference(pair: Pair) -> float:
    """How many words the responses of a pair differ by: the most of any two to the same turn.

    Returns:
        At least 0, in words. Infinite where the sides do not have as many answers.

    Source: MTDEval, appendix A.1: at most 10 words between the responses of a pair. Of what in
    a dialogue of several turns it does not say; in the one released record at hand the third
    answers differ by 13 words, the mean answers by 6.
    """
    a, b = (
        [words(turn.text) for turn in side if turn.role == "assistant"] for side in (pair.a, pair.b)
    )
    if len(a) != len(b):
        return float("inf")
    return float(max((abs(x - y) for x, y in zip(a, b, strict=True)), default=0))


def plain(text: str) -> str:
    """The text in small letters with single blanks, by which two texts are the same."""
    return " ".join(text.casefold().split())
