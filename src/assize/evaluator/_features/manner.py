"""How the two speak: praise and complaint by the user, excuses by the assistant, as counts.

Few, cheap, and each with a direction that one would expect: they carry over to other corpora
where a weighted sum of embeddings has learnt topics. The words are English, as the encoder is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assize.evaluator._features.surface import FloatArray, mean_of, words

MANNER = (
    "user_praises",  # share of user turns with a word of praise or thanks
    "user_complains",  # with a word that something is wrong with the answer
    "user_asks",  # with a question mark
    "user_exclaims",  # with an exclamation mark
    "user_trend",  # log length of the user's later turns less that of the earlier ones
    "praises_last",  # 1 where the user's last turn praises
    "unsure",  # share of assistant turns that excuse themselves or do not know
    "exclaims",  # with an exclamation mark
    "trend",  # as `user_trend`, of the assistant
    "addresses",  # with a form of "you"
    "balance",  # mean log length of the assistant's turns less that of the user's
)

_PRAISE = (
    r"thanks?|great|awesome|cool|perfect|wonderful|nice|(?:ha){2,}h?|lol|love|exactly|interesting"
    r"|amazing|excellent|good"
)
_COMPLAINT = (
    r"huh|pardon|confus\w*|sense|already|again|weird|strange|(?:don['’]?t|do not) understand"
    r"|not what i|answer my|repeat\w*|wrong|incorrect|random|off topic|bot|robot|stop|stupid"
    r"|useless"
)
_EXCUSE = (
    r"i (?:don['’]?t|do not) know|not sure|sorry|(?:don['’]?t|do not) understand"
    r"|what do you mean|can you repeat"
)
_YOU = r"you(?:['’]re|rs?)?"


def _any_of(parts: str, more: str = "") -> re.Pattern[str]:
    return re.compile(rf"\b(?:{parts})\b{more}", re.IGNORECASE)


_PRAISES, _EXCUSES, _ADDRESSES = _any_of(_PRAISE), _any_of(_EXCUSE), _any_of(_YOU)
_COMPLAINS = _any_of(_COMPLAINT, r"|\bwhat\?|\?\?|^what\W*$")


class Manner(NamedTuple):
    """One text: made once for each distinct text."""

    praises: bool
    complains: bool
    asks: bool
    exclaims: bool
    unsure: bool
    addresses: bool
    length: float  # log(1 + words)

    @classmethod
    def of(cls, text: str) -> Manner:
        """The marks of a text."""
        return cls(
            _PRAISES.search(text) is not None,
            _COMPLAINS.search(text) is not None,
            "?" in text,
            "!" in text,
            _EXCUSES.search(text) is not None,
            _ADDRESSES.search(text) is not None,
            float(np.log1p(len(words(text)))),
        )


@dataclass(frozen=True, slots=True)
class _Side:
    """All turns of one speaker."""

    turns: Sequence[Manner]

    def share(self, mark: str) -> float:
        return mean_of([float(getattr(turn, mark)) for turn in self.turns])

    @property
    def length(self) -> float:
        return mean_of([turn.length for turn in self.turns])

    @property
    def trend(self) -> float:
        """NaN for a single turn; the middle one of an odd number counts with the later ones."""
        half = len(self.turns) // 2
        return _Side(self.turns[half:]).length - _Side(self.turns[:half]).length


def manner(assistant: Sequence[Manner], user: Sequence[Manner]) -> FloatArray:
    """The features named in `MANNER`, (11,), of turns in order; NaN where one is not defined."""
    bot, person = _Side(assistant), _Side(user)
    return np.array(
        [
            person.share("praises"),
            person.share("complains"),
            person.share("asks"),
            person.share("exclaims"),
            person.trend,
            _Side(user[-1:]).share("praises"),
            bot.share("unsure"),
            bot.share("exclaims"),
            bot.trend,
            bot.share("addresses"),
            bot.length - person.length,
        ]
    )
