"""Checks of what was made: turns, lengths, who ended, citations, recall; by recipe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Annotated

from assize.results import Column, Estimate, Hidden
from assize.simulate._recipes.plan import Talk
from assize.simulate._recipes.provenance import cited_by_turn
from assize.simulate._recipes.sources import pages_of
from assize.stats._intervals import mean, share

ENDS = ("user", "assistant", "limit", "one call")


@dataclass(frozen=True, slots=True)
class Checks:
    """What one recipe made. Means and shares carry intervals over dialogues.

    Args:
        failed: dialogues that came to no end.
        exchanges: turns of the user a dialogue.
        user_words, assistant_words: a turn; the offer with which a dialogue opens is not counted.
        ended: by whom.
    """

    recipe: str
    made: int
    failed: int
    exchanges: Annotated[Estimate, Column(digits=1)]
    user_words: Annotated[Estimate, Column("user's words", digits=0)]
    assistant_words: Annotated[Estimate, Column("assistant's", digits=0)]
    ended: Hidden[Mapping[str, int]]
    ended_by: str


@dataclass(frozen=True, slots=True)
class SourceChecks:
    """What the turns of one recipe cite.

    Args:
        turns: of the assistant that sources were shown for.
        shown: sources shown in all.
        citing: share of the turns that cite one.
        known, unknown: numbers cited, each once a turn, of sources that were shown, and of none.
        recall: share of the documents that a topic names among all that its dialogue was shown;
            None where no topic names any, or none is searched.
    """

    recipe: str
    turns: Annotated[int, Column("turns with sources")]
    shown: Annotated[int, Column("sources")]
    citing: Annotated[Estimate, Column("turns that cite", "percent", digits=1, unit="%")]
    known: Annotated[int, Column("cited [n]")]
    unknown: Annotated[int, Column("unknown [n]")]
    recall: Estimate | None


def checks_of(talks: Sequence[Talk]) -> list[Checks]:
    """One a recipe, in the order in which recipes first stand there."""
    names = dict.fromkeys(one.plan.recipe.name for one in talks)
    return [_checks(name, [one for one in talks if one.plan.recipe.name == name]) for name in names]


def _checks(name: str, begun: Sequence[Talk]) -> Checks:
    talks = [one for one in begun if one.ended is not None]
    users = [[_words(turn.text) for turn in one.turns if turn.role == "user"] for one in talks]
    answers = [
        [_words(turn.text) for at, turn in enumerate(one.turns) if at and turn.role == "assistant"]
        for one in talks
    ]
    ended = Counter(str(one.ended) for one in talks)
    return Checks(
        name,
        len(talks),
        sum(one.failed is not None for one in begun),
        mean([float(len(one)) for one in users]),
        _over_turns(mean, users),
        _over_turns(mean, answers),
        ended,
        ", ".join(f"{who} {ended[who]:,}" for who in ENDS if ended[who]),
    )


def source_checks_of(talks: Sequence[Talk]) -> list[SourceChecks]:
    """Return what turns of each recipe cite; none where nothing was shown, cited or named."""
    ended = [one for one in talks if one.ended is not None]
    names = dict.fromkeys(one.plan.recipe.name for one in talks)
    rows = [
        _source_checks(name, [one for one in ended if one.plan.recipe.name == name])
        for name in names
    ]
    if not any(row.turns or row.unknown or row.recall is not None for row in rows):
        return []
    return rows


def _source_checks(name: str, talks: Sequence[Talk]) -> SourceChecks:
    cites = [list(cited_by_turn(one).values()) for one in talks]
    with_sources = [[float(bool(each.known)) for each in turns if each.shown] for turns in cites]
    return SourceChecks(
        name,
        sum(map(len, with_sources)),
        sum(len(turn.references) for one in talks for turn in one.turns),
        _over_turns(share, with_sources),
        sum(len(each.known) for turns in cites for each in turns),
        sum(len(each.unknown) for turns in cites for each in turns),
        _recall(talks),
    )


def _words(text: str) -> float:
    return float(len(text.split()))


def _over_turns(figure: Callable[..., Estimate], values: Sequence[Sequence[float]]) -> Estimate:
    """A figure of the turns of dialogues, which are independent where turns are not."""
    dialogues = [at for at, each in enumerate(values) for _ in each]
    return figure(list(chain.from_iterable(values)), clusters=dialogues)


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
