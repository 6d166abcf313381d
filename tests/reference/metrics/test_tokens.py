from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.reference._metrics.tokens import tokenise, words

LATIN = st.text(st.characters(max_codepoint=0x24F, exclude_categories=["Cs"]))


@given(LATIN)
def test_latin_text_has_rouge_scores_tokens(text: str) -> None:
    expected = [one for one in re.sub("[^a-z0-9]+", " ", text.lower()).split() if one]
    assert tokenise(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我喜欢猫。", ["我", "喜", "欢", "猫"]),
        ("東京タワー", ["東", "京", "タ", "ワ", "ー"]),
        ("ผมชอบ", ["ผ", "ม", "ช", "อ", "บ"]),
        ("ที่นี่", ["ที่", "นี่"]),
        ("Я люблю кошек!", ["я", "люблю", "кошек"]),
        ("हिन्दी भाषा", ["हिन्दी", "भाषा"]),
        ("안녕 세계", ["안녕", "세계"]),
        ("GPT-4 は速い", ["gpt", "4", "は", "速", "い"]),
        ("“naïve” — 猫", ["na", "ve", "猫"]),
    ],
)
def test_other_scripts_give_a_word_or_a_letter_each(text: str, expected: list[str]) -> None:
    assert tokenise(text) == expected


def test_words_keep_accents_and_inner_apostrophes() -> None:
    assert words("Don’t worry, l'été arrive: 'tis 9!") == [
        "don't",
        "worry",
        "l'été",
        "arrive",
        "tis",
        "9",
    ]
