"""Words are runs of letters and digits, in lower case; scripts without spaces give characters."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as some

from assize.retrieval.words import spans, words_of


def test_words_of_several_scripts() -> None:
    assert words_of("Storage-Keys v3.4") == ["storage", "keys", "v3", "4"]
    assert words_of("Über Größe") == ["über", "größe"]
    assert words_of("用Azure文件") == ["用", "azure", "文", "件"]
    assert words_of(" ?! ") == []


@settings(max_examples=40)
@given(some.text(max_size=40))
def test_spans_are_in_order_and_words_hold_no_blank(text: str) -> None:
    found = list(spans(text))
    assert found == sorted(found)
    assert all(text[a:b].strip() == text[a:b] != "" for a, b in found)
