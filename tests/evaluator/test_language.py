from __future__ import annotations

import pytest

from assize.evaluator.language import language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, could you tell me what the weather is like in Leeds?", "en"),
        ("Guten Tag, ich habe eine Frage zu meiner Rechnung.", "de"),
        ("Bonjour, je voudrais savoir quand le train est parti.", "fr"),
        ("Hola, ¿me puede decir dónde está la estación de tren?", "es"),
        ("Buongiorno, vorrei sapere come si prepara il risotto.", "it"),
        ("Olá, você pode me dizer como é o tempo em Lisboa?", "pt"),
        ("Hallo, kunt u mij zeggen wat het weer is in Utrecht?", "nl"),
        ("你好，请问明天的天气怎么样？", "han"),
        ("Здравствуйте, как пройти на вокзал?", "cyrillic"),
        ("مرحبا، كيف حالك اليوم؟", "arabic"),
        ("こんにちは、げんきですか。", "hiragana"),
    ],
)
def test_a_sentence_is_recognised(text: str, expected: str) -> None:
    assert language([text]) == expected


@pytest.mark.parametrize("text", ["", "ok", "42 17 3", "!!!", "qwrt zxcv bnmp lkjh fghj"])
def test_too_little_says_nothing(text: str) -> None:
    assert language([text]) is None


def test_english_with_foreign_names_and_emoji_stays_english() -> None:
    assert language(["I met José and Zoë in Kraków and we had a great time 🎉 you know"]) == "en"


def test_a_quoted_foreign_sentence_does_not_tip_a_long_english_text() -> None:
    english = "It is what the sign said and I do not know what that means for us. " * 3
    assert language([english, "Das ist nicht erlaubt."]) == "en"
