"""The card of a data set: what can be counted, beside what its makers declare."""

from __future__ import annotations

from pathlib import Path

from assize._doors.data_card.card import DataCard, describe
from assize._doors.data_card.measuring import measure
from assize._doors.data_card.provenance import NOTHING, read_provenance
from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.base.signature import json_hash, sign
from assize.formats import Items
from assize.formats.arguments import named
from assize.formats.files import open_output
from assize.formats.judgment_files import is_judgment
from assize.formats.records import judgment
from assize.formats.writing import encoded
from assize.judgments import JudgmentTable
from assize.judgments.item_fields import judgments_of


def card_of(items: Items, provenance: str | Path | None, out: str | Path | None) -> DataCard:
    """The card of a data set; all items are held in memory.

    Args:
        provenance: a YAML file of what its makers declare; what it leaves out is shown as not
            declared.
        out: the card is written here, as Markdown.

    Raises:
        DataError: there is no item, a record is bad, or the provenance says what is not allowed.

    Source: UPHELD, section 3.1.2 and appendix A, tables 6 to 8.
    """
    declared = NOTHING if provenance is None else read_provenance(str(provenance))
    read, rows = _read(items)
    gold = [label for item in read for label in judgments_of(item)]
    found = measure(read, [*rows, *gold])
    texts = json_hash([one.id for one in read])
    card = describe(
        found,
        declared,
        declared.said.get("name", _title(items)),
        sign("card", 1, texts, len(rows), dict(declared.said)),
    )
    if out is not None:
        with open_output(out) as stream:
            stream.write(encoded(card.to_markdown()))
    return card


def _read(source: Items) -> tuple[list[Item], list[Judgment]]:
    """Items and judgments of what is given, in files or in memory; bad records are passed over."""
    given = source.source
    several = given if isinstance(given, list | tuple) else [given]
    judged = [one for one in several if is_judgment(one)]
    others = [one for one in several if not is_judgment(one)]
    rows: list[Judgment] = []
    for one in judged:
        found = one if isinstance(one, JudgmentTable) else [one]
        rows += [row if isinstance(row, Judgment) else judgment(row) for row in found]
    if not others:
        raise DataError("only judgments are here; give what was judged too", source="items")
    rest = source.part(others if judged else given).lenient()
    items, more = rest.items_and_judgments()
    return items, [*rows, *more]


def _title(items: Items) -> str:
    """The files' names, without folders."""
    names = [Path(part).name for part in named(items).split(", ")]
    return ", ".join(names)
