"""Which of several answers people prefer: the reference of a verification set made from an arena.

Every conversation has pairs of answers, each with people's votes. A clear winner is the one
answer that most voters prefer in every pair that it stands in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from assize.base.conversation import Continuation, Pair, Turn
from assize.judgments.item_fields import systems_of
from assize.reference._continuations.context import context_key, pair_conversation
from assize.reference._continuations.cut import Slots
from assize.reference._continuations.tallies import Tally

SEVERAL = "a side is not one turn of the assistant"
ALONE = "there is no context"
SAME = "both sides say the same"
UNVOTED = "nobody prefers any answer"
UNCLEAR = "no answer is preferred in all of its pairs"


@dataclass(slots=True)
class Arena:
    """One context, the answers to it, and what was preferred.

    Args:
        answers: who wrote each text.
        votes: of each two texts, how often the first was preferred.
    """

    context: tuple[Turn, ...]
    conversation: str
    answers: dict[str, str | None] = field(default_factory=dict)
    votes: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))

    def add(self, pair: Pair, tally: Tally) -> None:
        """Counts a pair's votes."""
        (first,), (second,) = pair.a, pair.b
        for text, source in zip((first.text, second.text), systems_of(pair), strict=True):
            if self.answers.setdefault(text, source) is None:
                self.answers[text] = source
        self.votes[first.text, second.text] += tally[0]
        self.votes[second.text, first.text] += tally[1]

    def winner(self, majority: float) -> str | None:
        """The answer that more than `majority` of the votes prefer in each of its pairs.

        Votes for either side count, ties do not. None where no answer, or more than one,
        is preferred in all of its pairs.
        """
        won = [text for text in self.answers if self._wins(text, majority)]
        return won[0] if len(won) == 1 else None

    def _wins(self, text: str, majority: float) -> bool:
        return all(
            won > majority * (won + self.votes[other, text])
            for (one, other), won in list(self.votes.items())
            if one == text
        )

    def counted(self, text: str) -> list[float]:
        """Votes for and against a text, over its pairs."""
        won = sum(count for (one, _), count in self.votes.items() if one == text)
        lost = sum(count for (_, other), count in self.votes.items() if other == text)
        return [won, lost]

    def continuations(self, winner: str) -> list[Continuation]:
        """The others beside the winner, one continuation each."""
        key = f"arena-{context_key(self.context)}"
        by = {} if self.answers[winner] is None else {"reference_by": self.answers[winner]}
        metadata = {**by, "reference_votes": self.counted(winner)}
        others = [text for text in self.answers if text != winner]
        return [
            Continuation(
                f"{key}/{number}",
                self.context,
                candidate=text,
                references=(winner,),
                conversation=self.conversation,
                turn=len(self.context),
                source=self.answers[text],
                metadata={**metadata, "candidate_votes": self.counted(text)},
            )
            for number, text in enumerate(others, start=1)
        ]


def preferred(
    pairs: Iterable[Pair], tallies: Mapping[str, Tally], *, majority: float = 0.5
) -> Slots:
    """The majority-preferred answer of each context as reference, the others as candidates.

    Args:
        pairs: two answers each; those with the same context belong together.
        tallies: by pair, how many people prefer A and B.
        majority: share of the votes for either side that is a clear win, from 0.5 to 1.

    Source: UPHELD, appendix K a, which enumerates all pairs of a conversation, tallies what
    people prefer and keeps conversations with a clear winner; what is clear it does not say.
    Here: one answer alone is preferred by most voters in every pair that it stands in. Differs:
    the candidates are the other answers; the paper has one generated instead.
    """
    arenas: dict[str, Arena] = {}
    done = Slots()
    for pair in pairs:
        reason = _reason(pair)
        if reason is not None:
            done.passed[reason] += 1
            continue
        key = context_key(pair.context)
        arena = arenas.setdefault(key, Arena(pair.context, pair_conversation(pair)))
        arena.add(pair, tallies.get(pair.id, (0.0, 0.0)))
    done.contexts = len(arenas)
    for arena in arenas.values():
        winner = arena.winner(majority)
        if winner is not None:
            done.found += arena.continuations(winner)
        else:
            done.passed[UNCLEAR if sum(arena.votes.values()) else UNVOTED] += 1
    return done


def _reason(pair: Pair) -> str | None:
    """Why a pair cannot be used; None where it can."""
    if not pair.context:
        return ALONE
    sides: Sequence[tuple[Turn, ...]] = (pair.a, pair.b)
    if not all(
        len(one) == 1 and one[0].role == "assistant" and one[0].text.strip() for one in sides
    ):
        return SEVERAL
    return SAME if pair.a[0].text.strip() == pair.b[0].text.strip() else None
