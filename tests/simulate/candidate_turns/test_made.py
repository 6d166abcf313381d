from __future__ import annotations

import math

from assize.base.conversation import Continuation, Turn
from assize.simulate._candidate_turns.made import (
    UNSCORED,
    SimulatedCandidates,
    sources_of,
)

CONTEXT = (Turn("user", "So?"),)


def one(chat: str, source: str, text: str, lost: str | None = None) -> Continuation:
    why = {} if lost is None else {UNSCORED: {"reason": lost, "message": ""}}
    return Continuation(
        f"{chat}/1/{source}", CONTEXT, text, ("four words are here",), chat, 1, source, why
    )


ITEMS = [
    one("a", "m", "two words"),
    one("a", "rephrase", "Four  words are here"),
    one("b", "m", "six words are six words here"),
    one("b", "rephrase", "", "refused"),
    one("c", "m", "", "timeout"),
    one("c", "rephrase", "", "refused"),
]


def test_each_source_is_held_against_the_references() -> None:
    """Of m: 2 and 6 words of 4, so a median of 4 words and of (0.5 + 1.5) / 2 = 1."""
    model, rephrase = sources_of(ITEMS)
    assert (model.source, model.candidates, model.reasons) == ("m", 2, {"timeout": 1})
    assert (model.words, model.length_ratio, model.same_words) == (4.0, 1.0, 0.0)
    assert (rephrase.candidates, rephrase.missing, rephrase.same_words) == (1, 2, 1.0)


def test_a_source_without_any_candidate_has_no_figures() -> None:
    (found,) = sources_of(ITEMS[-1:])
    assert found.candidates == 0
    assert math.isnan(found.words)


def test_what_is_missing_is_counted_and_no_candidate_is_lost() -> None:
    sources = sources_of(ITEMS)
    made = SimulatedCandidates(
        records=ITEMS, sources=sources, n=6, unscored=3, left_out={"its text is empty": 1}
    )
    assert made.missing == (3, 6)
    assert list(made) == ITEMS
    assert made.to_json()["sources"][1]["reasons"] == {"refused": 2}
    assert list(made.tables) == ["sources", "left_out"]
