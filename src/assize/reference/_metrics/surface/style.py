"""One text as numbers: its length, mood, register, and the profiles that two texts are held by.

A profile is a block of counts that are not negative, such as the punctuation of a text; two
profiles are alike as far as they overlap. All rows are made once for each different text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import NDArray

from assize.reference._metrics.surface import lexicon as known
from assize.reference._metrics.tokens import words

FloatArray = NDArray[np.float64]

SHAPE = (
    "words",  # how many
    "question",  # 1 where it asks something
    "sentiment",  # -1 to 1: (pleasant - unpleasant) / (pleasant + unpleasant + 1)
    "formality",  # -1 to 1: (formal - informal) / (formal + informal + 1)
    "repetition",  # 0 to 1: share of its pairs of words that stood in it before
    "word_length",  # mean characters of a word
    "sentence_length",  # log2(1 + words a sentence)
    "emoji",  # 1 where there is any
    "self",  # 1 where it names itself an AI
    "polarity",  # 1 begins by agreeing, -1 by refusing, 0 neither
)
PERSON = ("first", "second", "third")
FORMAT = ("bullets", "numbers", "heading", "bold", "code", "table", "link", "paragraphs")
MARKS = (".", ",", "!", "?", ":", ";", "-", "(", '"', "...")  # a hundred words
MANNERS = ("greeting", "thanks", "apology", "farewell", "offer")
BLOCKS = {"shape": SHAPE, "person": PERSON, "format": FORMAT, "marks": MARKS, "manners": MANNERS}
_ENDS = list(accumulate(map(len, BLOCKS.values()), initial=0))
WIDTH = _ENDS[-1]
BLOCK = {
    name: slice(start, end) for name, (start, end) in zip(BLOCKS, pairwise(_ENDS), strict=True)
}
"""Where each block stands in a row."""

# Each run of marks is looked at once: a text of a million dots takes no longer than any other.
_SENTENCE = re.compile(
    r"(?<![.!?\u061f\u0964])[.!?\u061f\u0964]++(?=\s|$|[\"')\]])|[\u3002\uff01\uff1f]+|\n+"
)
_ASKED = re.compile(r"[?\uff1f\u061f]")
_FORMAT = (
    re.compile(r"^[ \t]*[-*+\u2022\u00b7\u2013][ \t]+\S", re.MULTILINE),
    re.compile(
        r"^[ \t]*(?:\d{1,3}[.)]|[(]\d{1,3}[)]|step \d+)[ \t]*\S", re.MULTILINE | re.IGNORECASE
    ),
    re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE),
    re.compile(r"\*\*[^*\n]+\*\*|__[^_\n]+__"),
    re.compile(r"```|`[^`\n]+`|^(?: {4}|\t)\S", re.MULTILINE),
    re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE),
    re.compile(r"https?://|www\.|\]\("),
    re.compile(r"\n[ \t]*\n"),
)
_MARKS = str.maketrans(
    {
        "\u3002": ".", "\uff0c": ",", "\u3001": ",", "\uff01": "!", "\uff1f": "?", "\u061f": "?",
        "\uff1a": ":", "\uff1b": ";", "\u2013": "-", "\u2014": "-", "\uff08": "(", "\u201c": '"',
        "\u201d": '"', "\u00ab": '"', "\u00bb": '"', "\u201e": '"', "\u2026": "...", "[": "(",
    }
)  # fmt: skip
_MANNERS = (
    known.GREETING,
    known.THANKING,
    known.APOLOGISING,
    known.FAREWELL,
    known.OFFERING,
)
_LONG_DRAWN = re.compile(r"([^\W\d_])\1\1")
_SHOUTED = re.compile(r"[!?]{2,}")
_LOWER_START = re.compile(r"^\s*[a-z]|(?<!\w)i(?!\w)")
_CONTRACTED = frozenset(("'m", "'s", "'re", "'ve", "'d", "'ll", "'t"))
_FACES = frozenset(":;=<^")  # without which an ASCII text holds no face
_LONG_WORD = 9  # letters from which a word counts as half a formal one


@dataclass(frozen=True, slots=True)
class Style:
    """What the features know of one text.

    Args:
        row: (WIDTH,) the blocks one behind the other.
        words: its words, in order.
        content: those that are no function words.
        names: words written with a capital that no sentence begins with; lower-cased.
        numbers: figures, without the commas between thousands; two to twelve in English words too.
    """

    row: Sequence[float]
    words: Sequence[str]
    content: Sequence[str]
    names: Sequence[str]
    numbers: Sequence[str]

    @classmethod
    def of(cls, text: str) -> Style:
        """Reads a text."""
        found = words(text)
        held = frozenset(found)
        row = [
            *_shape(text, found, held),
            *_persons(found, held),
            *(float(one.search(text) is not None) for one in _FORMAT),
            *_marks(text, len(found)),
            *(float(one.found(text, held)) for one in _MANNERS),
        ]
        content = [word for word in found if word not in known.FUNCTION_WORDS]
        return cls(row, found, content, list(_names(text)), list(_numbers(text, found)))


def alike(first: FloatArray, second: FloatArray) -> FloatArray:
    """(P,) how far two profiles (P, K) overlap: 1 for the same, also where both are empty.

    1 less the Bray-Curtis distance.

    >>> alike(np.array([[1.0, 0.0], [0, 0]]), np.array([[1.0, 2.0], [0, 0]]))
    array([0.5, 1. ])
    """
    total = (first + second).sum(axis=1)
    apart = np.abs(first - second).sum(axis=1)
    return np.where(total > 0, 1 - apart / np.where(total > 0, total, 1), 1.0)


def _shape(text: str, found: Sequence[str], held: frozenset[str]) -> Iterable[float]:
    sentences = sum(1 for one in _SENTENCE.split(text) if one and not one.isspace())
    pairs = list(pairwise(found))
    yield float(len(found))
    yield float(_asks(text, found))
    smiles = not text.isascii() or not _FACES.isdisjoint(text)
    yield _sentiment(text if smiles else "", found)
    yield _formality(text, found)
    yield 1 - len(set(pairs)) / len(pairs) if pairs else 0.0
    yield sum(map(len, found)) / max(len(found), 1)
    yield float(np.log2(1 + len(found) / max(sentences, 1)))
    yield float(smiles and known.EMOJI.search(text) is not None)
    yield float(known.SELF.found(text, held))
    begins = found[0] if found else ""
    yield float(begins in known.AGREEING) - float(begins in known.REFUSING)


def _asks(text: str, found: Sequence[str]) -> bool:
    """A question mark, or an English question without any mark at its end."""
    if _ASKED.search(text):
        return True
    ended = text.rstrip()[-1:] in ".!\u3002"
    return not ended and bool(found) and (found[0] in known.ASKING or found[-1] == "吗")


def _sentiment(text: str, found: Sequence[str]) -> float:
    pleasant, unpleasant = float(len(known.GLAD.findall(text))), float(len(known.SAD.findall(text)))
    if known.MOODS.isdisjoint(found):
        return (pleasant - unpleasant) / (pleasant + unpleasant + 1)
    reach = 0
    for word in found:
        reach -= 1
        if word in known.NEGATORS or word.endswith("n't"):
            reach = known.NEGATED
        elif word in known.POSITIVE or word in known.NEGATIVE:
            if (word in known.POSITIVE) == (reach < 0):
                pleasant += 1
            else:
                unpleasant += 1
    return (pleasant - unpleasant) / (pleasant + unpleasant + 1)


def _formality(text: str, found: Sequence[str]) -> float:
    formal, informal = 0.0, 0.0
    for word in found:
        if word in known.FORMAL:
            formal += 1
        elif word in known.INFORMAL:
            informal += 1
        elif "'" in word:
            informal += any(word.endswith(one) for one in _CONTRACTED)
        elif len(word) >= _LONG_WORD:
            formal += 0.5
    for pattern in (_LONG_DRAWN, _SHOUTED, _LOWER_START):
        informal += pattern.search(text) is not None
    return (formal - informal) / (formal + informal + 1)


def _persons(found: Sequence[str], held: frozenset[str]) -> Iterable[float]:
    for kind in (known.FIRST, known.SECOND, known.THIRD):
        yield 0.0 if kind.isdisjoint(held) else float(sum(word in kind for word in found))


def _marks(text: str, count: int) -> Iterable[float]:
    plain = text.translate(_MARKS)
    scale = 100 / max(count, 1)
    dots = plain.count("...")
    yield (plain.count(".") - 3 * dots) * scale
    for mark in MARKS[1:-1]:
        yield plain.count(mark) * scale
    yield dots * scale


_CAPITAL = re.compile(r"[^\W\d_][^\W_]*(?:['\u2019-][^\W_]+)*")
_OPENS = frozenset(".!?:\n\u3002\uff01\uff1f\u2022*-\"'\u201c(>")


def _names(text: str) -> Iterable[str]:
    for found in _CAPITAL.finditer(text):
        word = found[0]
        if not word[0].isupper() or word in ("I", "I'm", "I've", "I'll", "I'd"):
            continue
        before = _before(text, found.start())
        if (word.isupper() and len(word) > 1) or (before and before not in _OPENS):
            yield word.lower()


def _before(text: str, start: int) -> str:
    """The last character before a place that is no blank."""
    at = start - 1
    while at >= 0 and text[at] in " \t":
        at -= 1
    return text[at] if at >= 0 else ""


_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")
_NUMBER_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
}  # fmt: skip


def _numbers(text: str, found: Sequence[str]) -> Iterable[str]:
    for figure in _NUMBER.findall(text):
        yield _THOUSANDS.sub("", figure)
    for word in found:
        if word in _NUMBER_WORDS:
            yield _NUMBER_WORDS[word]
