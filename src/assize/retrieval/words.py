"""The words by which texts are found: as they stand, in lower case, none left out, none stemmed.

This is what Elasticsearch's standard analyser does, which LLM-Rubric searched with: a run of
letters and digits is a word, and each Chinese or Japanese character is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

VERSION = 1  # rises when the same text would give other words

_EACH = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # scripts without spaces
_ASCII = re.compile(r"\w+", re.ASCII)
_ANY = re.compile(rf"[{_EACH}]|[^\W{_EACH}]+")


def words_of(text: str) -> list[str]:
    """The words of a text.

    >>> words_of("Rotate Storage-Keys v3.4!"), words_of("Azure 文件")
    (['rotate', 'storage', 'keys', 'v3', '4'], ['azure', '文', '件'])
    """
    return [text[start:end].lower() for start, end in spans(text)]


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each word begins and ends."""
    pattern = _ASCII if text.isascii() else _ANY
    return (found.span() for found in pattern.finditer(text))
