"""Candidates for cut continuations: what another system said there.

Another system's conversations have a candidate wherever their turns up to there are the same;
continuations, such as a model has filled in, are found by their id too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from assize.base.conversation import Continuation, Conversation, Item, Pair
from assize.judgments.item_fields import systems_of
from assize.reference._continuations.context import context_key
from assize.reference._continuations.cut import Cutting, cut_turns


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that may stand in a place, and who wrote it."""

    text: str
    source: str | None
    conversation: str | None = None  # that it was said in


def joined(slots: Sequence[Continuation], given: Iterable[Item]) -> list[Continuation]:
    """The slots that have candidates, one continuation a candidate.

    Args:
        slots: continuations as `cut` makes them.
        given: conversations of other systems, cut in the same way; continuations with a
            candidate, found by id, and where none has that id by context; pairs, whose both
            sides are candidates for their context where they are one turn.

    A candidate is not joined to the turn that it is (the same conversation by the same system),
    nor twice where one source says the same there. Ids are `SLOT/SOURCE`, numbered where a
    source has several candidates.
    """
    by_id: dict[str, list[Candidate]] = defaultdict(list)
    by_context: dict[str, list[Candidate]] = defaultdict(list)
    for item in given:
        for id, key, one in _candidates(item):
            if id is not None:
                by_id[id].append(one)
            by_context[key].append(one)
    found = []
    for slot in slots:
        several = by_id.get(slot.id) or by_context.get(context_key(slot.context), [])
        found += filled(slot, [one for one in several if not _itself(slot, one)])
    return found


def _itself(slot: Continuation, one: Candidate) -> bool:
    same = one.conversation is not None and one.conversation == slot.conversation
    return same and one.source == slot.metadata.get("reference_by")


def _candidates(item: Item) -> Iterable[tuple[str | None, str, Candidate]]:
    """(id of a slot or None, key of the context, candidate) of all that an item offers."""
    if isinstance(item, Conversation):
        for one in cut_turns([item], Cutting("any")).found:
            key = context_key(one.context)
            yield None, key, Candidate(one.references[0], item.system, item.id)
    elif isinstance(item, Pair):
        for side, source in zip((item.a, item.b), systems_of(item), strict=True):
            if len(side) == 1 and side[0].role == "assistant" and side[0].text.strip():
                yield None, context_key(item.context), Candidate(side[0].text, source)
    elif item.candidate.strip():
        yield item.id, context_key(item.context), Candidate(item.candidate, item.source)


def filled(slot: Continuation, candidates: Iterable[Candidate]) -> list[Continuation]:
    """A continuation a candidate, each text of a source once."""
    once = dict.fromkeys((one.source, one.text) for one in candidates)
    taken: dict[str, int] = defaultdict(int)
    found = []
    for source, text in once:
        name = f"{slot.id}/{source or 'candidate'}"
        taken[name] += 1
        name += f"-{taken[name]}" if taken[name] > 1 else ""
        found.append(replace(slot, id=name, candidate=text, source=source))
    return found
