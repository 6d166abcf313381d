"""Bytes of an HTML page to text, by the character encoding that the page names."""

from __future__ import annotations

import codecs
import re

_HEAD = 1024  # bytes in which a page has to name its encoding, as browsers want it
_NAMED = re.compile(
    rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]{1,40})"""
    rb"""|<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_AS_BROWSERS_DO = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_TEXT = re.compile(r"cp\d+|iso8859-\d+|koi8-\w|mac-\w+|gb18030|big5\w*|euc_\w+|johab")
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def html_decoded(data: bytes) -> tuple[str, bool]:
    """The text, and whether all of it could be read.

    UTF-8 where the bytes are that; else by the encoding that `<meta charset>`, `<meta http-equiv>`
    or the XML declaration names; else UTF-8 with a stand-in for each byte that is none.

    >>> html_decoded(b'<meta charset="iso-8859-2">\\xb1')
    ('<meta charset="iso-8859-2">ą', True)
    """
    marked = _MARKS.get(data[:2])
    if marked is not None:
        return data.decode(marked, errors="replace"), True
    try:
        return data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        named = _named(data[:_HEAD])
    return data.decode(named or "utf-8-sig", errors="replace"), named is not None


def _named(head: bytes) -> str | None:
    """The codec of the encoding that is named, where it is one of text."""
    found = _NAMED.search(head)
    if found is None:
        return None
    try:
        name = codecs.lookup((found[1] or found[2]).decode("ascii")).name
    except (LookupError, ValueError):
        return None
    name = _AS_BROWSERS_DO.get(name, name)
    return name if _TEXT.fullmatch(name) else None
