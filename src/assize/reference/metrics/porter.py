"""Porter's stemmer with the extensions that NLTK adds to it, which are those of rouge-score.

A word is a run of letters and digits in lower case. `[C](VC){m}[V]` is the form of every word,
and its measure is m: how many vowels are followed by a consonant.

Source: Porter (1980), "An algorithm for suffix stripping"; the extensions are those of
`nltk.stem.porter.PorterStemmer` in its usual mode. Differs: none; words are compared with NLTK's
in the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

_IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "inning": "inning",
    "innings": "inning",
    "outing": "outing",
    "outings": "outing",
    "canning": "canning",
    "cannings": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}
_VOWELS = frozenset("aeiou")
_REMEMBERED = 1 << 16  # words; a corpus has few that are frequent


@lru_cache(_REMEMBERED)
def stem(word: str) -> str:
    """The stem of a word in lower case.

    >>> [stem(word) for word in ("relational", "hopping", "flies", "skies", "oh")]
    ['relat', 'hop', 'fli', 'sky', 'oh']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) <= 2:
        return word
    for step in (_plural, _past, _final_y, _step2, _step3, _step4, _final_e, _final_l):
        word = step(word)
    return word


def _shape(word: str) -> str:
    """`c` for each consonant, `v` for each vowel; a y is what its neighbour before it is not."""
    found: list[str] = []
    for letter in word:
        if letter == "y":
            found.append("v" if found and found[-1] == "c" else "c")
        else:
            found.append("v" if letter in _VOWELS else "c")
    return "".join(found)


def _measure(word: str) -> int:
    return _shape(word).count("vc")


def _short_end(word: str) -> bool:
    """Whether a word ends consonant, vowel, consonant (no w, x, y), or is vowel, consonant."""
    shape = _shape(word)
    return (shape.endswith("cvc") and word[-1] not in "wxy") or shape == "vc"


def _plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and "v" in _shape(word[: -len(suffix)]):
            return _restored(word[: -len(suffix)])
    return word


def _restored(cut: str) -> str:
    """What stands after -ed or -ing is cut off: an e put back, or a double consonant undone."""
    if cut.endswith(("at", "bl", "iz")):
        return cut + "e"
    if len(cut) >= 2 and cut[-1] == cut[-2] and _shape(cut)[-1] == "c":
        return cut if cut[-1] in "lsz" else cut[:-1]
    return cut + "e" if _measure(cut) == 1 and _short_end(cut) else cut


def _final_y(word: str) -> str:
    rest = word[:-1]
    if word.endswith("y") and len(rest) > 1 and _shape(rest)[-1] == "c":
        return rest + "i"
    return word


Rule = tuple[str, str, Callable[[str], bool]]


def _positive(rest: str) -> bool:
    return _measure(rest) > 0


def _long(rest: str) -> bool:
    return _measure(rest) > 1


def _rules(written: str, holds: Callable[[str], bool]) -> list[Rule]:
    """`ational>ate tional>tion`: a suffix, what replaces it, and when."""
    pairs = (one.split(">") for one in written.split())
    return [(suffix, new, holds) for suffix, new in pairs]


_STEP2 = [
    *_rules(
        "ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e"
        " ousli>ous ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous"
        " aliti>al iviti>ive biliti>ble fulli>ful",
        _positive,
    ),
    ("logi", "log", lambda rest: _measure(rest + "l") > 0),
]
_STEP3 = _rules("icate>ic ative> alize>al iciti>ic ical>ic ful> ness>", _positive)
_STEP4 = [
    *_rules("al> ance> ence> er> ic> able> ible> ant> ement> ment> ent>", _long),
    ("ion", "", lambda rest: _long(rest) and rest[-1] in "st"),
    *_rules("ou> ism> ate> iti> ous> ive> ize>", _long),
]


def _applied(word: str, rules: Iterable[Rule]) -> str:
    """The first rule whose suffix the word has decides, whether it holds or not."""
    for suffix, new, holds in rules:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + new if holds(rest) else word
    return word


def _step2(word: str) -> str:
    while word.endswith("alli") and _positive(word[:-4]):
        word = word[:-2]
    return _applied(word, _STEP2)


def _step3(word: str) -> str:
    return _applied(word, _STEP3)


def _step4(word: str) -> str:
    return _applied(word, _STEP4)


def _final_e(word: str) -> str:
    rest = word[:-1]
    if not word.endswith("e"):
        return word
    measure = _measure(rest)
    return rest if measure > 1 or (measure == 1 and not _short_end(rest)) else word


def _final_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
