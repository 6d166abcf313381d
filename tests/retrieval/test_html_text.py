"""A page's text is what a browser shows, whatever the page tries."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from assize.retrieval.html_text import html_decoded, html_text


@pytest.mark.parametrize(
    ("html", "title", "text"),
    [
        ("<title>A &amp; B</title><body><h1>Hi</h1><p>b<br>c <b>d</b></p>", "A & B", "Hi\nb\nc d"),
        ("a<script>if (a<b) x()</SCRIPT>b<style>p{}</style>c", "", "abc"),
        ("<p hidden>x<p>y</p>z", "", "y\nz"),
        ("<div style='color: red; display:none'>a<div>b</div>c</div>d", "", "d"),
        ("<span aria-hidden=true>a</span>b<p data-x='hidden'>c", "", "b\nc"),
        ('a <b title="x > y">c</b> <!-- no > --> d<img alt="q>r"/>e', "", "a c de"),
        ("<svg><title>no</title><text>n</text></svg>f &lt;script&gt;", "", "f <script>"),
        ("a<details><summary>Sum</summary>Body</details>b", "", "a\nSum\nBody\nb"),
        (
            "a<fieldset><legend>b</legend>c</fieldset><figcaption>d</figcaption>e",
            "",
            "a\nb\nc\nd\ne",
        ),
        ("a<dl><dt>b</dt><dd>c</dd></dl><optgroup>d<option>e</optgroup>f", "", "a\nb\nc\nd\ne\nf"),
        ("<table><caption>a</caption><td>b</table><menu><li>c</menu>d", "", "a\nb\nc\nd"),
        ("<button>Save</button><button>Stop</button>", "", "Save Stop"),
        ("a<dialog>no<p>no</dialog><dialog open>b</dialog>c", "", "a\nb\nc"),
        ("a<dialog title='not open '>no</dialog><div popover>no</div>", "", "a"),
        ("<p style='opacity: 0'>no<p style='opacity:.0;'>no<p style='opacity:0.5'>a", "", "a"),
        (
            "<p style='font-size:0'>no<p style='font-size: 0px !important'>no"
            "<p style='font-size:0.8em'>a<p style='fill-opacity:0'>b",
            "",
            "a\nb",
        ),
        (
            """<p style="background:url('x');display:none">no<p style=opacity&#58;0>no<p>a""",
            "",
            "a",
        ),
        ("<a title='the hidden cost'>a</a>", "", "a"),
        (r"<p style='d\69splay:none'>no<p style='d\000069 splay:none'>no<p>a", "", "a"),
        ("<p style='DISPLAY:/* x */NONE'>no<p style='display/**/:/*'>a", "", "a"),
        (r"<p STYLE='visib\69lity:hidden'>no<p style='opac\ity:0e3'>no<p>a", "", "a"),
        ("<p id='x'style='display:none'>no<p/style='display:none'>no<p/hidden>no<p>a", "", "a"),
        (r"<p style='x\ffffff:1;x:\0;display:block'>a<p style='dis/**/play:none'>b", "", "a\nb"),
        ("no markup at all < 5", "", "no markup at all < 5"),
        ("<title>never closed <p>text</p>", "", "never closed\ntext"),
        ("a<!-- never closed <p>b", "", "a"),
        ("a<script>never closed b", "", "a"),
        ("<![CDATA[x]]>a<?php y ?>b", "", "ab"),
        ("", "", ""),
    ],
)
def test_text_is_what_is_seen(html: str, title: str, text: str) -> None:
    found = html_text(html)
    assert (found.title, found.text) == (title, text)


@settings(max_examples=50)
@given(some.text(alphabet="<>/!-'\"= abpscript\n&;", max_size=300))
def test_nothing_breaks_it_and_no_line_is_empty(html: str) -> None:
    found = html_text(html)
    assert all(line == line.strip() and line for line in found.text.splitlines())


@pytest.mark.parametrize(
    "piece",
    [
        "<!--",
        "<",
        "<a ",
        "<a b='",
        '<a b=">',
        "&#",
        "<script>",
        "<title>",
        "<![CDATA[",
        "</",
        "<!",
        "<div hidden>",
        ' style="',
        "<a =",
        "<svg></x>",
        "<p style='opacity:",
        "<p style='x' hidden ='",
        "<dialog style=0",
    ],
)
def test_no_page_takes_longer_than_its_length_asks_for(piece: str) -> None:
    """Were it quadratic in any of these, this would take minutes."""
    assert isinstance(html_text("<a" + piece * 40_000).text, str)


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
