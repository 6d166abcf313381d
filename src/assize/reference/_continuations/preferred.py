"""Which of several answers people prefer: the reference of a verification set made from an arena.

Every conversation has pairs of answers, each with people's votes. A clear winner is the one
answer that most voters prefer in every pair that it stands in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from assize.base.conversation import Continuation, Pair, Turn
from assize.judgments.item_fields import systems_of
from assize.reference._continuations.context import context_key, pair_conversation

Votes = dict[str, tuple[int, int]]
"""By pair, how many voters prefer A, and B; ties are in neither."""

SEVERAL = "a side is not one turn of the assistant"
ALONE = "there is no context"
SAME = "both sides say the same"
UNVOTED = "nobody prefers any answer"
UNCLEAR = "no answer is preferred in all of its pairs"


@dataclass(slots=True)
class AnswerVotes:
    """One context, the answers to it, and what was preferred.

    Args:
        sources: who wrote each text.
        won: of each two texts, how often the first was preferred.
    """

    context: tuple[Turn, ...]
    conversation: str
    sources: dict[str, str | None] = field(default_factory=dict)
    won: Counter[tuple[str, str]] = field(default_factory=Counter)

    def winner(self, majority: float) -> str | None:
        """The answer that more than `majority` of the votes prefer in each of its pairs.

        Votes for either side count, ties do not. None where no answer, or more than one,
        is preferred in all of its pairs.
        """
        beaten = {
            first
            for (first, second), won in self.won.items()
            if won <= majority * (won + self.won[second, first])
        }
        best = [text for text in self.sources if text not in beaten]
        return best[0] if len(best) == 1 else None

    def tally(self, text: str) -> list[int]:
        """How often an answer was preferred, and how often another one was to it."""
        won = sum(n for (first, _), n in self.won.items() if first == text)
        return [won, sum(n for (_, second), n in self.won.items() if second == text)]

    def continuations(self, winner: str) -> list[Continuation]:
        """The others beside the winner, one continuation each."""
        key = f"arena-{context_key(self.context)}"
        by = {} if self.sources[winner] is None else {"reference_by": self.sources[winner]}
        metadata = {**by, "reference_votes": self.tally(winner)}
        others = [text for text in self.sources if text != winner]
        return [
            Continuation(
                f"{key}/{number}",
                self.context,
                candidate=text,
                references=(winner,),
                conversation=self.conversation,
                turn=len(self.context),
                source=self.sources[text],
                metadata={**metadata, "candidate_votes": self.tally(text)},
            )
            for number, text in enumerate(others, start=1)
        ]


@dataclass(slots=True)
class Preferred:
    """Continuations, what gave none by reason, and of how many contexts, and clear ones."""

    items: list[Continuation] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    contexts: int = 0
    clear: int = 0


def prefer_answers(pairs: Iterable[Pair], votes: Votes, majority: float = 0.5) -> Preferred:
    """The majority-preferred answer of each context as reference, the others as candidates.

    Args:
        pairs: two answers each; those with the same context belong together.
        majority: share of the votes for either side that is a clear win, from 0.5 to 1.

    Source: UPHELD, appendix K a, which enumerates all pairs of a conversation, tallies what
    people prefer and keeps conversations with a clear winner; what is clear it does not say.
    Here: one answer alone is preferred by most voters in every pair that it stands in. Differs:
    the candidates are the other answers; the paper has one generated instead.
    """
    by_context: dict[str, AnswerVotes] = {}
    chosen = Preferred()
    for pair in pairs:
        reason = _reason(pair)
        if reason is not None:
            chosen.left_out[reason] += 1
            continue
        new = AnswerVotes(pair.context, pair_conversation(pair))
        answers = by_context.setdefault(context_key(pair.context), new)
        first, second = pair.a[0].text, pair.b[0].text
        for text, source in zip((first, second), systems_of(pair), strict=True):
            answers.sources[text] = answers.sources.get(text) or source
        for_a, for_b = votes[pair.id]
        answers.won[first, second] += for_a
        answers.won[second, first] += for_b
    chosen.contexts = len(by_context)
    for answers in by_context.values():
        winner = answers.winner(majority)
        if winner is not None:
            chosen.clear += 1
            chosen.items += answers.continuations(winner)
        else:
            chosen.left_out[UNCLEAR if any(answers.won.values()) else UNVOTED] += 1
    return chosen


def _reason(pair: Pair) -> str | None:
    """Why a pair cannot be used, the first reason that holds; None where it can."""
    turns = [*pair.a, *pair.b]
    single = len(pair.a) == len(pair.b) == 1
    spoken = all(turn.role == "assistant" and turn.text.strip() for turn in turns)
    reasons = {
        ALONE: not pair.context,
        SEVERAL: not (single and spoken),
        SAME: len({turn.text.strip() for turn in turns}) < 2,
    }
    return next((reason for reason, holds in reasons.items() if holds), None)
