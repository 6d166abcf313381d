"""Long texts cut to a bounded size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assize.results.abridge import Abridged, abridge


@given(st.text(max_size=60), st.integers(1, 30))
def test_an_abridged_text_says_how_much_is_missing(text: str, limit: int) -> None:
    short = abridge(text, limit)
    assert len(short.head) + short.left_out + len(short.tail) == len(text)
    assert text.startswith(short.head)
    assert text.endswith(short.tail)
    if len(text) <= limit:
        assert short == Abridged(text)
    else:
        assert len(short.head) + len(short.tail) <= limit
