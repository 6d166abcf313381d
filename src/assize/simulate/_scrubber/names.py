"""Where people's names stand in a text: by what stands before them, by lists of names.

No list holds every name and no rule knows one by its look, so some are missed: `docs/scrub.md`
has the shares on planted names. Whoever knows the names of a file gives them as `terms`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from assize.simulate._scrubber.patterns import Found

HERE = Path(__file__).parent
_LAST_CASED = 0x0530  # Latin, Greek and Cyrillic letters stand before it
_TITLES = r"先生|女士|小姐|太太|老师|老師|医生|醫生|经理|經理|同学|主任|教授"
_KANJI = r"[\u4e00-\u9fff]"
_NO_GIVEN = "我你您他她它的了在是有和也都想要请請能会會说說来來去这這那哪从從给給让讓把被"
_GIVEN = rf"(?![{_NO_GIVEN}]){_KANJI}"
_HINDI = r"[\u0900-\u097f]+"
_HEBREW = r"[\u05d0-\u05ea]+"
_ARABIC = r"[\u0621-\u064a]+"


@cache
def given_names() -> tuple[frozenset[str], frozenset[str]]:
    """Given names in small letters: those that are nothing else, and those that are words too."""
    sure, _, words = (HERE / "given_names.txt").read_text(encoding="utf-8").partition("# words")
    first, second = (
        frozenset(word for line in lines[1:] for word in line.casefold().split())
        for lines in (sure.splitlines(), words.splitlines())
    )
    return first, second


@cache
def everyday_words() -> frozenset[str]:
    """Words, in small letters, that are no part of a name."""
    lines = (HERE / "everyday.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def named(text: str) -> list[Found]:
    """The names in a text, from left to right.

    A run of capitalised words is a name after words that come before names alone ("my name is",
    "Dr"), and where it begins with a known given name. After words that often come before names
    ("my wife", "Hi"), any such run is one that holds no everyday word. A given name that is a
    word too (Will, Rose) needs such a cue, or a word with a capital behind it. Scripts without
    capitals have cues, titles and lists of their own.

    >>> [text[one.start : one.end] for text in ["I met Anna Kowalska in Rome."]
    ...  for one in named(text)]
    ['Anna Kowalska']
    """
    spans = {*_introduced(text), *_listed(text)}
    if not text.isascii():
        spans |= {one.span(1) for pattern in _scripts() for one in pattern.finditer(text)}
    found: list[Found] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start < end and (not found or start >= found[-1].end):
            found.append(Found(start, end, "NAME"))
    return found


def sections(name: str) -> dict[str, list[str]]:
    """The lines of a file of lists by the heading above them, as `[sure]`."""
    parts: dict[str, list[str]] = {}
    for line in (HERE / name).read_text(encoding="utf-8").splitlines():
        heading = re.match(r"\[(\w+)\]", line)
        if heading:
            parts[heading[1]] = []
        elif parts:
            parts[next(reversed(parts))].append(line)
    return parts


@cache
def _name() -> str:
    """A run of at most four capitalised words, particles between them, as a regular expression."""
    upper = "".join(sign for sign in map(chr, range(_LAST_CASED)) if sign.isupper())
    word = rf"[{upper}][^\W\d_]*(?:['-][^\W\d_]+)*"
    particle = r"(?:van|von|de|der|den|del|della|di|da|dos|la|le|bin|ibn|al|el|ter|zu|y|e)"
    return rf"{word}(?: +(?:{particle} +){{0,2}}{word}){{0,3}}"


@cache
def _after(kind: str) -> re.Pattern[str]:
    """A name after one of the cues of a section."""
    cues = "|".join(unicodedata.normalize("NFC", line) for line in sections("cues.txt")[kind])
    return re.compile(rf"\b(?i:{cues})(?:\b|(?<=:))[.:]?,?\s+({_name()})")


def _introduced(text: str) -> Iterator[tuple[int, int]]:
    words = given_names()[1]
    for cue in _after("sure").finditer(text):
        yield _cut(text, *cue.span(1))
    for cue in re.finditer(r"\b(?i:my name is|my name's|name ?:) +([a-z]+(?: [a-z]+)?)\b", text):
        known = [word for word in cue[1].split() if word not in everyday_words()]
        if known and cue[1].startswith(known[0]):
            yield cue.start(1), cue.start(1) + len(" ".join(known))
    for kind in ("alone", "weak"):
        for cue in _after(kind).finditer(text):
            start, end = _cut(text, *cue.span(1))
            run = text[start:end].split()
            if run and (kind == "alone" or run[0].casefold() in words):
                yield start, end


def _listed(text: str) -> Iterator[tuple[int, int]]:
    sure, words = given_names()
    for run in re.finditer(_name(), text):
        for word in re.finditer(r"\S+", run[0]):
            first = re.split(r"'s\b", word[0])[0].casefold().split("-")[0]
            start, end = _cut(text, run.start() + word.start(), run.end())
            followed = len(text[start:end].split()) > 1
            known = first in sure or any(first[:-cut] in _stems() for cut in (1, 2, 3))
            if known or (first in words and followed):
                yield start, end
                break


@cache
def _stems() -> frozenset[str]:
    """Cyrillic given names without their ending, which changes with the case: Иваном, Анне."""
    cyrillic = [name for name in given_names()[0] if "\u0400" <= name[0] < "\u0530"]
    stems = {name.rstrip("аяйь") for name in cyrillic}
    return frozenset(stem for stem in stems if len(stem) > 2)


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """The run up to its first everyday word, without a possessive ending."""
    last = start
    for word in re.finditer(r"\S+", text[start:end]):
        if word[0].casefold() in everyday_words() or re.fullmatch(r"[A-Z]{2,3}", word[0]):
            break
        last = start + word.end()
    ending = re.search(r"'s?$", text[start:last])
    return start, last - (len(ending[0]) if ending else 0)


@cache
def _scripts() -> tuple[re.Pattern[str], ...]:
    """Names of scripts without capitals, the name being group 1."""
    lists = {
        name: "|".join(sorted(set(" ".join(lines).split()), key=len, reverse=True))
        for name, lines in sections("eastern.txt").items()
    }
    han, hangul, arabic = (lists[name] for name in ("han", "hangul", "arabic"))
    more = rf"(?: (?:بن|ابن|بنت|آل|أبو|عبد) ?{_ARABIC}| ال{_ARABIC}| (?:{arabic})(?!{_ARABIC}))"
    kana, ends = r"[\u3040-\u30ff\u4e00-\u9fff]", r"(?=です|と申|といい|と言|。|$)"
    korean, polite = rf"((?:{hangul})[가-힣]{{1,2}})", "씨|님|선생님|과장님?|부장님?|대리님?"
    titles = "اسمي|إسمي|السيدة?|الدكتورة?|الأستاذة?|زوجي|زوجتي|أخي|أختي|صديقي|صديقتي|مديري"
    patterns = (
        rf"(?:我叫|名叫|叫做|姓名:|名字是|名字叫|我是|联系人:?)\s*((?:{han}){_GIVEN}{{1,2}})",
        rf"((?:{han})(?:{_GIVEN}){{0,2}})(?=(?:{_TITLES}))",
        rf"(?:私は|わたしは|僕は|名前は|氏名:|お名前:)\s*({kana}{{2,7}}?){ends}",
        rf"(?:^|[^\u4e00-\u9fffお])((?!お客|皆){_KANJI}{{2,4}}|[\u30a1-\u30fc]{{3,8}})"
        r"(?=さん|様|氏(?!名)|くん)",
        rf"(?:이름은|성함은|저는|성명:|이름:)\s*{korean}(?=입니다|이에요|예요|이라고|라고|[ .,]|$)",
        rf"(?<![가-힣]){korean}(?= ?(?:{polite})(?![가-힣]))",
        rf"(?:{titles}) +({_ARABIC}(?:{more})*)",
        rf"(?<![\u0621-\u064a])[وبلف]?((?:{arabic})(?:{more})*)(?![\u0621-\u064a])",
        rf"(?:मेरा नाम|श्रीमती|श्री|डॉ\.?) +({_HINDI}(?: +(?!है|हूँ|ने|को|से|का|की|के){_HINDI})?)",
        rf"(?:שמי|קוראים לי|מר|גברת) +({_HEBREW}(?: +{_HEBREW})?)",
    )
    return tuple(map(re.compile, patterns))
