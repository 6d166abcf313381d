"""The card of a data set: figures that were measured, beside what its makers declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize._doors.data_card.measuring import LabelCount, Length, Measured
from assize._doors.data_card.provenance import Provenance
from assize.results import Result, Table
from assize.results.markup import markdown_line
from assize.results.numbers import counted, percent


@dataclass(frozen=True, slots=True)
class Property:
    """A property of a data set: what was measured, beside what is declared.

    Args:
        measured: None where nothing can be.
        declared: None where its makers say nothing.
        clash: whether the two contradict each other.
    """

    group: str
    property: str
    measured: str | None
    declared: str | None
    clash: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class DataCard(Result):
    """What a set of conversations and judgments consists of.

    Args:
        name: what the set is called.
        items: by kind.
        counts: how many there are of everything, by what is counted.
        sources: who wrote candidates or took part as assistant, with the number of items.
        properties: collection, task and evaluation, as UPHELD's tables 7 and 8 have them.
        declared: what the makers of the set say of it, by field.
        measured: all that was counted.
    """

    name: str
    items: Mapping[str, int]
    counts: Annotated[Mapping[str, int], Table("What is there", key="there are")]
    lengths: Annotated[Sequence[Length], Table("Lengths")]
    labels: Annotated[Sequence[LabelCount], Table("Labels")]
    properties: Annotated[
        Sequence[Property],
        Table(
            "Collection, task and evaluation",
            group="group",
            notes=["What is empty is not declared, or cannot be measured."],
        ),
    ]
    sources: Mapping[str, int]
    declared: Mapping[str, str]
    measured: Measured = field(repr=False)
    notes: Sequence[str] = ()
    signature: str = ""

    def to_markdown(self) -> str:
        """The card as a document."""
        parts = [f"# {markdown_line(self.name)}\n"]
        if "about" in self.declared:
            parts.append(f"{markdown_line(self.declared['about'])}\n")
        first, *others = self.tables.values()
        parts += [first.to_markdown()]
        parts += [f"## {table.title}\n\n{table.to_markdown()}" for table in others]
        parts += [f"- {markdown_line(note)}" for note in self.notes]
        return "\n".join([*parts, "", f"`{self.signature}`", ""])


def describe(measured: Measured, declared: Provenance, name: str, signature: str = "") -> DataCard:
    """Return the card of a data set."""
    rows = properties(measured, declared)
    return DataCard(
        name,
        dict(measured.kinds),
        count_parts(measured),
        measured.lengths,
        measured.labels,
        rows,
        dict(measured.sources),
        dict(declared.said),
        measured,
        note_properties(rows),
        signature,
    )


def count_parts(measured: Measured) -> dict[str, int]:
    """Return how many there are of everything that a card counts."""
    labels = measured.labels
    kinds = {name: n for name, n in measured.kinds.items() if name != "conversations"}
    judges = {
        "labels by people": sum(label.people for label in labels),
        "labels by programs": sum(label.programs or 0 for label in labels),
        "labels as gold": sum(label.gold or 0 for label in labels),
    }
    return {
        **kinds,
        "conversations": measured.conversations,
        "utterances": measured.utterances,
        "labels": sum(label.total for label in labels),
        **{name: n for name, n in judges.items() if n},
        "raters with a name": measured.raters,
        "sources of answers": len(measured.sources),
    }


def note_properties(rows: Sequence[Property]) -> list[str]:
    """Return where what is declared is not what was measured, and what is not known."""
    notes = [
        f"{row.property}: declared {row.declared}, but measured is {row.measured}"
        for row in rows
        if row.clash
    ]
    unknown = [row.property for row in rows if row.measured is None and not row.declared]
    if unknown:
        notes.append(f"not declared: {', '.join(unknown)}; say it in a file of --provenance")
    return notes


def properties(found: Measured, declared: Provenance) -> list[Property]:
    """Every property, measured where that can be done."""
    basis = _basis(found)
    people = sum(one.people for one in found.labels)
    plain = _mostly(found.alternating, found.items)
    sourced = found.sourced / max(found.items, 1)
    context = f"{percent(sourced)} of the items show a source" if sourced else "none shown"
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
