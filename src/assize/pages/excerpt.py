"""The texts of the few items that a page shows, cut to a bounded size when they are kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats.sampling import first_words

MOST_TURNS = 120
LONGEST_TURN = 6_000
LONGEST_ITEM = 80_000
GIST = 140


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn as shown; the template cuts references and calls of tools that are many or long.

    Args:
        longest: characters of its text that are shown.
        scores: by question.
        gap: turns left out before it.
        tool: of a tool's turn, which tool answered; None for any other turn.
        answered: ids of the calls whose results stand in a turn.
    """

    number: int
    turn: Turn
    longest: int
    scores: Sequence[tuple[str, float]]
    gap: int
    tool: str | None
    answered: Collection[str | None]


@dataclass(frozen=True, slots=True)
class Part:
    """A heading (may be empty) and the turns below it."""

    title: str
    turns: Sequence[ShownTurn]


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An item as shown; without parts where its text was not given."""

    id: str
    value: float  # the number by which items are listed
    gist: str
    # what is known of the item besides its text: system, metadata
    facts: tuple[tuple[str, str], ...]
    # the conversation; context, A and B of a pair; context, candidate and references of a
    # continuation
    parts: Sequence[Part]
    # the judgments of the whole item, the main question first, each with its answer in words
    opinions: Sequence[tuple[Judgment, str]]
    turn_count: int


def excerpt(
    item: Item | str,
    value: float,
    opinions: Sequence[tuple[Judgment, str]],
    turn_rows: Sequence[Judgment],
    *,
    flags: Mapping[str, str] | None = None,
) -> Excerpt:
    """The item (an id where the text is not known) with its text bounded."""
    flagged = () if flags is None else tuple(flags.items())
    if isinstance(item, str):
        return Excerpt(item, value, "", flagged, (), opinions, 0)
    scores: dict[int, list[tuple[str, float]]] = {}
    for row in turn_rows:
        if row.turn is not None and row.score is not None:
            scores.setdefault(row.turn, []).append((row.question, row.score))
    parts, turns = [], 0
    for title, texts in _texts(item):
        parts.append(Part(title, list(_shown(texts, turns, scores))))
        turns += len(texts)
    return Excerpt(
        item.id,
        value,
        first_words(item),
        (*_facts(item), *flagged),
        parts,
        opinions,
        turns,
    )


def items_by_id(items: Iterable[Item], ids: Iterable[str]) -> dict[str, Item]:
    """Return the items with these ids, read once; of those that share one the first."""
    wanted = set(ids)
    found: dict[str, Item] = {}
    for item in items:
        if item.id in wanted:
            found.setdefault(item.id, item)
        if len(found) == len(wanted):
            break
    return found


def _texts(item: Item) -> list[tuple[str, tuple[Turn, ...]]]:
    if isinstance(item, Conversation):
        return [("", item.turns)]
    if isinstance(item, Pair):
        context = [("Context", item.context)] if item.context else []
        return [*context, ("A", item.a), ("B", item.b)]
    candidate = Turn("assistant", item.candidate)
    people = tuple(Turn("assistant", text) for text in item.references)
    title = "Candidate" if item.source is None else f"Candidate ({item.source})"
    return [
        ("Context", item.context),
        (title, (candidate,)),
        ("What people said at this point", people),
    ]


def _shown(
    turns: Sequence[Turn], start: int, scores: Mapping[int, Sequence[tuple[str, float]]]
) -> Iterator[ShownTurn]:
    """All turns where they are few, else the first and twice as many of the last.

    The more there are, the less is shown of each.
    """
    places = list(range(len(turns)))
    if len(places) > MOST_TURNS:
        head = MOST_TURNS // 3
        places = [*places[:head], *places[head - MOST_TURNS :]]
    longest = min(LONGEST_TURN, LONGEST_ITEM // max(1, len(places)))
    names, answered = _tools(turns), {turn.tool_call_id for turn in turns}
    before = -1
    for index in places:
        own, gap = scores.get(start + index, ()), index - before - 1
        tool = names.get(index)
        yield ShownTurn(start + index, turns[index], longest, own, gap, tool, answered)
        before = index


def _tools(turns: Sequence[Turn]) -> dict[int, str]:
    """By place, the name of the tool whose result stands there; "" where no one says."""
    called: dict[str, str] = {}
    found = {}
    for place, turn in enumerate(turns):
        called |= {call.id: call.name for call in turn.tool_calls if call.id}
        if turn.role == "tool":
            name = turn.name or called.get(turn.tool_call_id or "", "")
            found[place] = _short(name, GIST)
    return found


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "…"


def _facts(item: Item) -> tuple[tuple[str, str], ...]:
    facts: list[tuple[str, str]] = []
    if isinstance(item, Conversation) and item.system is not None:
        facts.append(("system", item.system))
    if isinstance(item, Pair) and isinstance(item.gold, str):
        facts.append(("gold", item.gold))
    if isinstance(item, Continuation) and item.conversation is not None:
        facts.append(("conversation", item.conversation))
    for name, value in item.metadata.items():
        if isinstance(value, str | int | float) and len(facts) < 8:
            facts.append((_short(str(name), 40), _short(str(value), 120)))
    return tuple(facts)
