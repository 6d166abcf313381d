"""What another system said in the place of held-out turns.

Another system's conversations have a candidate wherever their turns up to there are the same;
continuations, such as a model has filled in, are found by their id too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from assize.base.conversation import Continuation, Conversation, Item
from assize.reference._continuations.context import context_key
from assize.reference._continuations.cut import HeldTurns, cut_turns


def answers_of_others(
    slots: Sequence[Continuation], others: Iterable[Item]
) -> dict[str, list[Continuation]]:
    """By slot, one continuation a candidate; slots without any are left out.

    A turn is no candidate beside itself (the same conversation by the same system), nor twice
    where one source says the same there. Ids are `SLOT/SOURCE`, numbered where a source has
    several candidates.

    Args:
        slots: continuations without candidates.
        others: conversations of other systems; continuations with a candidate, found by id, and
            where none has that id by context.
    """
    by_id: dict[str, list[Continuation]] = defaultdict(list)
    by_context: dict[str, list[Continuation]] = defaultdict(list)
    for item in others:
        answers = []
        if isinstance(item, Conversation):
            for turn in cut_turns([item], HeldTurns("any")).found:
                answers.append(replace(turn, candidate=turn.references[0], source=item.system))
        elif isinstance(item, Continuation) and item.candidate.strip():
            answers = [replace(item, conversation=None)]
            by_id[item.id] += answers
        for answer in answers:
            by_context[context_key(answer.context)].append(answer)
    joined = {}
    for slot in slots:
        answers = by_id.get(slot.id) or by_context.get(context_key(slot.context), [])
        own = slot.conversation, slot.metadata.get("reference_by")
        texts = {
            (answer.source, answer.candidate): None
            for answer in answers
            if (answer.conversation, answer.source) != own
        }
        if texts:
            joined[slot.id] = number_answers(slot, texts)
    return joined


def number_answers(
    slot: Continuation, texts: Iterable[tuple[str | None, str]]
) -> list[Continuation]:
    """The slot with each source's text as candidate."""
    taken: dict[str, int] = defaultdict(int)
    candidates = []
    for source, text in texts:
        name = f"{slot.id}/{source or 'candidate'}"
        taken[name] += 1
        name += f"-{taken[name]}" if taken[name] > 1 else ""
        candidates.append(replace(slot, id=name, candidate=text, source=source))
    return candidates
