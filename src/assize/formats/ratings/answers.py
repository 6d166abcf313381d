"""What a cell says: an answer, that none applies, or nothing."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from assize.base.cells import unguarded
from assize.base.judgment import CLICKS, NOT_APPLICABLE, PREFERENCE, Question
from assize.formats.preferences import read_preference

LONGEST = 40  # characters of an answer in words
MOST = 12  # different answers in words that a column may hold and still be a question
FEWEST = 10  # cells of a question from which on a rare one can be told to be odd
RARE = 0.02  # of the cells; one cell is rare however few there are
_NOT = frozenset(
    {
        "na",
        "n/a",
        "n.a.",
        "n. a.",
        "not applicable",
        "does not apply",
        "-",
        "--",
        "–",
        "—",
    }
)
_NOTHING = frozenset({"", "nan", "null", "#n/a", "missing"})
_NUMBER = re.compile(r"[-+]?\d{1,15}(?:[.,]\d+)?")
_LABELLED = re.compile(r"([-+]?\d{1,6})\s*(?:[-–—:=.)]\s*|\s\()(\D.*?)\)?", re.S)
_OUT_OF = re.compile(r"(\d{1,4})\s*(?:/|out of|of)\s*\d{1,4}|(\d{1,4})\s*stars?", re.I)
_STARS = re.compile(r"[★⭐]️?(?:[★⭐]️?)*☆*")


class Said(NamedTuple):
    """An answer, and the words that stood beside its number."""

    answer: str
    words: str | None = None


def cell_text(value: Any) -> str:
    """A cell as text, whatever the table holds; "" for none.

    >>> cell_text(4.0), cell_text(None), cell_text("'=1+1"), cell_text(True)
    ('4', '', '=1+1', 'true')
    """
    if isinstance(value, str):
        return str(unguarded(value)).replace("\xa0", " ").strip()
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value) if isinstance(value, int | float) else json.dumps(value, default=str)


def is_blank(text: str) -> bool:
    """Whether a cell says nothing."""
    return text.casefold() in _NOTHING


def said(text: str) -> Said:
    """The answer in a cell that is not blank, where no definition says what is allowed.

    >>> said("4.0"), said("5 - Very good"), said("3/5").answer, said("N/A").answer
    (Said(answer='4', words=None), Said(answer='5', words='Very good'), '3', 'NA')
    """
    if text.casefold() in _NOT:
        return Said(NOT_APPLICABLE)
    if _NUMBER.fullmatch(text):
        return Said(_number(text))
    labelled = _LABELLED.fullmatch(text)
    if labelled is not None:
        return Said(_number(labelled[1]), labelled[2].strip())
    counted = _OUT_OF.fullmatch(text)
    if counted is not None:
        return Said(_number(counted[1] or counted[2]))
    if _STARS.fullmatch(text):
        return Said(str(sum(text.count(one) for one in "★⭐")))
    return Said(text)


def _number(text: str) -> str:
    return f"{float(text.replace(',', '.')):.15g}"


def is_number(answer: str) -> bool:
    """Whether an answer is a number."""
    return _NUMBER.fullmatch(answer) is not None


def are_answers(texts: Iterable[str]) -> bool:
    """Whether the cells of a column answer a question: numbers, or a few short words."""
    found = {said(one).answer for one in texts if not is_blank(one)} - {NOT_APPLICABLE}
    words = {one for one in found if not is_number(one)}
    if not found or any(len(one) > LONGEST or "\n" in one for one in words):
        return False
    return len({one.casefold() for one in words}) <= MOST


def odd_answers(texts: Iterable[str]) -> frozenset[str]:
    """Return the rare answers that do not fit an otherwise ordered scale, such as a typing error.

    Where nearly all cells of a question hold one of at most twelve numbers, a rare cell in words
    is odd, and so is a rare number that lies beyond the others by more than their whole range.
    Rare is one cell, or 2% of them; with fewer than ten cells nothing is.

    >>> sorted(odd_answers(["1", "2", "3", "4"] * 50 + ["3?", "44", "n/a"]))
    ['3?', '44']
    """
    counts = Counter(said(one).answer for one in texts if not is_blank(one))
    del counts[NOT_APPLICABLE]
    most = max(1, math.floor(RARE * counts.total()))
    words = {answer for answer in counts if not is_number(answer)}
    usual = [float(one) for one, n in counts.items() if one not in words and n > most]
    few_words = sum(counts[answer] for answer in words) <= most
    if counts.total() < FEWEST or not 0 < len(usual) <= MOST or not few_words:
        return frozenset()
    low, high = min(usual), max(usual)
    reach = max(high - low, 1.0)
    far = {
        answer
        for answer, count in counts.items()
        if answer not in words and count <= most
        if not low - reach <= float(answer) <= high + reach
    }
    return frozenset(words | far)


def spellings(texts: Iterable[str]) -> Mapping[str, str]:
    """How words of a column are written, by their lower case: yes and no, A, B and tie, else as
    they stood first."""
    first: dict[str, str] = {}
    for one in texts:
        if not is_blank(one):
            answer = said(one).answer
            first.setdefault(answer.casefold(), answer)
    words = {one for one in first if not is_number(one)} - {NOT_APPLICABLE.casefold()}
    sides = {word: side for word in words if (side := read_preference(word)) is not None}
    if len(sides) == len(words) and {"A", "B"} & set(sides.values()):
        return {**first, **sides}
    if any(words and words <= set(two) for two in CLICKS):
        return {**first, **{one: one for one in words}}
    return first


def defined(text: str, question: Question) -> str | None:
    """The answer of a question that a cell stands for; None where it is none of them.

    >>> two = Question("q", "", "ordinal", ("1", "2"), (1.0, 2.0), {"1": "Poor"})
    >>> defined("poor", two), defined("2.0", two), defined("2 - good", two), defined("3", two)
    ('1', '2', '2', None)
    """
    folded, free = text.casefold(), said(text)
    if free.answer == NOT_APPLICABLE and NOT_APPLICABLE not in question.answers:
        return NOT_APPLICABLE
    if not question.answers:
        return free.answer if question.kind != "text" else text
    for answer in question.answers:
        words = question.labels.get(answer, "")
        if folded in (answer.casefold(), words.casefold(), f"{answer}: {words}".casefold()):
            return answer
    for answer in question.answers:
        if is_number(answer) and is_number(free.answer) and float(answer) == float(free.answer):
            return answer
    side = read_preference(folded) if question.kind == PREFERENCE.kind else None
    return side if side in question.answers else None
