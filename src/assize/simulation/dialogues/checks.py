"""Checks of what was made: turns, lengths, who ended, citations, recall; by recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.results.types import Estimate
from assize.simulation.dialogues.plan import Talk
from assize.simulation.dialogues.provenance import cited_by_turn
from assize.simulation.dialogues.sources import pages_of
from assize.stats.intervals import mean, share


@dataclass(frozen=True, slots=True)
class Checks:
    """What one recipe made. Means and shares carry intervals over dialogues.

    Args:
        wanted: dialogues that were begun; `failed` of them by reason.
        exchanges: turns of the user a dialogue.
        user_words, assistant_words: a turn; the offer with which a dialogue opens is not counted.
        ended: by whom.
        with_sources: turns of the assistant that sources were shown for.
        citing: share of these that cite one.
        known, unknown: numbers cited, each once a turn, of sources that were shown, and of none.
        shown: sources shown in all.
        recall: share of the documents that a topic names among all that its dialogue was shown;
            None where no topic names any, or none is searched.
    """

    recipe: str
    wanted: int
    failed: Mapping[str, int]
    exchanges: Estimate
    user_words: Estimate
    assistant_words: Estimate
    ended: Mapping[str, int]
    with_sources: int
    citing: Estimate
    known: int
    unknown: int
    shown: int
    recall: Estimate | None

    def to_json(self) -> dict[str, Any]:
        """Every figure."""
        return {
            "begun": self.wanted,
            "failed": dict(self.failed),
            "exchanges": self.exchanges.to_json(),
            "user_words": self.user_words.to_json(),
            "assistant_words": self.assistant_words.to_json(),
            "ended": dict(self.ended),
            "turns_with_sources": self.with_sources,
            "citing": self.citing.to_json(),
            "cited": {"known": self.known, "unknown": self.unknown},
            "sources_shown": self.shown,
            "recall": None if self.recall is None else self.recall.to_json(),
        }


def checks_of(talks: Sequence[Talk]) -> list[Checks]:
    """One a recipe, in the order in which recipes first stand there."""
    names = dict.fromkeys(one.plan.recipe.name for one in talks)
    return [_checks(name, [one for one in talks if one.plan.recipe.name == name]) for name in names]


def _checks(name: str, begun: Sequence[Talk]) -> Checks:
    talks = [one for one in begun if one.ended is not None]
    failed = Counter(one.failed.reason for one in begun if one.failed is not None)
    users = [[_words(turn.text) for turn in one.turns if turn.role == "user"] for one in talks]
    answers = [
        [_words(turn.text) for at, turn in enumerate(one.turns) if at and turn.role == "assistant"]
        for one in talks
    ]
    cites = [list(cited_by_turn(one).values()) for one in talks]
    with_sources = [[float(bool(each.known)) for each in found if each.shown] for found in cites]
    return Checks(
        name,
        len(begun),
        failed,
        mean([float(len(one)) for one in users]),
        _mean(users),
        _mean(answers),
        Counter(str(one.ended) for one in talks),
        sum(map(len, with_sources)),
        _share(with_sources),
        sum(len(each.known) for found in cites for each in found),
        sum(len(each.unknown) for found in cites for each in found),
        sum(len(turn.references) for one in talks for turn in one.turns),
        _recall(talks),
    )


def _words(text: str) -> float:
    return float(len(text.split()))


def _flat(values: Sequence[Sequence[float]]) -> tuple[list[float], list[int]]:
    """The values, and of which dialogue each is."""
    return (
        [value for each in values for value in each],
        [at for at, each in enumerate(values) for _ in each],
    )


def _mean(values: Sequence[Sequence[float]]) -> Estimate:
    flat, dialogues = _flat(values)
    return mean(flat, clusters=dialogues)


def _share(values: Sequence[Sequence[float]]) -> Estimate:
    flat, dialogues = _flat(values)
    return share(flat, clusters=dialogues)


def _recall(talks: Sequence[Talk]) -> Estimate | None:
    """Mean over dialogues whose topics name documents, among all that was shown."""
    found = []
    for talk in talks:
        named = {one.id for one in talk.plan.topic.documents}
        if not named or not talk.plan.recipe.searches:
            continue
        seen = {page for turn in talk.turns for page in pages_of(turn.references)}
        found.append(len(named & seen) / len(named))
    return mean(found).within((0, 1)) if found else None
