"""The key that chooses each answer: a letter, for answers are not numbered.

A number beside an answer would be read as its value. Where an answer's own words are a number, or
begin with it as on a scale from 1 to 5, its digit is the key.
"""

from __future__ import annotations

from assize.base.judgment import NOT_APPLICABLE
from assize.web._forms.form import Field

LETTERS = "abcdeghlmopqrtvwxyz"
"""Left out is what the page itself is worked with: j and k (next and previous question), s (skip),
f (flag), u (undo), i (instructions); and n, which is NA."""

_FIXED = {"A": "a", "B": "b", "tie": "t", "both": "o", "neither": "e"}


def keys(field: Field) -> dict[str, str]:
    """By answer the key that chooses it, different within the field; {} where it has no radios.

    Answers behind the last letter have no key.

    >>> from assize.base.judgment import PREFERENCE, Question
    >>> keys(Field("q", PREFERENCE))
    {'A': 'a', 'tie': 't', 'B': 'b'}
    >>> keys(Field("q", Question("q", answers=("1", "2"), labels={"1": "no", "2": "yes"})))
    {'1': 'a', '2': 'b'}
    >>> keys(Field("q", Question("q", answers=("1", "10"))))
    {'1': '1', '10': '0'}
    """
    if field.widget not in ("radio", "checks"):
        return {}
    answers, labels = field.question.answers, field.question.labels
    numbered = all(one in _DIGITS and labels.get(one, one).startswith(one) for one in answers)
    if set(answers) <= _FIXED.keys():
        found = {one: _FIXED[one] for one in answers}
    elif numbered:
        found = {one: _DIGITS[one] for one in answers}
    else:
        found = dict(zip(answers, LETTERS, strict=False))
    if field.not_applicable:
        found[NOT_APPLICABLE] = "n"
    return found


_DIGITS = {**{str(one): str(one) for one in range(1, 10)}, "10": "0"}
