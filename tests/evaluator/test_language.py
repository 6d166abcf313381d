from __future__ import annotations

import pytest

from assize.evaluator._language import is_greeting, language

ENGLISH = "It is what the sign said and I do not know what that means for us. "


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["Hello, could you tell me what the weather is like in Leeds?"], "en"),
        (["Guten Tag, ich habe eine Frage zu meiner Rechnung."], "de"),
        (["Bonjour, je voudrais savoir quand le train est parti."], "fr"),
        (["Hola, ¿me puede decir dónde está la estación de tren?"], "es"),
        (["Buongiorno, vorrei sapere come si prepara il risotto."], "it"),
        (["Olá, você pode me dizer como é o tempo em Lisboa?"], "pt"),
        (["Hallo, kunt u mij zeggen wat het weer is in Utrecht?"], "nl"),
        (["Cześć, gdzie jest moja paczka?"], "pl"),
        (["czesc, mam problem z zamowieniem"], "pl"),
        (["Merhaba, siparişim nerede?"], "tr"),
        (["merhaba kargom hala gelmedi ne zaman gelir"], "tr"),
        (["Jag kan inte logga in på mitt konto."], "sv"),
        (["Miten vaihdan salasanani tähän palveluun?"], "fi"),
        (["Kde je můj balík? Měl přijít včera."], "cs"),
        (["Hol van a csomagom? Tegnap kellett volna megjönnie."], "hu"),
        (["Unde este coletul meu? Trebuia să ajungă ieri."], "ro"),
        (["Kur yra mano siunta? Ji turėjo atvykti vakar."], "lt"),
        (["Saya tidak bisa masuk ke akun saya."], "id"),
        (["Làm thế nào để đổi mật khẩu?"], "vi"),
        (["你好，请问明天的天气怎么样？"], "zh"),
        (["Здравствуйте, как пройти на вокзал?"], "ru"),
        (["مرحبا، كيف حالك اليوم؟"], "ar"),
        (["こんにちは、げんきですか。"], "ja"),
        # foreign names and emoji in English
        (["I met José and Zoë in Kraków and we had a great time 🎉 you know"], "en"),
        # a quoted foreign sentence
        ([ENGLISH * 3, "Das ist nicht erlaubt."], "en"),
        # too little
        *(([text], None) for text in ("", "ok", "42 17 3", "!!!", "qwrt zxcv bnmp lkjh fghj")),
        # one word again and again: `word` is Afrikaans too, which is no reason to leave it unscored
        (["word " * 1_000], None),
    ],
)
def test_a_sentence_is_recognised_and_too_little_says_nothing(
    texts: list[str], expected: str | None
) -> None:
    assert language(texts) == expected


@pytest.mark.parametrize(
    "text",
    [
        "no it didnt work, i get error 404 again",
        "do i need a visa for turkey",
        "Translate 'guten Morgen' to English for me please",
        "List three facts about Kraków and São Paulo",
        "He said la vie est belle, what does that mean?",
    ],
)
def test_short_english_with_foreign_words_is_taken_for_no_other_language(text: str) -> None:
    assert language([text]) in ("en", None)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["hi"], True),
        (["Guten Tag!", ""], True),
        (["你好"], True),
        (["hi", "hello?"], True),
        ([""], False),
        (["why"], False),
        (["hi, it broke"], False),
        (["hi " * 9], False),
    ],
)
def test_a_greeting_is_told_from_a_question(texts: list[str], expected: bool) -> None:
    assert is_greeting(texts) is expected
