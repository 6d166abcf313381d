"""Which turns a score comes from: the conversation scored again with one exchange left out.

An exchange is a run of the user's turns with the assistant's turns that follow. Its effect is the
score of the whole conversation less the score without it: below 0 it pulls the score down. This
is exact for any featuriser and head, for nothing is approximated; but effects do not add up to
the score. (Of a head that is linear in mean vectors they add up to 0, since leaving one of T
exchanges out moves a mean by 1 / (T - 1) of its distance from it.)

Shapley values would add up and cost 2^T scores; sums of a linear head's weights over mean vectors
would add up and leave out the last turn, repetitions and lengths, on which the shipped evaluator
mostly rests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.conversation import Conversation
from assize.evaluator._features.views import View, spoken_at

METHOD = "one exchange left out"


@dataclass(frozen=True, slots=True)
class Without:
    """A conversation without one exchange."""

    turns: tuple[int, ...]  # places of the exchange's turns in the conversation
    view: View


def without_each(item: Conversation) -> list[Without]:
    """The conversation without each exchange in turn; none where it has only one.

    Turns without text, and of others than user and assistant, are in no exchange.
    """
    places = spoken_at(item.turns)
    parts = exchanges([item.turns[place].role for place in places])
    found = []
    for part in parts:
        rest = [places[at] for at in range(len(places)) if at not in part]
        turns = tuple(item.turns[place] for place in rest)
        if any(turn.role == "assistant" for turn in turns):
            found.append(Without(tuple(places[at] for at in part), View(turns, "conversation")))
    return found


def exchanges(roles: Sequence[str]) -> list[range]:
    """Runs of user turns with the assistant turns after them.

    >>> exchanges(["assistant", "user", "user", "assistant", "user"])
    [range(0, 1), range(1, 4), range(4, 5)]
    """
    starts = [
        at
        for at, role in enumerate(roles)
        if at == 0 or (role == "user" and roles[at - 1] != "user")
    ]
    return [range(*ends) for ends in zip(starts, [*starts[1:], len(roles)], strict=True)]


def in_words(effects: Sequence[tuple[Sequence[int], float]]) -> str | None:
    """The two exchanges with the largest effects as a sentence; None where none has any.

    >>> in_words([((0, 1), -0.2), ((2, 3), 0.05)])
    'turns 0-1 lower the score by 0.20; turns 2-3 raise it by 0.05'
    """
    largest = sorted(effects, key=lambda one: -abs(one[1]))[:2]
    said: list[str] = []
    for turns, effect in largest:
        if abs(effect) >= 0.005:
            object_ = "it" if said else "the score"
            which = f"turn {turns[0]}" if len(turns) == 1 else f"turns {turns[0]}-{turns[-1]}"
            verb = "lower" if effect < 0 else "raise"
            verb += "s" if len(turns) == 1 else ""
            said.append(f"{which} {verb} {object_} by {abs(effect):.2f}")
    return "; ".join(said) or None
