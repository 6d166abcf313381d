from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assize.simulate._scrubber.fold import fold


def test_signs_become_plain_and_know_where_they_stood() -> None:
    text = "A\u0308n\u200ba \uff20\uff11"
    folded = fold(text)
    assert folded.text == "Äna @1"
    assert [text[start] for start in folded.starts[:-1]] == ["A", "n", "a", " ", "\uff20", "\uff11"]
    assert folded.starts[-1] == len(text)


def test_a_sign_that_stands_for_several_keeps_its_place() -> None:
    assert fold("\ufb01x").text == "fix"
    assert list(fold("\ufb01x").starts) == [0, 0, 1, 2]


def test_a_long_vowel_is_a_dash_between_digits_alone() -> None:
    assert fold("０９０ー12 メール").text == "090-12 メール"


@given(st.text(max_size=80))
def test_places_rise_and_cover_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.starts) == len(folded.text) + 1
    assert list(folded.starts) == sorted(folded.starts)
    assert folded.starts[-1] == len(text)
