"""How the two speak: praise and complaint by the user, excuses by the assistant, as counts.

Few, cheap, and each with a direction that one would expect: they carry over to other corpora
where a weighted sum of embeddings has learnt topics. The words are English, as the encoder is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assize.evaluator._features.vectors import Turns
from assize.evaluator._features.words import TextMarks, mean_of
from assize.stats._arrays import FloatArray

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


def manner(turns: Turns) -> FloatArray:
    """The features named in `MANNER`, (11,); NaN where one is not defined."""
    bot = [turns.texts[turn] for turn in turns.assistants]
    person = [turns.texts[turn] for turn in turns.users]
    return np.array(
        [
            _share(person, "praises"),
            _share(person, "complains"),
            _share(person, "asks"),
            _share(person, "exclaims"),
            _trend(person),
            _share(person[-1:], "praises"),
            _share(bot, "unsure"),
            _share(bot, "exclaims"),
            _trend(bot),
            _share(bot, "addresses"),
            _share(bot, "length") - _share(person, "length"),
        ]
    )


def _share(texts: Sequence[TextMarks], mark: str) -> float:
    return mean_of([float(getattr(text, mark)) for text in texts])


def _trend(texts: Sequence[TextMarks]) -> float:
    """NaN for a single turn; the middle one of an odd number counts with the later ones."""
    half = len(texts) // 2
    return _share(texts[half:], "length") - _share(texts[:half], "length")
