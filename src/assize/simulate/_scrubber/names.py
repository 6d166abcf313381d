"""Where people's names stand in a text: by what stands before them, by a list of given names.

No list holds every name and no rule knows one by its look, so some are missed: `docs/scrub.md`
has the shares on planted names. Whoever knows the names of a file gives them as `terms`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from assize.simulate._scrubber.patterns import Found

LIST = Path(__file__).with_name("given_names.txt")
EVERYDAY = Path(__file__).with_name("everyday.txt")
_WORD = r"[^\W\d_a-zß-öø-ÿ][^\W\d_]*(?:['\u2019-][^\W\d_]+)*"  # begins with a capital
_PARTICLE = r"(?:(?:van|von|de|der|den|del|della|di|da|dos|la|le|bin|ibn|al|el|ter|zu)[ ]+){0,2}"
_NAME = rf"{_WORD}(?:[ ]+{_PARTICLE}{_WORD}){{0,3}}"
_SURE = re.compile(
    rf"\b(?i:my (?:full )?name is|my name's|(?:his|her|their|whose|the) name is|name[ ]?:|named"
    rf"|i am called|he is called|she is called|mr|mrs|ms|miss|mx|dr|prof|professor|sir|madam|herr"
    rf"|frau|monsieur|madame|se\u00f1or|se\u00f1ora|uncle|aunt|auntie)\b[.:]?[ ]+({_NAME})"
)
_SMALL = re.compile(r"\b(?i:my name is|my name's|name[ ]?:)[ ]+([a-z]+(?:[ ][a-z]+)?)\b")
_WEAK = re.compile(
    rf"\b(?i:i'm|i am|i\u2019m|this is|it's|dear|hi|hello|hey|thanks|thank you|regards|sincerely"
    rf"|cheers|yours|love|best|from|with|and|by|to|for|ask|tell|told|asked|call|met|meet|contact"
    rf"|colleague|boss|manager|friend|husband|wife|son|daughter|brother|sister|mother|father|mom"
    rf"|mum|dad|partner|neighbou?r|doctor|teacher|cousin|roommate|flatmate|girlfriend|boyfriend"
    rf"|signed)\b,?\s+({_NAME})"
)
_RUN = re.compile(_NAME)
_CUE_ALONE = re.compile(
    r"(?i)^(?:i'm|i am|i\u2019m|this is|dear|hi|hello|hey|regards|sincerely|cheers|yours|signed"
    r"|colleague|boss|manager|friend|husband|wife|son|daughter|brother|sister|mother|father|mom"
    r"|mum|dad|partner|neighbou?r|cousin|roommate|flatmate|girlfriend|boyfriend)\b"
)


@cache
def given_names(path: Path = LIST) -> tuple[frozenset[str], frozenset[str]]:
    """Given names in small letters: those that are nothing else, and those that are words too."""
    sure: set[str] = set()
    words: set[str] = set()
    into = sure
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# words"):
            into = words
        elif not line.startswith("#"):
            into.update(line.casefold().split())
    return frozenset(sure), frozenset(words)


@cache
def everyday_words(path: Path = EVERYDAY) -> frozenset[str]:
    """Words, in small letters, that are no part of a name."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def named(text: str) -> list[Found]:
    """The names in a text, from left to right.

    A run of capitalised words is a name after words that come before names alone ("my name is",
    "Dr"), and where it begins with a known given name. After words that often come before names
    ("my wife", "Hi"), any such run is one that holds no everyday word. A given name that is a
    word too (Will, Rose) needs such a cue, or a word with a capital behind it.

    >>> [text[one.start : one.end] for text in ["I met Anna Kowalska in Rome."]
    ...  for one in named(text)]
    ['Anna Kowalska']
    """
    found: dict[int, Found] = {}
    for start, end in (*_introduced(text), *_listed(text)):
        if start not in found or end > found[start].end:
            found[start] = Found(start, end, "NAME")
    kept: list[Found] = []
    for one in sorted(found.values(), key=lambda one: (one.start, -one.end)):
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return kept


def _introduced(text: str) -> Iterator[tuple[int, int]]:
    for one in _SURE.finditer(text):
        yield _cut(text, one.start(1), one.end(1))
    for one in _SMALL.finditer(text):
        words = [word for word in one[1].split() if word not in everyday_words()]
        if words and one[1].startswith(words[0]):
            yield one.start(1), one.start(1) + len(" ".join(words))
    for one in _WEAK.finditer(text):
        start, end = _cut(text, one.start(1), one.end(1))
        said = text[start:end].split()
        alone = _CUE_ALONE.match(one[0]) is not None
        if said and (alone or said[0].casefold() in given_names()[1]):
            yield start, end


def _listed(text: str) -> Iterator[tuple[int, int]]:
    sure, words = given_names()
    for run in _RUN.finditer(text):
        at = run.start()
        for word in re.finditer(r"\S+", run[0]):
            first = re.split(r"['\u2019]s\b", word[0])[0].casefold().split("-")[0]
            start, end = _cut(text, at + word.start(), run.end())
            followed = len(text[start:end].split()) > 1
            if first in sure or (first in words and followed):
                yield start, end
                break


def _cut(text: str, start: int, end: int) -> tuple[int, int]:
    """The run up to its first everyday word, without a possessive ending."""
    kept = start
    for word in re.finditer(r"\S+", text[start:end]):
        plain = word[0].casefold()
        if plain in everyday_words() or (
            len(word[0]) > 1 and word[0].isupper() and len(word[0]) < 4
        ):
            break
        kept = start + word.end()
    ending = re.search(r"['\u2019]s?$", text[start:kept])
    return start, kept - (len(ending[0]) if ending else 0)
