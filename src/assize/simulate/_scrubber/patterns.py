"""Where mails, keys, phone numbers, dates, addresses and ids stand in a text.

Patterns go by the look of a text alone, the surest first; what an earlier one took, a later one
leaves. Names have a file of their own: they have no look.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

KINDS = ("LITERAL", "KEY", "MAIL", "PLACE", "DATE", "NUMBER", "PHONE", "NAME", "TERM")
PLACEHOLDER = re.compile(rf"\[(?:{'|'.join(KINDS)}) \d+\]")

_MONTH = (
    r"(?i:jan(?:uary|uar|vier|eiro)?|enero|gennaio|stycznia|января"
    r"|feb(?:ruary|ruar|rero|braio)?|février|fevereiro|lutego|февраля"
    r"|mar(?:ch|s|zo|ço|ca)?|märz|marca|марта|apr(?:il|ile)?|avril|abril|kwietnia|апреля"
    r"|may|mai|mayo|maggio|maio|maja|мая|june?|juni|juin|junio|giugno|junho|czerwca|июня"
    r"|july?|juli|juillet|julio|luglio|julho|lipca|июля|aug(?:ust)?|août|agosto|sierpnia|августа"
    r"|sep(?:t(?:ember|embre|iembre)?)?|settembre|setembro|września|сентября"
    r"|oct(?:ober|obre|ubre)?|oktober|ottobre|outubro|października|октября"
    r"|nov(?:ember|embre|iembre|embro)?|listopada|ноября"
    r"|dec(?:ember|embre)?|dez(?:ember|embro)?|décembre|diciembre|dicembre|grudnia|декабря)"
)
_CAP = r"[^\W\d_a-zß-öø-ÿа-яё][\w'-]{0,40}"  # a word that begins with a capital
_HOUSE = r"\d{1,5}(?: ?[A-Za-zа-я](?![\w]))?(?:[-/]\d{1,5}[A-Za-z]?)?"
_PLACES = (
    # 12B Baker Street, 221b Baker St.
    rf"\b{_HOUSE}(?: bis)?,? +(?:{_CAP} +){{1,3}}"
    r"(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Square|Terrace|Way"
    r"|Close|Crescent|Gardens|Place|Highway|Parkway)\b\.?(?:,? (?:Apt|Flat|Unit|Suite)\.? ?\w+)?",
    # 12 bis rue de Rivoli
    rf"\b{_HOUSE}(?: bis| ter)?,? +(?i:rue|avenue|boulevard|place|chemin|allée|impasse|quai) "
    rf"(?:(?:de|du|des|la|le|les|l'|d') ?){{0,2}}{_CAP}(?: {_CAP}){{0,3}}",
    # Musterstraße 12a, Unter den Linden 5 is not found
    rf"\b{_CAP}(?i:straße|strasse|str\.|weg|gasse|platz|allee|damm|ring|ufer|straat|laan|gracht) ?"
    rf"{_HOUSE}",
    # Calle Mayor 12, via Roma 5/B, ul. Marszałkowska 10, ул. Ленина, д. 5
    r"\b(?i:calle|avenida|avda\.?|plaza|paseo|via|viale|piazza|corso|rua|praça|travessa|ul\.|ulica"
    r"|ulicy|al\.|aleja|os\.|ул\.|улица|улице|пр\.|проспект|пер\.|шоссе)"
    rf" (?:(?:de|del|della|dei|la|las|los|da|do|dos) ){{0,2}}{_CAP}(?: {_CAP}){{0,3}},? ?"
    rf"(?:n\.? ?º? ?|nº ?|д\. ?|дом )?{_HOUSE}(?:,? (?:кв|lok|m)\.? ?\d+)?",
    # 北京市朝阳区建国路88号, 東京都港区六本木6-10-1
    r"[\u4e00-\u9fff]{2,12}(?:市|区|區|县|縣|路|街|道|巷|村|町)[\u3040-\u30ff\u4e00-\u9fff]{0,20}"
    r"\d+(?:-\d+)*"
    r"(?:号楼?|號|番地?|室|弄)?(?:丁目)?(?:\d+(?:室|号|楼|番地?))?",
    # شارع التحرير 15
    r"شارع +[\u0621-\u064a]+(?: [\u0621-\u064a]+)? ?\d+",
    r"\b\d{1,6} +شارع +[\u0621-\u064a]+(?: [\u0621-\u064a]+)?",
    # SW1A 1AA
    r"\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b",
)
_PLACE = re.compile("|".join(_PLACES))
_DATE_IN_WORDS = re.compile(
    rf"\b(?:\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:of\s+|de\s+)?{_MONTH}\.?,?\s+"
    rf"(?:de\s+)?\d{{4}}|{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}})\b"
    r"|(?:\d{4}|(?:明治|大正|昭和|平成|令和) ?\d{1,2}) ?[年년] ?\d{1,2} ?[月월] ?\d{1,2} ?[日일]"
)
_EASTERN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # written without blanks
_NUMBERED = (
    r"(?:order|ticket|case|account|acct|customer|client|invoice|booking|reservation|passport"
    r"|licen[cs]e|policy|member(?:ship)?|employee|student|patient|tracking|serial|reference|ref"
    r"|card|tax|insurance|security|id)"
)
_CHANGES = 0.4  # share of neighbours in a random key that are of two kinds


@dataclass(frozen=True, slots=True)
class Found:
    """What a placeholder will stand for: characters from `start` up to `end`."""

    start: int
    end: int
    kind: str


def _digits(text: str) -> int:
    return sum(one.isdigit() for one in text)


def _varied(text: str) -> bool:
    """Whether a text looks like a password rather than a word."""
    signs = (str.isdigit, str.isupper, str.islower, lambda one: not one.isalnum())
    return sum(any(map(sign, text)) for sign in signs) >= 2 and not text.istitle()


def _random(text: str) -> bool:
    """Whether a long run looks drawn at random: digits, and letters that keep changing kind."""
    letters = any(map(str.isalpha, text))
    if len(text) >= 24 and letters and _digits(text) and text.replace("_", "").isalnum():
        return True
    kinds = [
        1 if sign.isdigit() else 2 if sign.isupper() else 3 if sign.islower() else 4
        for sign in text
    ]
    changes = sum(one != other for one, other in itertools.pairwise(kinds))
    return letters and len(set(kinds) & {1, 2, 3}) > 1 and changes >= _CHANGES * len(text)


def _phone(text: str) -> bool:
    """Whether digits with blanks and marks are a telephone number, not two years."""
    years = re.fullmatch(r"\s*(?:19|20)\d\d\s?[-/.]\s?(?:19|20)\d\d\s*", text)
    return 7 <= _digits(text) <= 15 and years is None


def _numbered(text: str) -> bool:
    """Whether letters and digits are an id or a long number, not two years."""
    if re.fullmatch(r"(?:19|20)\d\d-(?:19|20)\d\d", text):
        return False
    return _digits(text) >= 5 or (_digits(text) >= 4 and any(map(str.isalpha, text)))


_PATTERNS: tuple[tuple[str, re.Pattern[str], Callable[[str], bool]], ...] = (
    ("LITERAL", PLACEHOLDER, bool),  # a text that holds one already
    (
        "KEY",
        re.compile(
            r"-----BEGIN [A-Z ]{0,40}KEY(?: BLOCK)?-----(?:(?!-----BEGIN ).)*?"
            r"-----END [A-Z ]{0,40}KEY(?: BLOCK)?-----",
            re.DOTALL,
        ),
        bool,
    ),
    (
        "KEY",
        re.compile(r"[a-z][a-z0-9+.-]{0,20}://[^\s/@:]{1,100}:[^\s/@]{1,100}@[^\s\"'<>]+", re.I),
        bool,
    ),
    (
        "KEY",
        re.compile(
            r"\b(?:[spr]k[-_][\w-]{16,}|A[KS]IA[0-9A-Z]{16}|gh[pousr]_\w{20,}"
            r"|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AIza[\w-]{30,}|hf_\w{20,}"
            r"|glpat-[\w-]{16,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)"
        ),
        bool,
    ),
    (
        "KEY",
        re.compile(
            r"(?:\b(?:pass(?:word|wort|wd|phrase|code)?|kennwort|pwd|secret|token|pin|api[ _-]?key"
            r"|access[ _-]?key|mot de passe|contraseña|senha|hasło|пароль)\b"
            r"|كلمة (?:السر|المرور))[\"']?\s*[:=]\s*[\"']?([^\s\"',;]{4,})",
            re.I,
        ),
        bool,
    ),
    (
        "KEY",
        re.compile(
            r"\b(?:password|passphrase|passcode|pin|token|secret|key)\b[^.!?\n]{0,20}?"
            r"\b(?:is|was|to)\s+[\"']?([^\s\"',;]{4,}[^\s\"',;.!?])",
            re.I,
        ),
        _varied,
    ),
    (
        "MAIL",
        re.compile(r"[\w.%+'-]{1,64} ?(?:@|%40|&#64;) ?\w[\w-]{0,62}(?:[.。]\w[\w-]{1,62})+"),
        bool,
    ),
    (
        "MAIL",
        re.compile(
            r"\b[\w.+-]{1,64} ?(?:[(\[{<] ?at ?[)\]}>]"
            r"| at (?=[\w-]{1,62} ?(?:[(\[{<] ?dot|dot\b))) ?"
            r"[\w-]{1,62}(?: ?(?:\.|[(\[{<] ?dot ?[)\]}>]|\bdot\b) ?\w{2,20}){1,3}",
            re.I,
        ),
        bool,
    ),
    ("NUMBER", re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I), bool),
    ("KEY", re.compile(r"(?<![\w+/.-])[A-Za-z0-9_+/-]{20,}={0,2}(?![\w+/=-]|\.\w)"), _random),
    ("PLACE", _PLACE, bool),
    (
        "DATE",
        re.compile(
            r"(?<![\w/.-])(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
            r"|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)?\d\d)(?![\w/-]|\.\d)"
        ),
        bool,
    ),
    ("DATE", _DATE_IN_WORDS, bool),
    (
        "NUMBER",
        re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){3,7}(?:[ ]?[A-Z0-9]{1,3})?\b"),
        bool,
    ),
    (
        "NUMBER",
        re.compile(
            r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}\b(?!\.\d)"
            r"|\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\b"
            r"|\b(?:[0-9a-f]{1,4}:){1,6}(?::[0-9a-f]{1,4}){1,6}\b",
            re.I,
        ),
        bool,
    ),
    ("NUMBER", re.compile(r"(?<![\w.])\d{4}(?:[ -]?\d{4}){2}[ -]?\d{1,7}(?![\w])"), bool),
    ("PHONE", re.compile(r"(?<![\w.,])(?:\+|\()?\d(?:[ \t().\-/_•]{0,3}\d){6,14}(?![\w])"), _phone),
    (
        "NUMBER",
        re.compile(
            rf"\b{_NUMBERED}\b[^\w\n]{{0,3}}(?:(?:number|no|nr|id|code|key)\b"
            r"[^\w\n]{0,3})?(?:is\s+)?(\w[\w-]*\d[\w-]*)",
            re.I,
        ),
        lambda one: _digits(one) >= 2,
    ),
    ("NUMBER", re.compile(r"\b[A-Z]{2}(?: ?\d\d){3} ?[A-D]\b"), bool),
    ("NUMBER", re.compile(r"\b[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*\b"), _numbered),
)


def patterned(text: str, taken: Sequence[Found] = ()) -> list[Found]:
    """All that has a look of its own, from left to right, none over another.

    Args:
        taken: what is found already; it stays, and nothing lies over it.

    >>> [(one.kind, "call 0171 555 1234, order AB-77123"[one.start : one.end])
    ...  for one in patterned("call 0171 555 1234, order AB-77123")]
    [('PHONE', '0171 555 1234'), ('NUMBER', 'AB-77123')]
    """
    room = Room(len(text), taken)
    apart = _EASTERN.sub("、", text)  # no blank parts a number from the signs before it
    for kind, pattern, holds in _PATTERNS:
        group = 1 if pattern.groups else 0
        searched = text if pattern in (_PLACE, _DATE_IN_WORDS) else apart
        for one in pattern.finditer(searched):
            if holds(one[group]):
                room.add(Found(one.start(group), one.end(group), kind))
    return room.found


class Room:
    """The characters of a text that nothing has taken yet.

    Args:
        size: characters of the text.
        taken: what is found already.
    """

    def __init__(self, size: int, taken: Iterable[Found] = ()) -> None:
        self._mask = bytearray(size)
        self._found: list[Found] = []
        self.add(*taken)

    @property
    def found(self) -> list[Found]:
        """What was taken, from left to right."""
        return sorted(self._found, key=lambda one: one.start)

    def add(self, *found: Found) -> None:
        """Take each that lies over nothing taken before."""
        for one in found:
            if self._mask.find(1, one.start, one.end) < 0:
                self._mask[one.start : one.end] = b"\x01" * (one.end - one.start)
                self._found.append(one)
