"""Continuations out of conversations and preferences and split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from assize.base.arguments import check_range, check_word
from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, JudgmentsLike, read, read_judgments, write
from assize.formats.arguments import judgments_of, source_of
from assize.judgments import JudgmentTable
from assize.reference._continuations.candidates import joined
from assize.reference._continuations.cut import Cutting, Slots, Speaker, cut_turns
from assize.reference._continuations.preferred import preferred
from assize.reference._continuations.result import Continuations, count_continuations
from assize.reference._continuations.tallies import tallies_of
from assize.results.numbers import counted


def cut(
    items: ItemsLike,
    *,
    candidates: ItemsLike | None = None,
    speaker: Speaker = "assistant",
    turns: Sequence[int] = (),
    least: int = 1,
    out: str | Path | None = None,
) -> Continuations:
    """Cuts conversations at each turn of the assistant: what it said there is the reference.

    Candidates for the same places come from other systems' conversations (wherever all turns
    before are the same), or from continuations that a model has filled in. Without any,
    each continuation has an empty candidate, which a model can fill in and every judge
    leaves unscored. `simulate candidates` adds random turns of other conversations.

    Args:
        items: conversations: paths, URLs, or - for standard input. In Python also records.
        candidates: conversations, continuations or pairs that hold candidates (repeatable).
        speaker: whose turns are held out: assistant, user, or any.
        turns: only these turns, counted from 1 over user and assistant (repeatable).
        least: turns of user and assistant that must stand before.
        out: write the continuations here.

    Returns:
        The continuations; turns that found no candidate are left out and counted, where any
        were asked for.

    Raises:
        DataError: there is no conversation, or nothing to cut.
        ConfigError: an argument is none of those allowed.
    """
    check_word("speaker", speaker, ("assistant", "user", "any"))
    check_range("least", least, 1)
    cutting = _cutting(speaker, turns, least)
    given = list(read(items))
    slots = _cut(given, cutting)
    found = slots.found if candidates is None else _joined(slots, candidates)
    settings = {"speaker": speaker, "turns": list(turns), "least": least}
    return _made("Cut", found, slots.passed, settings, out, _missing(found))


def _cutting(speaker: Speaker, turns: Iterable[int], least: int) -> Cutting:
    wanted = tuple(turns)
    for one in wanted:
        check_range("turns", one, 2)
    return Cutting(speaker, wanted, least)


def _cut(given: Iterable[Item], cutting: Cutting) -> Slots:
    """The slots of all conversations; what is none is passed over.

    Raises:
        DataError: there is no conversation, or none can be cut.
    """
    several = list(given)
    chats = [one for one in several if isinstance(one, Conversation)]
    if not chats:
        kind = type(several[0]).__name__.lower() if several else "item"
        problem = f"there is no conversation to cut, but the first {kind}; give conversations"
        raise DataError(problem, source="items")
    slots = cut_turns(chats, cutting)
    if not slots.found:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in slots.passed.items())
        problem = f"no turn can be held out: {reasons or 'no conversation is long enough'}"
        raise DataError(problem, source="items")
    if len(chats) < len(several):
        slots.passed["it is no conversation"] = len(several) - len(chats)
    return slots


def _joined(slots: Slots, candidates: ItemsLike) -> list[Continuation]:
    """The slots with candidates; those without are counted.

    Raises:
        DataError: no slot has any.
    """
    given = list(source_of(candidates, "candidates"))
    found = joined(slots.found, given)
    if not found:
        problem = "none of them stands where a turn was cut: all turns before must be the same, or"
        raise DataError(f"{problem} the ids of continuations", source="candidates")
    without = len(slots.found) - len({(one.conversation, one.turn) for one in found})
    if without:
        slots.passed["nobody else spoke in its place"] = without
    return found


def _missing(found: Sequence[Continuation]) -> list[str]:
    empty = sum(not one.candidate.strip() for one in found)
    if not empty:
        return []
    have = "has" if empty == 1 else "have"
    return [
        f"{counted(empty, 'continuation')} {have} no candidate yet; every judge leaves such"
        " unscored: fill them in, or give candidates"
    ]


def _made(
    title: str,
    found: list[Continuation],
    passed: Mapping[str, int],
    settings: Mapping[str, Any],
    out: str | Path | None,
    told: Sequence[str],
) -> Continuations:
    if out is not None:
        write(out, found)
    texts = json_hash([(one.id, one.references, one.candidate) for one in found])
    signature = sign(title, 1, dict(settings), texts)
    path = None if out is None else str(out)
    return count_continuations(tuple(found), dict(passed), told, path, signature)


def verification(
    items: ItemsLike,
    *,
    judgments: JudgmentsLike | None = None,
    question: str = "preference",
    majority: float = 0.5,
    turns: Sequence[int] = (6, 8),
    candidates: ItemsLike | None = None,
    out: str | Path | None = None,
) -> Continuations:
    """Makes a verification set: references out of people's preferences, or of their dialogues.

    Of pairs, those with one context belong together; the answer that most people prefer in
    each of its pairs is the reference, and the others are candidates. Of conversations
    between people, the sixth and the eighth turn are references, and all before is context.

    Args:
        items: pairs with votes, or conversations. In Python also records.
        judgments: people's votes on the pairs, where they do not stand with them (repeatable);
            a pair that nobody voted on has the vote of its gold.
        question: what the votes answer.
        majority: share of the votes for either side that is a clear win; it must be exceeded.
        turns: of conversations, those that are held out, counted from 1 (repeatable).
        candidates: of conversations, who else says what there (repeatable).
        out: write the continuations here.

    Raises:
        DataError: there is neither a pair nor a conversation, or no reference can be found.
        ConfigError: an argument is none of those allowed.

    Source: UPHELD, appendix K. Differs: it speaks of segments of turns 5-7 whose turns 1-5 (or
    1-7) are the input and whose turn 6 (or 8) is the reference; here turns 1-5 come before
    turn 6, turns 1-7 before turn 8, and a dialogue long enough gives both.
    """
    check_range("majority", majority, 0.5, 1)
    given, judged = read(items).items_and_judgments()
    pairs = [one for one in given if isinstance(one, Pair)]
    if pairs:
        table = _votes(judgments, judged)
        done = preferred(pairs, tallies_of(pairs, table, question), majority=majority)
        if len(pairs) < len(given):
            done.passed["it is no pair"] = len(given) - len(pairs)
        if not done.found:
            reasons = ", ".join(f"{reason} ({n})" for reason, n in done.passed.items())
            problem = f"no answer is clearly preferred: {reasons}; give people's votes as judgments"
            raise DataError(problem, source="items")
        clear = len({one.id.rpartition("/")[0] for one in done.found})
        notes = [f"{clear} of {counted(done.contexts, 'context')} have a clear winner"]
        settings = {"question": question, "majority": majority}
        return _made("Preferred", done.found, done.passed, settings, out, notes)
    cutting = _cutting("any", turns, 1)
    slots = _cut(given, cutting)
    found = slots.found if candidates is None else _joined(slots, candidates)
    chats = [one for one in given if isinstance(one, Conversation)]
    if short := len(chats) - len({one.conversation for one in slots.found}):
        slots.passed["the conversation ends before"] = short
    settings = {"turns": list(turns)}
    return _made("Held out", found, slots.passed, settings, out, _missing(found))


def _votes(judgments: JudgmentsLike | None, judged: Sequence[Judgment]) -> JudgmentTable | None:
    """People's votes: those given, else those that stood with the pairs; None for none."""
    if judgments is not None:
        table = judgments_of(judgments)
    elif judged:
        table = read_judgments(judged)
    else:
        return None
    return table.where(kind=("person", None))
