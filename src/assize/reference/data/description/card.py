"""The card of a data set: figures that were measured, beside what its makers declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.reference.data.description.measuring import LabelCount, Measured, Spread
from assize.reference.data.description.provenance import Provenance
from assize.results import Column, Result, ResultTable, columns
from assize.results.markup import markdown_line
from assize.results.numbers import NONE, counted, number, percent

UNDECLARED = "not declared"


@dataclass(frozen=True, slots=True)
class Property:
    """A row of the card: what was measured (None where nothing can be), and what is declared."""

    group: str
    name: str
    measured: str | None
    declared: str | None
    clash: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class DataCard(Result):
    """What a set of items with their judgments is.

    Args:
        measured: all that was counted.
        provenance: what is declared.
        title: what the set is called.
    """

    measured: Measured
    provenance: Provenance
    title: str
    signature: str

    @property
    def properties(self) -> Sequence[Property]:
        """Collection, task and evaluation, as UPHELD's tables 7 and 8 have them."""
        return properties(self.measured, self.provenance)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`statistics`, `lengths`, `labels` and `properties`."""
        found = {"statistics": _statistics(self), "lengths": _lengths(self.measured)}
        if self.measured.labels:
            found["labels"] = _labels(self.measured.labels)
        return found | {"properties": _properties(self.properties)}

    @property
    def lines(self) -> Sequence[str]:
        """What makes the figures reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """Where what is declared is not what was measured."""
        said = [
            f"{one.name}: declared {one.declared}, but measured is {one.measured}"
            for one in self.properties
            if one.clash
        ]
        missing = [one.name for one in self.properties if one.measured is None and not one.declared]
        if missing:
            said.append(f"not declared: {', '.join(missing)}; say it in a file of --provenance")
        return said

    def to_json(self) -> dict[str, Any]:
        """Figures, labels and properties."""
        found = self.measured
        return {
            "name": self.title,
            "items": dict(found.kinds),
            "conversations": found.conversations,
            "utterances": found.total,
            "by_conversation": {
                "utterances": found.utterances.to_json(),
                "turn_pairs": found.turn_pairs.to_json(),
            },
            "characters": {
                "history": found.history.to_json(),
                "judged_turn": found.judged.to_json(),
                "reference": found.references.to_json(),
            },
            "sources": dict(found.sources),
            "labels": [
                {
                    "question": one.question,
                    "people": one.people,
                    "programs": one.programs,
                    "gold": one.gold,
                    "unscored": one.unscored,
                    "items": one.items,
                    "raters_an_item": one.raters.to_json(),
                }
                for one in found.labels
            ],
            "properties": [
                {
                    "group": one.group,
                    "property": one.name,
                    "measured": one.measured,
                    "declared": one.declared,
                }
                for one in self.properties
            ],
            "declared": dict(self.provenance.said),
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def to_markdown(self) -> str:
        """The card as a document."""
        parts = [f"# {markdown_line(self.title)}\n"]
        if "about" in self.provenance.said:
            parts.append(f"{markdown_line(self.provenance.said['about'])}\n")
        first, *others = self.tables.values()
        parts += [first.to_markdown()]
        parts += [f"## {one.title}\n\n{one.to_markdown()}" for one in others]
        parts += [f"- {markdown_line(note)}" for note in self.notes]
        return "\n".join([*parts, "", f"`{self.signature}`", ""])


def _statistics(card: DataCard) -> ResultTable:
    found = card.measured
    labels = found.labels
    rows: list[tuple[str, Any]] = [
        *((kind, n) for kind, n in found.kinds.items() if kind != "conversations"),
        ("conversations", found.conversations),
        ("utterances", found.total),
        ("labels", sum(one.total for one in labels)),
        *(
            (f"  {name}", count)
            for name, kind in (
                ("by people", "people"),
                ("by programs", "programs"),
                ("as gold", "gold"),
            )
            if (count := sum(getattr(one, kind) for one in labels))
        ),
        ("raters with a name", found.raters),
        ("sources of answers", len(found.sources)),
    ]
    return ResultTable(card.title, [Column("there are"), Column("count", "count")], rows)


def _lengths(found: Measured) -> ResultTable:
    named = [Column("length of"), *columns("number", "mean", "median", digits=1)]
    named += [*columns("number", "lowest", "highest", digits=0), Column("n", "count")]
    rows = [
        _row("a conversation, in utterances", found.utterances),
        _row("a conversation, in turn pairs", found.turn_pairs),
        _row("a history, in characters", found.history),
        _row("a judged turn, in characters", found.judged),
        _row("a reference, in characters", found.references),
    ]
    return ResultTable("Lengths", named, [row for row in rows if row[-1]])


def _row(name: str, one: Spread) -> tuple[str, float, float, float, float, int]:
    return name, one.mean, one.median, one.low, one.high, one.n


def _labels(labels: Sequence[LabelCount]) -> ResultTable:
    named = [Column("question"), *columns("count", "people", "programs", "gold", "unscored")]
    named += [Column("items", "count"), Column("raters each")]
    seen = {kind: any(getattr(one, kind) for one in labels) for kind in ("programs", "gold")}
    rows = [
        (
            one.question,
            one.people,
            one.programs if seen["programs"] else None,
            one.gold if seen["gold"] else None,
            one.unscored,
            one.items,
            _raters(one.raters),
        )
        for one in labels
    ]
    return ResultTable("Labels", named, rows)


def _raters(one: Spread) -> str:
    """How many raters an item has: on average, and at least and at most."""
    if not one.n:
        return NONE
    mean = number(one.mean, 0 if one.mean.is_integer() else 2)
    return mean if one.low == one.high else f"{mean} ({one.low:.0f} to {one.high:.0f})"


def _properties(rows: Sequence[Property]) -> ResultTable:
    named = columns("words", "group", "property", "measured", "declared")
    said = [
        (
            one.group,
            one.name,
            NONE if one.measured is None else one.measured,
            one.declared or UNDECLARED,
        )
        for one in rows
    ]
    return ResultTable("Collection, task and evaluation", named, said, grouped=True)


def properties(found: Measured, declared: Provenance) -> list[Property]:
    """Every property, measured where that can be done."""
    basis = _basis(found)
    people = sum(one.people for one in found.labels)
    plain = _mostly(found.alternating, found.items)
    context = _share(found.sourced, found.items, "show a source") if found.sourced else "none shown"
    rows: list[tuple[str, str, str, str | None, bool]] = [
        ("collection", "source", "source", None, False),
        ("collection", "licence", "licence", None, False),
        ("collection", "language", "language", None, False),
        ("collection", "written by people", "human", None, False),
        ("collection", "verified by people", "verified", None, False),
        ("collection", "taken directly", "direct", None, False),
        ("task", "predictions", "predictions", _predictions(found), False),
        (
            "task",
            "turns alternate",
            "conversation",
            plain,
            declared.word("conversation") == "yes" and found.alternating < found.items,
        ),
        ("task", "type of task", "task", None, False),
        (
            "task",
            "use of context",
            "context",
            context,
            declared.word("context") == "none" and found.sourced > 0,
        ),
        (
            "evaluation",
            "comparison",
            "evaluation",
            basis,
            basis is not None and declared.word("evaluation") not in (None, basis.split(" ")[0]),
        ),
        (
            "evaluation",
            "human annotators",
            "annotators",
            _annotators(found, people),
            declared.word("annotators") == "no" and people > 0,
        ),
        (
            "evaluation",
            "correlation stated",
            "correlation",
            f"can be measured on {counted(found.both, 'item')}" if found.both else None,
            False,
        ),
        ("evaluation", "authors described", "authors", None, False),
    ]
    return [
        Property(group, name, measured, declared.said.get(key), clash)
        for group, name, key, measured, clash in rows
    ]


def _annotators(found: Measured, people: int) -> str:
    if people:
        return f"yes, {counted(people, 'label')}"
    return "gold alone" if any(one.gold for one in found.labels) else "no label by people"


def _basis(found: Measured) -> str | None:
    """Whether there is a reference to compare with."""
    continuations = found.kinds["continuations"]
    if not continuations:
        return "reference-free"
    if found.referenced == found.items:
        return "explicit"
    return "mixed" if found.referenced else "reference-free"


def _predictions(found: Measured) -> str:
    whole, turns = found.kinds["conversations"], found.items - found.kinds["conversations"]
    labels = sum(one.total for one in found.labels)
    by_turn = turns > 0 or found.by_turn > 0
    entire = whole > 0 and (found.by_turn < labels or not labels)
    return "both" if by_turn and entire else "per-turn" if by_turn else "entire-conversation"


def _mostly(n: int, of: int) -> str:
    if n == of:
        return "yes"
    return "no" if n == 0 else f"mixed, {percent(n / of)} of the items"


def _share(n: int, of: int, words: str) -> str:
    return f"{percent(n / of)} of the items {words}"
