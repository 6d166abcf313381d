"""One conversation with everything that was said about it, beside the turns it belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.base.conversation import Conversation, Item, Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import NOT_APPLICABLE, Judgment, Question
from assize.formats.tool_calls import arguments_text
from assize.judgments.values import number_of
from assize.web._dashboard.prepared.rows import item_of, judgments_of
from assize.web._dashboard.prepared.view import View

MOST = 5_000  # judgments on one page
LIKELY = 0.005  # least probability that is shown


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one judge said on one question.

    Args:
        answer: in words; "" where there is none.
        number: what it is worth; "" where nothing.
        chances: by answer its probability in percent, where the judge gave some.
        unscored: why there is no answer; "" where there is one.
        order: in which two responses were shown, "" where none were.
    """

    judge: str
    question: str
    asked: str
    answer: str
    number: str
    chances: tuple[tuple[str, str], ...]
    explanation: str
    unscored: str
    order: str
    repeat: int

    @property
    def short(self) -> str:
        """The answer in a word or two."""
        if self.unscored:
            return "unscored"
        return self.answer.partition(" (")[0] or self.number or "–"


@dataclass(frozen=True, slots=True)
class Acts:
    """The dialogue acts that one judge saw in a turn, as dimension and function."""

    judge: str
    acts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A criterion that one judge saw fulfilled in a turn."""

    judge: str
    text: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn with what was said about it."""

    number: int
    role: str
    text: str
    references: tuple[tuple[str, str, str], ...]  # id, title, text
    calls: tuple[tuple[str, str], ...]
    opinions: tuple[Opinion, ...]
    acts: tuple[Acts, ...]
    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """What each judge said of the whole, a row a judge and a column a question.

    Args:
        rows: the judge, and by question its answers in a word or two; "" where it said nothing.
    """

    questions: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A heading, "" for none, and turns below it."""

    title: str
    turns: tuple[ShownTurn, ...]


@dataclass(frozen=True, slots=True)
class ShownConversation:
    """All that is known of an item.

    Args:
        facts: its system and metadata, as words.
        whole: by question, what was said of the whole, in the order of the view.
        maxims: by judge, the verdict on each maxim.
        parts: () where its text was not given.
        left_out: judgments beyond those shown.
    """

    id: str
    facts: tuple[tuple[str, str], ...]
    whole: tuple[tuple[str, tuple[Opinion, ...]], ...]
    maxims: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
    parts: tuple[Part, ...]
    left_out: int

    @property
    def grid(self) -> Grid:
        """All answers about the whole, at a glance."""
        judges = dict.fromkeys(one.judge for _, told in self.whole for one in told)
        rows = [
            (
                judge,
                tuple(
                    " / ".join(one.short for one in told if one.judge == judge)
                    for _, told in self.whole
                ),
            )
            for judge in judges
        ]
        return Grid(tuple(name for name, _ in self.whole), tuple(rows))

    @property
    def reasons(self) -> tuple[Opinion, ...]:
        """What judges said about the whole in words."""
        return tuple(one for _, told in self.whole for one in told if one.explanation)


def read_conversation(view: View, id: str) -> ShownConversation:
    """The conversation of that id.

    Raises:
        ConfigError: the view has none.
    """
    place = view.ids.places.get(id)
    if place is None:
        raise ConfigError(f"no conversation {id!r} was judged here")
    item, rows = item_of(view, place), judgments_of(view, place)
    kept = rows[:MOST]
    asked = {one.id: one for one in view.asked}
    whole: dict[str, list[Opinion]] = {}
    for row in kept:
        if row.turn is None:
            told = whole.setdefault(row.question, [])
            told.append(_opinion(row, asked.get(row.question)))
    return ShownConversation(
        id,
        () if item is None else tuple(_facts(item)),
        tuple((name, tuple(whole[name])) for name in asked if name in whole),
        tuple(_maxims(kept)),
        () if item is None else tuple(_parts(item, kept, asked)),
        len(rows) - len(kept),
    )


def _opinion(row: Judgment, question: Question | None) -> Opinion:
    answer = row.answer or ""
    if question is not None and answer in question.labels:
        answer = f"{answer} ({question.labels[answer]})"
    if row.answer == NOT_APPLICABLE:
        answer = "does not apply"
    chances = tuple(
        (name, f"{p:.0%}") for name, p in (row.distribution or {}).items() if p >= LIKELY
    )
    worth = None if question is None else number_of(row, question)
    reason = row.unscored
    return Opinion(
        row.judge,
        row.question,
        question.text if question is not None else "",
        answer,
        "" if worth is None else f"{worth:.4g}",
        chances,
        row.explanation or "",
        "" if reason is None else " ".join(filter(None, (reason.reason, reason.message))),
        row.order or "",
        row.repeat,
    )


def _facts(item: Item) -> Iterator[tuple[str, str]]:
    for name in ("system", "source", "conversation"):
        value = getattr(item, name, None)
        if value:
            yield name, str(value)
    for name, held in item.metadata.items():
        yield str(name), str(held)


def _maxims(rows: Sequence[Judgment]) -> Iterator[tuple[str, tuple[tuple[str, str], ...]]]:
    for row in rows:
        held = (row.details or {}).get("maxims")
        if isinstance(held, Mapping):
            judge = f"{row.judge} ({row.order})" if row.order else row.judge
            yield judge, tuple((str(name), str(verdict)) for name, verdict in held.items())


def _parts(item: Item, rows: Sequence[Judgment], asked: Mapping[str, Question]) -> Iterator[Part]:
    """Turns count from 0 over all parts, as those of judgments do."""
    start = 0
    for title, name, turns in _texts(item):
        shown = [
            _turn(turn, start + at, _acts(rows, name, at), rows, asked)
            for at, turn in enumerate(turns)
        ]
        yield Part(title, tuple(shown))
        start += len(turns)


def _texts(item: Item) -> list[tuple[str, str, tuple[Turn, ...]]]:
    """Headings, the part of `details.acts`, and turns."""
    if isinstance(item, Conversation):
        return [("", "turns", item.turns)]
    if isinstance(item, Pair):
        context = [("Context", "context", item.context)] if item.context else []
        return [*context, ("A", "a", item.a), ("B", "b", item.b)]
    people = tuple(Turn("assistant", text) for text in item.references)
    return [
        ("Context", "context", item.context),
        ("Candidate", "candidate", (Turn("assistant", item.candidate),)),
        ("What people said there", "references", people),
    ]


def _turn(
    turn: Turn,
    number: int,
    acts: tuple[Acts, ...],
    rows: Sequence[Judgment],
    asked: Mapping[str, Question],
) -> ShownTurn:
    mine = [row for row in rows if row.turn == number]
    return ShownTurn(
        number,
        turn.role,
        turn.text,
        tuple((one.id, one.title, one.text) for one in turn.references),
        tuple((one.name, arguments_text(one)) for one in turn.tool_calls),
        tuple(_opinion(row, asked.get(row.question)) for row in mine),
        acts,
        tuple(_criteria(rows, number, asked)),
    )


def _acts(rows: Sequence[Judgment], part: str, at: int) -> tuple[Acts, ...]:
    """What each judge saw in one turn of a part; what is no list of acts is passed over."""
    found = []
    for row in rows:
        sides = (row.details or {}).get("acts")
        turns = sides.get(part) if isinstance(sides, Mapping) else None
        if part == "turns" and turns is None and isinstance(sides, Mapping):
            turns = sides.get("context")
        if isinstance(turns, list) and at < len(turns) and isinstance(turns[at], list):
            acts = tuple(
                (str(one[0]), str(one[1]))
                for one in turns[at]
                if isinstance(one, list | tuple) and len(one) == 2
            )
            if acts:
                judge = f"{row.judge} ({row.order})" if row.order else row.judge
                found.append(Acts(judge, acts))
    return tuple(found)


def _criteria(
    rows: Sequence[Judgment], number: int, asked: Mapping[str, Question]
) -> Iterator[Criterion]:
    """Criteria whose judgment names this turn as evidence."""
    for row in rows:
        cited: Any = (row.details or {}).get("turns")
        if isinstance(cited, list) and number in cited:
            question = asked.get(row.question)
            text = question.text if question is not None and question.text else row.question
            yield Criterion(row.judge, text)
