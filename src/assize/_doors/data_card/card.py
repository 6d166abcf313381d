"""The card of a data set: figures that were measured, beside what its makers declare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize._doors.data_card.measuring import FieldCount, LabelCount, Length, Measured
from assize._doors.data_card.provenance import Provenance
from assize.results import Result, Table
from assize.results.markup import markdown_line
from assize.results.numbers import counted, percent

PROPERTIES = (
    ("collection", "source", "source"),
    ("collection", "licence", "licence"),
    ("collection", "language", "language"),
    ("collection", "written by people", "human"),
    ("collection", "verified by people", "verified"),
    ("collection", "taken directly", "direct"),
    ("task", "predictions", "predictions"),
    ("task", "turns alternate", "conversation"),
    ("task", "type of task", "task"),
    ("task", "use of context", "context"),
    ("evaluation", "comparison", "evaluation"),
    ("evaluation", "human annotators", "annotators"),
    ("evaluation", "correlation stated", "correlation"),
    ("evaluation", "authors described", "authors"),
)
"""Group, name in the card, and field of the provenance (UPHELD, tables 7 and 8)."""


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
        fields: the system and the metadata, with the number of items that have them.
        properties: collection, task and evaluation, as UPHELD's tables 7 and 8 have them.
        declared: what the makers of the set say of it, by field.
        measured: all that was counted.
    """

    name: str
    items: Mapping[str, int]
    counts: Annotated[Mapping[str, int], Table("What is there", key="there are")]
    fields: Annotated[Sequence[FieldCount], Table("Fields")]
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
        measured.fields,
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
    judged = measured.judged
    by_judge = (
        ("by people", judged["people"]),
        ("by programs", judged["programs"]),
        ("as gold", judged["gold"]),
    )
    return {
        **{name: n for name, n in measured.kinds.items() if name != "conversations"},
        "conversations": measured.conversations,
        "utterances": measured.utterances,
        "labels": judged.total(),
        **{f"labels {how}": n for how, n in by_judge if n},
        "raters with a name": measured.raters,
        "systems that answer": len(measured.sources),
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


def properties(measured: Measured, declared: Provenance) -> list[Property]:
    """Every property, measured where that can be done."""
    items, people = measured.items, measured.judged["people"]
    basis = "reference-free"
    if measured.referenced:
        basis = "explicit" if measured.referenced == items else "mixed"
    whole = measured.kinds["conversations"]
    by_turn = items > whole or measured.by_turn > 0
    entire = whole > 0 and (measured.by_turn < measured.judged.total() or not measured.judged)
    turns = "per-turn" if by_turn else "entire-conversation"
    share = measured.alternating / max(items, 1)
    plain = {0.0: "no", 1.0: "yes"}.get(share, f"mixed, {percent(share)} of the items")
    sourced = f"{percent(measured.sourced / max(items, 1))} of the items show a document"
    annotators = "gold alone" if measured.judged["gold"] else "no label by people"
    if people:
        annotators = f"yes, {counted(people, 'label')}"
    correlation = f"can be measured on {counted(measured.both, 'item')}" if measured.both else None
    figures: dict[str, str | None] = {
        "predictions": "both" if by_turn and entire else turns,
        "conversation": plain,
        "context": sourced if measured.sourced else "none shown",
        "evaluation": basis,
        "annotators": annotators,
        "correlation": correlation,
    }
    clashes = {
        "conversation": declared.word("conversation") == "yes" and measured.alternating < items,
        "context": declared.word("context") == "none" and measured.sourced > 0,
        "evaluation": declared.word("evaluation") not in (None, basis),
        "annotators": declared.word("annotators") == "no" and people > 0,
    }
    return [
        Property(group, name, figures.get(key), declared.said.get(key), clashes.get(key, False))
        for group, name, key in PROPERTIES
    ]
