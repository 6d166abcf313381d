"""Markdown of strangers: what it may look like, and that it can do nothing."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.pages.markdown import LONGEST, MOST_MARKS, markdown, prose


@pytest.mark.parametrize(
    ("text", "found", "never"),
    [
        ("**bold** and *soft*", "<strong>bold</strong> and <em>soft</em>", "*"),
        ("- one\n- two", "<li>one</li>", "-"),
        ("```py\nx < 1\n```", '<pre><code class="language-py">x &lt; 1', "```"),
        ("| a |\n|---|\n| 1 |", "<td>1</td>", "|"),
        ("one\ntwo", "one<br />\ntwo", "<br>"),
        # A link leads nowhere, and shows where it would.
        (
            "[here](https://evil.example/?a=1&b=2)",
            "(https://evil.example/?a=1&amp;b=2)",
            "href",
        ),
        ("![a cat](https://evil.example/track.gif)", "[image: a cat]", "evil.example"),
        ("![a cat](https://evil.example/track.gif)", "[image: a cat]", "<img"),
        ("![<b>x](https://evil.example)", "[image: &lt;b&gt;x]", "<b>"),
        ("<script>alert(1)</script><img src=x onerror=alert(1)>", "&lt;script&gt;", "<script"),
        ("| a |\n|:-:|\n| 1 |", "<td>1</td>", "style"),
        ("**x** " * LONGEST, '<p class="plain">', "<strong>"),  # too long
    ],
    ids=lambda part: part[:20],
)
def test_what_assistants_write_is_shown_as_meant_and_can_do_nothing(
    text: str, found: str, never: str
) -> None:
    made = markdown(text)
    assert found in made
    assert never not in made


ALLOWED = {
    "p",
    "strong",
    "em",
    "s",
    "code",
    "pre",
    "ul",
    "ol",
    "li",
    "blockquote",
    "hr",
    "br",
    "span",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}


def test_lines_of_a_file_that_were_broken_to_fit_flow() -> None:
    assert prose("one\ntwo") == "<p>one\ntwo</p>\n"


def test_deep_nesting_ends() -> None:
    assert markdown("> " * 5_000 + "x")


@given(
    st.lists(
        st.sampled_from(
            [
                "<",
                ">",
                '"',
                "'",
                "&",
                "[",
                "](",
                ")",
                "![",
                "`",
                "```\n",
                "javascript:",
                "\n",
                "|",
                "<a href=x onclick=y>",
                "\x00",
                "\u202e",
                "style=",
                "&#106;",
                "  ",
                "text",
            ]
        ),
        max_size=30,
    ).map("".join)
)
def test_nothing_but_plain_elements_comes_out(text: str) -> None:
    made = markdown(text)
    for name, rest in re.findall(r"<\s*/?\s*([a-zA-Z0-9]+)([^>]*)>", made):
        assert name in ALLOWED
        attributes = set(re.findall(r"([\w-]+)=\"", rest))
        assert attributes <= {"class", "title", "start"}


def test_a_text_of_too_many_marks_stands_as_it_is() -> None:
    """Reading 25,000 images that are not closed took three seconds."""
    assert markdown("![" * (MOST_MARKS // 2)).startswith("<p>![")
    for mark in ("![", "[a](", "a|b\n-|-\n", "*a_ "):
        assert markdown(mark * (LONGEST // len(mark))).startswith('<p class="plain">')
