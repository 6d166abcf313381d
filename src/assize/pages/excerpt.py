"""The texts of the few items that a page shows, cut to a bounded size when they are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats.sampling import first_words
from assize.formats.tool_calls import arguments_text
from assize.results.abridge import Abridged, abridge

MOST_TURNS = 120
LONGEST_TURN = 6_000
LONGEST_REFERENCE = 1_200
MOST_REFERENCES = 12
MOST_CALLS = 20
LONGEST_ARGUMENTS = 2_000
LONGEST_ITEM = 80_000
GIST = 140


@dataclass(frozen=True, slots=True)
class Source:
    """A reference as shown: a source of a turn, or a human response."""

    name: str
    text: Abridged


@dataclass(frozen=True, slots=True)
class Called:
    """A call of a tool as shown, folded."""

    name: str
    arguments: Abridged
    answered: bool = False  # whether a later turn holds its result


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as shown; `gap` counts turns left out before it.

    Args:
        calls: the tools that it called.
        tool: of a tool's turn, which tool answered; None for any other turn.
    """

    number: int
    role: str
    text: Abridged
    sources: tuple[Source, ...] = ()
    sources_left_out: int = 0
    scores: tuple[tuple[str, float], ...] = ()
    gap: int = 0
    calls: tuple[Called, ...] = ()
    calls_left_out: int = 0
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A heading (may be empty) and the turns below it."""

    title: str
    turns: tuple[Said, ...]


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge said about the item: its answer in words, and its explanation."""

    judge: str
    question: str
    order: str | None
    answer: str
    explanation: Abridged


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
    parts: tuple[Part, ...]
    opinions: tuple[Opinion, ...]  # the judgments of the whole item, the main question first
    turn_count: int


def excerpt(
    item: Item | str,
    value: float,
    opinions: Sequence[Opinion],
    turn_rows: Sequence[Judgment],
    *,
    flags: Mapping[str, str] | None = None,
) -> Excerpt:
    """The item (an id where the text is not known) with its text bounded."""
    flagged = () if flags is None else tuple(flags.items())
    if isinstance(item, str):
        return Excerpt(item, value, "", flagged, (), tuple(opinions), 0)
    scores = _by_turn(turn_rows)
    parts = tuple(_parts(item, scores))
    turns = sum(len(turns) for _, turns in _texts(item))
    return Excerpt(
        item.id,
        value,
        first_words(item),
        (*_facts(item), *flagged),
        parts,
        tuple(opinions),
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


def _by_turn(rows: Sequence[Judgment]) -> Mapping[int, tuple[tuple[str, float], ...]]:
    found: dict[int, tuple[tuple[str, float], ...]] = {}
    for row in rows:
        if row.turn is not None and row.score is not None:
            found[row.turn] = (*found.get(row.turn, ()), (row.question, row.score))
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
    return [("Context", item.context), (title, (candidate,)), ("What people said there", people)]


def _parts(
    item: Item,
    scores: Mapping[int, tuple[tuple[str, float], ...]],
) -> Iterator[Part]:
    texts = _texts(item)
    start = 0
    for title, turns in texts:
        shown = _shown(turns, start, scores)
        yield Part(title, tuple(shown))
        start += len(turns)


def _shown(
    turns: Sequence[Turn],
    start: int,
    scores: Mapping[int, tuple[tuple[str, float], ...]],
) -> Iterator[Said]:
    """All turns where they are few, else the first and twice as many of the last.

    The more there are, the less is shown of each.
    """
    places = list(range(len(turns)))
    if len(places) > MOST_TURNS:
        head = MOST_TURNS // 3
        places = [*places[:head], *places[head - MOST_TURNS :]]
    longest = min(LONGEST_TURN, LONGEST_ITEM // max(1, len(places)))
    names = _tools(turns)
    before = -1
    for index in places:
        turn, number = turns[index], start + index
        sources = tuple(
            Source(one.title or one.id, abridge(one.text, LONGEST_REFERENCE))
            for one in turn.references[:MOST_REFERENCES]
        )
        yield Said(
            number,
            turn.role,
            abridge(turn.text, longest),
            sources,
            len(turn.references) - len(sources),
            scores.get(number, ()),
            gap=index - before - 1,
            calls=tuple(_called(turn, turns[index + 1 :])),
            calls_left_out=max(0, len(turn.tool_calls) - MOST_CALLS),
            tool=names.get(index),
        )
        before = index


def _called(turn: Turn, later: Sequence[Turn]) -> Iterator[Called]:
    answered = {one.tool_call_id for one in later} if turn.tool_calls else set()
    for call in turn.tool_calls[:MOST_CALLS]:
        arguments = abridge(arguments_text(call), LONGEST_ARGUMENTS)
        yield Called(_short(call.name, GIST), arguments, bool(call.id) and call.id in answered)


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
