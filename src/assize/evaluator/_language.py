"""Which language a text is in: enough to say that it is not English.

py3langid names the language with a probability; below one half nothing is said, as of texts that
are too short to tell. Its model ships with its wheel: nothing is fetched.

Source: Lui and Baldwin (2012), "langid.py: An Off-the-shelf Language Identification Tool".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import Any

from assize.base.errors import MissingExtra

_GREETING = (
    "hi hey hello hiya howdy yo greetings morning afternoon evening night day good there hola"
    " buenos buenas días dias tardes noches bonjour salut coucou hallo guten tag morgen abend moin"
    " servus ciao buongiorno buonasera salve olá ola oi bom boa dia tarde noite cześć czesc hej"
    " dzień dobry merhaba selam salam hei hejsan tere labas sveiki ahoj čau bok zdravo szia helló"
    " bună salut kumusta halo xin chào привет здравствуйте добрый день مرحبا السلام عليكم"
    " नमस्ते 你好 您好 こんにちは 안녕하세요 안녕 test ping ok okay thanks thank you thx bye"
)
_GREETINGS = frozenset(_GREETING.split())
_LONGEST_GREETING = 6  # words
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_READ = 4_000  # characters looked at
_SURE = 0.5  # probability below which nothing is said
_NO_LANGUAGE = "zxx"  # the code of text without linguistic content


def language(texts: Iterable[str]) -> str | None:
    """Return the ISO 639-1 code of the texts' language; None where it cannot be told.

    Args:
        texts: read together, up to a bound.

    Raises:
        MissingExtra: py3langid is not installed.

    >>> language(["Wie geht es dir? Ich habe das nicht verstanden."]), language(["ok"])
    ('de', None)
    """
    code, probability = _identifier().classify("\n".join(texts)[:_READ])
    return code if probability >= _SURE and code != _NO_LANGUAGE else None


@cache
def _identifier() -> Any:
    """The model, loaded once a process: half a second."""
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError as error:
        raise MissingExtra("telling languages apart", extra="score", missing="py3langid") from error
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def is_greeting(texts: Iterable[str]) -> bool:
    """Whether the texts together are no more than a greeting, or words as short.

    >>> is_greeting(["Hi!"]), is_greeting(["Hi, where is my parcel?"]), is_greeting([""])
    (True, False, False)
    """
    text = unicodedata.normalize("NFC", "\n".join(texts)[:_READ])
    words = _WORD.findall(text.lower())
    return 0 < len(words) <= _LONGEST_GREETING and _GREETINGS.issuperset(words)
