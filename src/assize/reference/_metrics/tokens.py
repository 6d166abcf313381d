"""Texts to tokens, for ROUGE and for what counts words.

Two ways, each a pattern over the kinds of a text's characters:

* tokens: runs of a to z and 0 to 9 after lowering for what is ASCII or Latin, so that ROUGE is
  rouge-score's there; a letter of another script, of which rouge-score reads nothing, stands for
  itself or for its word. Chinese and Japanese give a token a character, Thai, Lao, Khmer, Burmese
  and Tibetan a token a letter with its marks; all others, which write blanks, a token a word.
* words: as people see them, with accents and apostrophes inside; the surface features count these.
"""

from __future__ import annotations

import re
import unicodedata

_ASCII = re.compile(r"[a-z0-9]+")
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")
# Over kinds: see `_kind`.
_KINDS = re.compile(r"a+|w[wm]*|sm*")
_KIND_WORDS = re.compile(r"[alw][alwm]*(?:q[alw][alwm]*)*|sm*")

_NO_BLANKS = (
    "CJK",
    "HIRAGANA",
    "KATAKANA",
    "HALFWIDTH KATAKANA",
    "IDEOGRAPHIC",
    "BOPOMOFO",
    "YI ",
    "THAI",
    "LAO",
    "KHMER",
    "MYANMAR",
    "TIBETAN",
)
_LATIN_LIKE = ("MATHEMATICAL", "MODIFIER", "SCRIPT", "DOUBLE-STRUCK", "BLACK-LETTER")


def tokenise(text: str) -> list[str]:
    """The tokens of a text, in order.

    >>> tokenise("It's 5 o'clock, naïve 猫!")
    ['it', 's', '5', 'o', 'clock', 'na', 've', '猫']
    """
    lowered = text.lower()
    pattern, read = _reading(lowered)
    if read is lowered:
        found: list[str] = pattern.findall(lowered)
        return found
    return [lowered[one.start() : one.end()] for one in pattern.finditer(read)]


def _reading(lowered: str) -> tuple[re.Pattern[str], str]:
    """A pattern, and what it reads: the text, or the kinds of its characters."""
    if not lowered.isascii():
        kinds = lowered.translate(_TABLE)
        if "w" in kinds or "s" in kinds:
            return _KINDS, kinds
    return _ASCII, lowered


def words(text: str) -> list[str]:
    """The words of a text in lower case, accents and inner apostrophes included.

    >>> words("Don't panic, naïve 猫: it's 42!")
    ["don't", 'panic', 'naïve', '猫', "it's", '42']
    """
    lowered = text.lower()
    if lowered.isascii():
        return _ASCII_WORD.findall(lowered)
    lowered = lowered.replace("\u2019", "'")
    found = _KIND_WORDS.finditer(lowered.translate(_TABLE))
    return [lowered[one.start() : one.end()] for one in found]


class _Table(dict[int, str]):
    """The kind of every character, found out when it is first seen."""

    def __missing__(self, code: int) -> str:
        self[code] = kind = _kind(chr(code))
        return kind


def _kind(character: str) -> str:
    """`a` ASCII letter or digit, `l` another Latin letter, `w` a letter or digit of a script with
    blanks, `s` of one without, `m` a mark on a letter, `q` an apostrophe, or a blank."""
    if character.isascii():
        return "a" if character.isalnum() else "q" if character == "'" else " "
    category = unicodedata.category(character)
    if category[0] == "M":
        return "m"
    if category[0] != "L" and category != "Nd":
        return " "
    name = unicodedata.name(character, "")
    if "LATIN" in name or name.startswith(_LATIN_LIKE) or ord(character) < 0x370:
        return "l"
    return "s" if name.startswith(_NO_BLANKS) else "w"


_TABLE = _Table()
