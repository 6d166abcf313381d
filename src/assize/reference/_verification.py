"""References out of people's preferences: `assize reference verification`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from assize.base.arguments import check_range
from assize.base.conversation import Continuation, Pair
from assize.base.errors import ConfigError, DataError
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, JudgmentsLike, read, read_judgments, write
from assize.formats.arguments import judgments_of
from assize.judgments import JudgmentTable
from assize.judgments.combine import combine
from assize.reference._continuations.preferred import Votes, prefer_answers
from assize.results import Records, Table

GOLD = "gold"  # a judge that is no voter


@dataclass(frozen=True, slots=True)
class VerificationSet(Records[Continuation]):
    """Continuations whose reference is what most people prefer.

    Args:
        items: the continuations; iterating gives them too.
        contexts: that pairs of answers stand in.
        clear: contexts with a clear winner.
        left_out: pairs and contexts that gave no continuation: how many, by reason.
        out: the file that holds them; None where none was asked for.
    """

    items: Sequence[Continuation] = field(repr=False)
    continuations: int
    conversations: int
    contexts: int
    clear: int
    left_out: Annotated[Mapping[str, int], Table("Left out", key="reason")]
    out: str | None = None
    signature: str = ""


def verification(
    items: ItemsLike,
    *,
    judgments: JudgmentsLike | None = None,
    question: str = "preference",
    majority: float = 0.5,
    out: str | Path | None = None,
) -> VerificationSet:
    """Make a verification set: references from people's preferences.

    Pairs with the same context belong together. The answer that most people prefer in each of its
    pairs is the reference, and the others are candidates.

    Args:
        items: pairs with votes. In Python also records.
        judgments: votes of people on the pairs (repeatable). Default: those among the pairs. A pair
            that nobody voted on has the vote of its gold.
        question: question that the votes answer.
        majority: share of the votes above which one side clearly wins; it must be exceeded.
        out: file to write the continuations to.

    Raises:
        DataError: there is no pair, or no answer is clearly preferred.
        ConfigError: an argument is none of those allowed.

    Source: UPHELD, appendix K a. Its other set (K b), dialogues between people with turns 6 and 8
    held out, is `assize simulate candidates --speaker any --turn 6 --turn 8 --no-random`.
    """
    check_range("majority", majority, 0.5, 1)
    records, judged = read(items).items_and_judgments()
    pairs = [record for record in records if isinstance(record, Pair)]
    if not pairs:
        raise DataError("there is no pair of answers; give pairs", source="items")
    table = read_judgments(judged) if judged else None
    votes = count_votes(table if judgments is None else judgments_of(judgments), question)
    for pair in pairs:
        gold = pair.gold.get(question) if isinstance(pair.gold, Mapping) else pair.gold
        votes.setdefault(pair.id, (int(gold == "A"), int(gold == "B")))
    chosen = prefer_answers(pairs, votes, majority)
    if len(pairs) < len(records):
        chosen.left_out["it is no pair"] = len(records) - len(pairs)
    if not chosen.items:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in chosen.left_out.items())
        problem = f"no answer is clearly preferred: {reasons}; give people's votes as judgments"
        raise DataError(problem, source="items")
    if out is not None:
        write(out, chosen.items)
    texts = json_hash([(one.id, one.references, one.candidate) for one in chosen.items])
    return VerificationSet(
        chosen.items,
        len(chosen.items),
        len({one.conversation for one in chosen.items}),
        chosen.contexts,
        chosen.clear,
        dict(chosen.left_out),
        None if out is None else str(out),
        sign("Preferred", 1, {"question": question, "majority": majority}, texts),
    )


def count_votes(table: JudgmentTable | None, question: str) -> Votes:
    """How many voters prefer A and B, by pair.

    A voter who was shown both orders has one vote (see `judgments.combine`); `gold` is no voter,
    nor is a model.

    Raises:
        ConfigError: votes are there, but none answers the question.
    """
    people = None if table is None else table.where(kind=("person", None))
    if people is None or not len(people):
        return {}
    rows = people.where(question=question)
    if not len(rows):
        known = ", ".join(people.questions)
        raise ConfigError(f"question {question!r}: no vote answers it; there are {known}")
    rows = rows.where(judge=[judge for judge in rows.judges if judge != GOLD])
    if not len(rows):
        return {}
    cells = combine(rows, people.questions[question])
    pairs = [cells.units[unit][0] for unit in cells.unit.tolist()]
    signs = Counter(zip(pairs, cells.values.tolist(), strict=True))
    return {pair: (signs[pair, 1.0], signs[pair, -1.0]) for pair in dict.fromkeys(pairs)}
