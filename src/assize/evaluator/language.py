"""Which language a text is in: enough to say that it is not English.

A small deterministic detector: the script of the letters first; then, for Latin letters, the
frequent words of each language, those of few languages counting most, and its own letters. It
names what it recognises and keeps silent about short texts.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping

_GREETING = (
    "hi hey hello hiya howdy yo greetings morning afternoon evening night day good there hola"
    " buenos buenas días dias tardes noches bonjour salut coucou hallo guten tag morgen abend moin"
    " servus ciao buongiorno buonasera salve olá ola oi bom boa dia tarde noite cześć czesc hej"
    " dzień dobry merhaba selam salam hei hejsan tere labas sveiki ahoj čau bok zdravo szia helló"
    " bună salut kumusta halo xin chào привет здравствуйте добрый день مرحبا السلام عليكم"
    " नमस्ते 你好 您好 こんにちは 안녕하세요 안녕 test ping ok okay thanks thank you thx bye"
)
_GREETINGS = frozenset(_GREETING.split())
_SCRIPTS = (
    "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "CYRILLIC", "ARABIC", "HEBREW", "GREEK",
    "DEVANAGARI", "THAI", "BENGALI", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "GUJARATI",
    "GURMUKHI", "SINHALA", "LAO", "KHMER", "MYANMAR", "TIBETAN", "MONGOLIAN", "ARMENIAN",
    "GEORGIAN", "ETHIOPIC",
)  # fmt: skip

# By language: frequent words of talk between people and assistants, and letters beyond a to z.
_LANGUAGES: Mapping[str, tuple[str, str]] = {
    "en": (
        "the and to of is you that it in for on are with this have be what do not i my your was"
        " can but if so we me how just about like there would a an they he she from at or as by"
        " will yes no hi hello thanks thank please sure know does did has had been their them"
        " could should when where which who why any some more than then here get need want help"
        " good one out up our its it's i'm don't i'd i've you're that's let make use all also",
        "",
    ),
    "es": (
        "el la los las de que y en un una es por con para se lo su al del como pero más qué está"
        " no me mi te tu yo muy sí hola gracias puede son hay también cómo cuando dónde quiero"
        " puedo usted tengo mis este esta favor porque buenos necesito",
        "áéíóúñü",
    ),
    "pt": (
        "o a os as de que e é um uma para com não em por se do da no na mais como mas você olá"
        " obrigado obrigada eu meu minha sim também está isso são posso quero preciso pode quando"
        " onde por favor bom dia fazer",
        "áâãàçéêíóôõú",
    ),
    "fr": (
        "le la les de des et en un une est que qui dans pour pas vous je il elle sur au avec ce"
        " cette mais ne nous votre bonjour merci oui non plus du être avez suis c'est j'ai mon ma"
        " mes peux pouvez comment quand où quel quelle quoi tu ça aux sont faire",
        "àâæçéèêëîïôœùûü",
    ),
    "it": (
        "il lo la gli le di che e è un una per con non sono mi si del della come ma più ciao"
        " grazie anche questo ho hai perché nel vorrei posso può buongiorno quando dove mio mia"
        " cosa ha alla al dei sì molto fare",
        "àèéìòù",
    ),
    "ro": (
        "și si nu este sunt care pentru cu la în din un o mai ce cum am să sa pe de dar bună"
        " mulțumesc vă rog eu aș vreau pot unde când fi ai acest această mea meu despre le",
        "ăâîșțşţ",
    ),
    "ca": (
        "el la els les de que i en un una és per amb no al del com però més què està meu meva"
        " gràcies hola sí també són puc vull aquest aquesta on quan tinc hi ha dels",
        "àçéèíïóòúü",
    ),
    "gl": (
        "o a os as de que e é un unha para con non en por se do da no na máis como pero vostede"
        " ola grazas eu meu miña si tamén está isto son podo quero cando onde teño",
        "áéíóúñü",
    ),
    "de": (
        "der die das und ist ich nicht ein eine zu den mit es sie auf für wie im dem von auch was"
        " wir mir bitte danke haben kann hallo aber sind ja nein wo wann meine mein habe hat dass"
        " können gibt einen noch guten oder bei",
        "äöüß",
    ),
    "nl": (
        "de het een en van ik je niet dat is op te in met voor zijn er maar om ook wat hoe hallo"
        " kunt naar aan heb kan mijn graag bedankt waar wanneer deze dit nog geen u uw bij wil",
        "ëïéè",
    ),
    "af": (
        "die en van ek jy nie dat is op te in met vir het maar om ook wat hoe hallo kan na aan my"
        " asseblief dankie waar wanneer hierdie dit nog geen jou wil word moet sal baie",
        "ëêïôû",
    ),
    "sv": (
        "och att det är jag en som på inte för med av till har du den om hej tack kan hur vad men"
        " ett var min mitt när vill ska från jag vi ni skulle snälla också finns",
        "åäö",
    ),
    "da": (
        "og at det er jeg en som på ikke for med af til har du den om hej tak kan hvordan hvad men"
        " et hvor min mit når vil skal fra vi i kunne gerne også der noget",
        "æøå",
    ),
    "no": (
        "og at det er jeg en som på ikke for med av til har du den om hei takk kan hvordan hva men"
        " et hvor min mitt når vil skal fra vi kunne gjerne også noe deg meg",
        "æøå",
    ),
    "is": (
        "og að það er ég ekki sem á í fyrir með af til hef þú um hæ takk hvernig hvað en hvar minn"
        " mín þegar vil frá við þetta get",
        "áéíóúýæðöþ",
    ),
    "fi": (
        "ja on ei että se en mutta minä olen oli mitä miten missä hei kiitos voi voinko voitko"
        " tämä kun niin myös minun sinä sen haluan tarvitsen kuinka ole ovat jos hyvää",
        "äö",
    ),
    "et": (
        "ja on ei et see ma olen kas mis kuidas kus tere aitäh palun saab saan kui aga minu ka mul"
        " oli seda ta tahan kuid sa",
        "äõöüšž",
    ),
    "lv": (
        "un ir nav es ka tas kā kas kur ar par uz no lūdzu paldies labdien sveiki man mans vai bet"
        " šis var vēlos kad jūs",
        "āčēģīķļņšūž",
    ),
    "lt": (
        "ir yra ne aš kad tai kaip kas kur su apie iš ačiū prašau labas sveiki man mano ar bet šis"
        " gali galite noriu kada jūs į",
        "ąčęėįšųūž",
    ),
    "pl": (
        "nie to się w na i z jest że do jak ale tak co mi czy dla proszę dziękuję mam po za jestem"
        " może cześć gdzie kiedy mój moja moje ten ta od być chcę mogę dzień dobry są już o jaki"
        " jakie tego przez",
        "ąćęłńóśźż",
    ),
    "cs": (
        "je to se na v a že do jak ale tak co mi pro prosím děkuji mám po za jsem může ahoj kde"
        " kdy můj moje ten ta od být chci mohu dobrý den jsou už o jaký s si není které by",
        "áčďéěíňóřšťúůýž",
    ),
    "sk": (
        "je to sa na v a že do ako ale tak čo mi pre prosím ďakujem mám po za som môže ahoj kde"
        " kedy môj moje ten od byť chcem môžem dobrý deň sú už o aký s si nie ktoré by",
        "áäčďéíĺľňóôŕšťúýž",
    ),
    "sl": (
        "je in da se na v ne za kako kaj ali pa sem mi kje kdaj moj moje prosim hvala živjo z lahko"
        " želim imam ni so tudi bi to od pri dan dober",
        "čšž",
    ),
    "hr": (
        "je i da se na u ne za kako što šta ali sam mi gdje gde kada moj moje molim hvala bok s"
        " mogu želim imam nije su li dobar dan od ovo koji bih zdravo",
        "čćđšž",
    ),
    "hu": (
        "a az és nem hogy egy van is de mit hogyan hol szia köszönöm kérem meg én mikor már vagy"
        " ez kell lehet szeretnék nekem volt csak ha jó napot mert",
        "áéíóöőúüű",
    ),
    "sq": (
        "dhe është nuk që të në për me një si çfarë ku kur faleminderit përshëndetje ju lutem unë"
        " mund kam jam po por nga e i",
        "çë",
    ),
    "tr": (
        "bir ve bu için ne ben de da mi mı çok var ile nasıl daha evet hayır merhaba teşekkürler"
        " olarak ama gibi yok nerede zaman benim lütfen istiyorum siz sen kadar değil şey bana"
        " mıyım misiniz musunuz olan",
        "çğıöşü",
    ),
    "az": (
        "bir və bu üçün nə mən də da çox var ilə necə daha bəli xeyr salam təşəkkür amma kimi yox"
        " harada zaman mənim xahiş istəyirəm siz",
        "çəğıöşü",
    ),
    "id": (
        "yang dan di ini itu untuk dengan tidak saya anda ada dari apa ke bisa akan terima kasih"
        " halo bagaimana adalah kami atau juga sudah mau tolong dapat kapan mana belum",
        "",
    ),
    "ms": (
        "yang dan di ini itu untuk dengan tidak saya anda ada dari apa ke boleh akan terima kasih"
        " bagaimana ialah kami atau juga sudah mahu sila tolong dapat bila mana belum awak",
        "",
    ),
    "tl": (
        "ang ng sa na mga ako ko mo po ba ay hindi kung para ito ano paano saan kailan salamat"
        " kumusta may naman lang din gusto aking ka si natin pwede",
        "",
    ),
    "vi": (
        "là của và có không tôi bạn cho được một những trong này với để xin chào cảm ơn khi đã"
        " làm thế nào ở đâu các người nhưng muốn",
        "àáâãèéêìíòóôõùúýăđĩũơư",
    ),
    "sw": (
        "na ya wa ni kwa katika hii je nini asante habari tafadhali mimi wewe sana lakini kama"
        " wapi vipi yangu nina naweza hapana ndiyo za la cha",
        "",
    ),
    "ga": (
        "agus an na is tá ar le go ní bhfuil mé tú cad conas cá sé dia duit maith agat don mo do"
        " sin seo raibh",
        "áéíóú",
    ),
    "cy": (
        "y yr a ac yn i mae ar o am ydy dw sut beth ble pryd diolch helo os gwelwch fy chi hyn wedi"
        " gyda ddim eich",
        "âêîôûŵŷ",
    ),
    "eu": (
        "eta da ez bat nola zer non noiz kaixo eskerrik asko mesedez nire dut naiz dago ere baina"
        " hau hori nahi dira egin",
        "ñ",
    ),
    "mt": (
        "u li ta il hija huwa ma kif fejn x'inhu grazzi bongu jekk jogħġbok tiegħi għandi nista"
        " dan din fuq għal mill",
        "ċġħż",
    ),
    "eo": (
        "la kaj estas ne mi vi de en por kun ke ĉu kio kiel kie dankon saluton bonvolu mia sed tio"
        " povas al pri",
        "ĉĝĥĵŝŭ",
    ),
}  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ENOUGH_WORDS = 3
_ENOUGH_LETTERS = 4
_LONGEST_GREETING = 6  # words
_READ = 4_000  # characters looked at
_LEAST = 1.5  # of the score below which nothing is said, and a share of the words
_SHARE = 0.06
_MOST = 0.05  # of the words that one word counts for: `word` again and again is no Afrikaans
_OWN, _FOREIGN = 0.4, 0.6  # what a letter beyond a to z counts for and against a language


def language(texts: Iterable[str]) -> str | None:
    """The language of the texts together, as far as it is recognised.

    Returns:
        `en` or another two-letter code for a Latin-script language whose frequent words and
        letters prevail; the name of a script (`han`, `cyrillic`, ...) where more than a third of
        the letters are in it; None where there is too little to tell.

    >>> language(["Wie geht es dir? Ich habe das nicht verstanden."])
    'de'
    """
    text = "\n".join(texts)[:_READ]
    found = _script(text)
    if found is not None:
        return found
    spoken = [word.replace("’", "'") for word in _WORD.findall(_composed(text).lower())]
    if len(spoken) < _ENOUGH_WORDS:
        return None
    scores = _scores(spoken)
    best = max(scores, key=lambda name: scores[name])  # English comes first, and wins a tie
    return best if scores[best] >= max(_LEAST, _SHARE * len(spoken)) else None


def is_greeting(texts: Iterable[str]) -> bool:
    """Whether the texts together are no more than a greeting, or words as short.

    >>> is_greeting(["Hi!"]), is_greeting(["Hi, where is my parcel?"]), is_greeting([""])
    (True, False, False)
    """
    said = _WORD.findall(_composed("\n".join(texts)[:_READ]).lower())
    return 0 < len(said) <= _LONGEST_GREETING and _GREETINGS.issuperset(said)


def _scores(spoken: Iterable[str]) -> dict[str, float]:
    """How much speaks for each language."""
    counts = Counter(spoken)
    most = max(_ENOUGH_WORDS, _MOST * counts.total())
    letters = Counter("".join(char * n for word, n in counts.items() for char in word
                              if not char.isascii()))  # fmt: skip
    found = {}
    for name, (_, own) in _LANGUAGES.items():
        known = _WEIGHTS[name]
        said = sum(min(n, most) * known.get(word, 0.0) for word, n in counts.items())
        theirs = sum(n for char, n in letters.items() if _composed(char)[0] in own)
        other = letters.total() - theirs
        # Names and borrowed words keep their letters in English.
        found[name] = said if name == "en" else said + _OWN * theirs - _FOREIGN * other
    return found


def _weights() -> dict[str, dict[str, float]]:
    """By language what each of its words counts: the less, the more languages have it.

    Words count without their marks too, as people type them, where English has no such word.
    """
    known = {name: set(text.split()) for name, (text, _) in _LANGUAGES.items()}
    english = known["en"]
    for name, words in known.items():
        if name != "en":
            words |= {bare for word in words if len(bare := _bare(word)) > 2} - english
    shared = Counter(word for words in known.values() for word in words)
    return {
        name: {word: 1.0 if name == "en" else shared[word] ** -0.5 for word in words}
        for name, words in known.items()
    }


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _bare(word: str) -> str:
    """The word without the marks on its letters."""
    apart = unicodedata.normalize("NFD", word.replace("ł", "l").replace("ı", "i"))
    return "".join(char for char in apart if not unicodedata.combining(char))


_WEIGHTS = _weights()


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
