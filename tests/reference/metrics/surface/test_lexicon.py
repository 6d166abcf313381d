from __future__ import annotations

import pytest

from assize.reference._metrics.surface import lexicon
from assize.reference._metrics.tokens import words


@pytest.mark.parametrize(
    "text",
    ["I am a nurse.", "The bot failed.", "As a friend, I would wait.", "AI is a wide field."],
)
def test_who_only_speaks_of_an_ai_is_not(text: str) -> None:
    assert not lexicon.SELF.found(text, frozenset(words(text)))


@pytest.mark.parametrize(
    ("phrases", "text"),
    [
        (lexicon.GREETING, "Good morning, Ann"),
        (lexicon.GREETING, "你好，安"),
        (lexicon.THANKING, "OK thanks!"),
        (lexicon.APOLOGISING, "So sorry about that"),
        (lexicon.FAREWELL, "Have a nice day"),
        (lexicon.OFFERING, "Let me know if it works"),
        (lexicon.SELF, "As an AI language model, I cannot."),
        (lexicon.SELF, "I'm ChatGPT."),
        (lexicon.SELF, "I am just a bot!"),
        (lexicon.SELF, "Als KI kann ich das nicht."),
        (lexicon.SELF, "En tant qu'IA, je ne peux pas."),
        (lexicon.SELF, "作为人工智能，我不能。"),
        (lexicon.SELF, "I was trained by OpenAI."),
        (lexicon.SELF, "I am an experienced AI assistant."),
    ],
)
def test_manners_and_who_calls_itself_an_ai_are_found(phrases: lexicon.Phrases, text: str) -> None:
    assert phrases.found(text, frozenset(words(text)))


def test_no_word_is_of_two_moods_or_registers() -> None:
    assert not lexicon.POSITIVE & lexicon.NEGATIVE
    assert not lexicon.FORMAL & lexicon.INFORMAL
    assert not lexicon.AGREEING & lexicon.REFUSING


def test_each_phrase_is_looked_for_by_a_word_that_it_holds() -> None:
    # an ASCII text is passed over where none of these words stands
    for name in ("GREETING", "THANKING", "APOLOGISING", "FAREWELL", "OFFERING", "SELF"):
        phrases = getattr(lexicon, name)
        assert phrases.words
        assert all(word == word.lower() for word in phrases.words)
