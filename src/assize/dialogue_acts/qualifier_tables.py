"""What qualifiers and dependence relations show, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from assize.dialogue_acts.qualifiers import LED, Mark, OfQualifiers
from assize.tables import Column, ResultTable, columns

MOST = 8  # functions of each mark that a table shows


def qualifier_tables(found: OfQualifiers) -> Iterator[ResultTable]:
    """By speaker, by act, and where relations lead."""
    marks = {**found.qualifiers, **found.relations}
    if not marks:
        return
    yield _by_speaker(found, marks)
    yield _by_act(marks)
    if found.relations:
        yield _led(found.relations)


def _by_speaker(found: OfQualifiers, marks: Mapping[str, Mark]) -> ResultTable:
    rows = [
        (name, one.of_acts, *(one.by_speaker[who] for who in found.by_speaker))
        for name, one in marks.items()
    ]
    named = [Column("Mark"), *columns("share", "Of all acts", digits=1, ends="none")]
    named += columns("percent", *found.by_speaker, digits=1, ends="page")
    acts = ", ".join(f"{count:,} of {who}" for who, count in found.by_speaker.items())
    note = f"Percent of acts that are marked so, in the items that have marks: {acts}."
    return ResultTable("Qualifiers and relations, by speaker", named, rows, [note])


def _by_act(marks: Mapping[str, Mark]) -> ResultTable:
    rows = [
        (name, act, share)
        for name, one in marks.items()
        for act, share in [
            *((f"{dimension}, all", each) for dimension, each in one.by_dimension.items()),
            *list(one.by_function.items())[:MOST],
        ]
    ]
    named = [Column("Mark"), Column("Acts")]
    named += columns("share", "Marked", digits=1, ends="page")
    note = "Acts marked so, and percent of all acts of that dimension or function."
    title = "Which acts are marked"
    return ResultTable(title, named, rows, [note], grouped=True)


def _led(relations: Mapping[str, Mark]) -> ResultTable:
    rows = [(name, *(one.led[where] for where in LED)) for name, one in relations.items()]
    heads = ("Fits", "Another act", "Own turn", "No earlier turn")
    named = [Column("Relation"), *columns("share", *heads, digits=1, ends="page")]
    note = (
        "Links, and percent of the relation's: to an earlier turn of the other one with an act"
        " that this one can respond to (an answer to a question; feedback to anything), to an"
        " earlier one without, to the speaker's own, or to none."
    )
    return ResultTable("Where relations lead", named, rows, [note])
