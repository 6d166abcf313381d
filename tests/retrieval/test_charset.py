"""A page is read by the encoding that it names, where it is no UTF-8."""

from __future__ import annotations

import pytest

from assize.retrieval.charset import html_decoded


@pytest.mark.parametrize(
    ("head", "encoding", "text"),
    [
        ('<meta charset="ISO-8859-1">', "cp1252", "Schl\u00fcssel \u20ac"),
        ("<META CHARSET=windows-1251>", "cp1251", "\u043a\u043b\u044e\u0447"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">',
            "cp932",
            "\u9375",
        ),
        (
            "<meta content='text/html;charset=gb2312' http-equiv=Content-Type>",
            "gb18030",
            "\u94a5\u5319\u5bc6\u7801",
        ),
        ('<?xml version="1.0" encoding="koi8-r"?>', "koi8-r", "\u043a"),
        ("<meta charset=latin1>", "utf-8", "a lie: \u00fc"),
        ("", "utf-8-sig", "\u00fc"),
        ("", "utf-16", "\u00fc"),
    ],
)
def test_the_encoding_is_that_of_the_bytes_or_the_one_named(
    head: str, encoding: str, text: str
) -> None:
    page = f"{head}<p>{text}"
    assert html_decoded(page.encode(encoding)) == (page, True)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"<meta charset=nonsense>",
        b"<meta charset=utf-8>",
        b"<meta charset=rot13>",
        b"<meta charset=unicode_escape>",
        b"<meta charset=utf-7>",
        b"<meta charset=idna>",
        b"<!--" + b" " * 1024 + b"--><meta charset=latin1>",
    ],
)
def test_without_one_that_is_known_bytes_are_replaced_and_it_is_said(head: bytes) -> None:
    assert html_decoded(head + b"a\xffb") == (head.decode() + "a\ufffdb", False)
