"""Which language a text is in: enough to say that it is not English.

A small deterministic detector: the script of the letters first, then, for Latin letters,
which language's frequent words occur most. It names what it recognises and keeps silent
about short texts; it is no general language identifier.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable

from assize.evaluator.features.surface import words

_SCRIPTS = (
    "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "CYRILLIC", "ARABIC", "HEBREW", "GREEK",
    "DEVANAGARI", "THAI", "BENGALI", "TAMIL", "ARMENIAN", "GEORGIAN", "ETHIOPIC",
)  # fmt: skip

_FREQUENT = {
    "en": "the and to of is you that it in for on are with this have be what do not i my your"
    " can was but if so we me how just about like there would a an they he she from at or"
    " will yes no hi hello thanks please sure know",
    "es": "el la los las de que y en un una es por con para se lo su al del como pero más qué"
    " está no me mi te tu yo muy sí hola gracias puede son hay también cómo",
    "fr": "le la les de des et en un une est que qui dans pour pas vous je il elle sur au avec"
    " ce cette mais ne nous votre bonjour merci oui non plus du être avez suis c'est",
    "de": "der die das und ist ich nicht ein eine zu den mit es sie auf für wie im dem von"
    " auch was wir mir bitte danke haben kann hallo aber sind ja nein",
    "it": "il lo la gli le di che e è un una per con non sono mi si del della come ma più ciao"
    " grazie anche questo ho hai perché nel vorrei",
    "pt": "o a os as de que e é um uma para com não em por se do da no na mais como mas você"
    " olá obrigado eu meu sim também está isso são",
    "nl": "de het een en van ik je niet dat is op te in met voor zijn er maar om ook wat hoe"
    " hallo kunt naar aan heb kan mijn graag",
    "pl": "nie to się w na i z jest że do jak ale tak co mi czy dla proszę dziękuję mam po za"
    " jestem może cześć",
    "tr": "bir ve bu için ne ben de da mi çok var ile nasıl daha evet hayır merhaba teşekkürler"
    " olarak ama gibi",
    "sv": "och att det är jag en som på inte för med av till har du den om hej tack kan hur vad"
    " men ett",
    "id": "yang dan di ini itu untuk dengan tidak saya anda ada dari apa ke bisa akan terima"
    " kasih halo bagaimana",
    "vi": "là của và có không tôi bạn cho được một những trong này với để xin chào cảm ơn",
}
_WORDS = {language: frozenset(text.split()) for language, text in _FREQUENT.items()}
_ENOUGH_WORDS = 4
_ENOUGH_LETTERS = 4
_READ = 4_000  # characters looked at


def language(texts: Iterable[str]) -> str | None:
    """The language of the texts together, as far as it is recognised.

    Returns:
        `en` or another two-letter code for a Latin-script language whose frequent words
        prevail; the name of a script (`han`, `cyrillic`, ...) where more than a third of
        the letters are in it; None where there is too little to tell.

    >>> language(["Wie geht es dir? Ich habe das nicht verstanden."])
    'de'
    """
    text = "\n".join(texts)[:_READ]
    found = _script(text)
    if found is not None:
        return found
    spoken = words(text)
    if len(spoken) < _ENOUGH_WORDS:
        return None
    hits = {name: sum(word in known for word in spoken) for name, known in _WORDS.items()}
    best = max(hits, key=lambda name: hits[name])  # English comes first, and wins a tie
    return best if hits[best] >= max(2, len(spoken) // 20) else None


def _script(text: str) -> str | None:
    """The script other than Latin that most of a third of the letters are in."""
    letters = [char for char in text if char.isalpha()]
    if len(letters) < _ENOUGH_LETTERS:
        return None
    foreign = Counter(_name(char) for char in letters if not char.isascii())
    foreign.pop(None, None)
    if sum(foreign.values()) * 3 <= len(letters):
        return None
    name = foreign.most_common(1)[0][0]
    return "han" if name == "cjk" else name


def _name(char: str) -> str | None:
    first = unicodedata.name(char, "").split(" ")[0]
    return first.lower() if first in _SCRIPTS else None
