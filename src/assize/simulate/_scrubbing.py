"""Taking what is personal out of records, and putting it back: `assize simulate scrub|unscrub`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.signature import json_hash
from assize.formats import ItemsLike, read, write
from assize.formats.files import open_output
from assize.formats.yaml_nodes import text_in
from assize.results import Column, Result, Table
from assize.simulate._result import Simulated
from assize.simulate._scrubber.patterns import PLACEHOLDER
from assize.simulate._scrubber.scrubber import MAPPING, Scrubber, kind_of, read_mapping, scrubber_in
from assize.simulate._settings import Scrub
from assize.simulate._text_lines import read_entries

FILE = "items.jsonl"


@dataclass(frozen=True, slots=True)
class Replaced:
    """How many values of a kind were replaced, and in how many places."""

    kind: str
    values: int
    places: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrubbedItems(Simulated[Item]):
    """Items with placeholders in place of names, numbers and addresses.

    Args:
        mapping: what each placeholder stands for: never send it anywhere.
        replaced: values and places by kind; the values themselves are not shown.
    """

    mapping: Mapping[str, str] = field(repr=False)
    replaced: Annotated[Sequence[Replaced], Table("What was replaced")] = ()


def scrub(
    items: ItemsLike,
    *,
    out: str | Path | None = None,
    terms: str | Path | None = None,
) -> ScrubbedItems:
    """Replace names, mails, numbers, dates, addresses and keys by placeholders.

    A value has the same placeholder in all items, such as [NAME 3]. The mapping back is written
    beside the items, readable by you alone, and never sent to a model. `unscrub` restores the
    values in whatever was made of the items. Names that no rule recognises stay.

    Args:
        items: conversations, pairs or continuations: paths or - for standard input.
            In Python also records.
        out: folder to write items.jsonl and scrubbed.json to. A mapping that is there goes on.
        terms: file of more words and phrases to treat as personal, one per line.

    Raises:
        DataError: there is no item, or the mapping in `out` cannot be read.
    """
    folder = None if out is None else Path(out)
    scrubber = scrubber_in(folder, read_entries(terms))
    done: list[Item] = [scrubber.item(item) for item in read(items)]
    files: dict[str, int] = {}
    if folder is not None:
        scrubber.save(folder / MAPPING)
        write(folder / FILE, done)
        files = {str(folder / FILE): len(done), str(folder / MAPPING): len(scrubber.placed)}
    kinds = Counter(map(kind_of, scrubber.placed))
    return ScrubbedItems(
        records=done,
        mapping=dict(scrubber.placed),
        replaced=[Replaced(kind, kinds[kind], n) for kind, n in sorted(scrubber.counts.items())],
        notes=["names that no rule knows stay: look through the file, and name them in terms"],
        outputs=files,
        out=folder,
    )


@dataclass(frozen=True, slots=True)
class Unscrubbed(Result):
    """Records in which placeholders are values again.

    Args:
        unknown: placeholders without a value in the mapping, which stay.
        foreign: placeholders of other conversations than the record's own, which stay.
    """

    records: int
    unknown: Annotated[int, Column("unknown placeholders")]
    foreign: Annotated[int, Column("of other conversations")]
    outputs: Mapping[str, int]


def unscrub(path: str | Path, mapping: str | Path, out: str | Path) -> Unscrubbed:
    """Restore what was scrubbed in a file of records: conversations, pairs, judgments, any.

    A record gets the values of its own conversation, named by its id, its item, its field
    `conversation` or that of its metadata. Placeholders of other conversations stay, and are
    counted: a model may write one that it read elsewhere.

    Args:
        path: file of JSON lines to restore.
        mapping: file scrubbed.json that was written with the items.
        out: file to write to.

    Raises:
        DataError: a line is no JSON, or the mapping cannot be read.
    """
    if Path(path).resolve() == Path(out).resolve():
        raise ConfigError("out is the file itself; name another", "out")
    scrubber = Scrubber(read_mapping(Path(mapping)))
    records = unknown = foreign = 0
    lines = text_in(str(path)).splitlines()
    with open_output(Path(out)) as stream:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                value = json.loads(line)
            except json.JSONDecodeError as error:
                problem = f"no JSON ({error}); give a file of JSON lines"
                raise DataError(problem, source=str(path), line=number) from error
            own = scrubber.placeholders_of(value)
            found = PLACEHOLDER.findall(line)
            unknown += sum(name not in scrubber.placed for name in found)
            foreign += sum(name in scrubber.placed and name not in own for name in found)
            text = json.dumps(scrubber.restored(value, own), ensure_ascii=False)
            stream.write(text.encode() + b"\n")
            records += 1
    return Unscrubbed(records, unknown, foreign, {str(out): records})


def open_scrubber(
    folder: Path | None, scrub: Scrub | None
) -> tuple[Scrubber | None, dict[str, Any]]:
    """What scrubs, if that is wanted; and what a run's settings say."""
    if scrub is None:
        return None, {}
    words = read_entries(scrub.terms)
    return scrubber_in(folder, words), {"scrub": json_hash(words)}
