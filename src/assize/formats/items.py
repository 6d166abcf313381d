"""One door in: `read` gives `Items`, whatever holds conversations, pairs and continuations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import escape
from itertools import islice
from typing import Any

from assize.base.conversation import Item, Pair
from assize.base.errors import ConfigError, DataError
from assize.base.fields import first_values
from assize.base.judgment import Judgment
from assize.formats.any_log.mapping import Map, Roles
from assize.formats.files import is_read_once
from assize.formats.given import Piece, pieces_of, read_piece
from assize.formats.memory import ArrowSource
from assize.formats.read_options import OnError, ReadOptions, read_options
from assize.formats.reading import iter_records
from assize.formats.records import Record
from assize.formats.rejects import OnReject, Rejects
from assize.formats.sampling import draw_sample
from assize.formats.sources import files_of

Source = str | os.PathLike[str]
"""A path, or a URL that fsspec opens."""

_ALLOWED = (
    "a path or URL, conversations, pairs or continuations, dicts in a known format, a data"
    " frame or an Arrow table, or a list of these"
)
_SHOWN = 5  # items in a notebook


class Items:
    """Conversations, pairs and continuations, read as they are asked for; made by `assize.read`.

    Iterating reads the source from its beginning, each time anew, in constant memory. Standard
    input, pipes and iterators can be read once (`single_pass`); a second pass raises DataError.
    Dicts without an id are called after the argument and their place from 1: `items-4` is
    `items[3]`; those of a frame in a list `items[3]-1` and so on. Of dicts the first 20 are drawn
    before the first item comes, for their format is recognised from them.

    Attributes:
        source: what was given.
        options: how it is read.
        name: what errors call it.
        rejects: the bad records that were left out, with `on_error="skip"`.
        passed_over: judgments among the records of the last pass.
    """

    def __init__(
        self, source: Any, options: ReadOptions, name: str = "items", allowed: str = _ALLOWED
    ) -> None:
        pieces_of(source, name, allowed)  # raises at once where nothing can be read
        self.source, self.options, self.name = source, options, name
        self.rejects = Rejects()
        self.passed_over = 0
        self._begun = False

    @property
    def paths(self) -> list[str]:
        """The paths and URLs among what was given, as they were given."""
        several = self.source if isinstance(self.source, list | tuple) else [self.source]
        return [str(part) for part in several if isinstance(part, str | os.PathLike)]

    @property
    def files(self) -> list[str]:
        """The files at `paths`, those of folders and patterns one by one."""
        return [file for path in self.paths for file in files_of(path)]

    @property
    def in_memory(self) -> bool:
        """Whether there is anything that is no file."""
        several = self.source if isinstance(self.source, list | tuple) else [self.source]
        return len(self.paths) < len(several)

    @property
    def single_pass(self) -> bool:
        """Whether the source is gone once it was read."""
        return isinstance(self.source, Iterator) or any(map(is_read_once, self.paths))

    def __iter__(self) -> Iterator[Item]:
        """Yield the items; judgments among the records are passed over.

        Raises:
            DataError: an element is no record, or a bad one and `on_error` is `fail`; there is no
                item at all; or the source was read before and can be read once.
        """
        count = self.passed_over = 0
        for record in self.records():
            if isinstance(record, Judgment):
                self.passed_over += 1
            else:
                count += 1
                yield record
        self._check_some(count, self.passed_over)

    def items_and_judgments(self) -> tuple[list[Item], list[Judgment]]:
        """Return all items, and the judgments that stand among them; raises as iterating does."""
        items: list[Item] = []
        judgments: list[Judgment] = []
        for record in self.records():
            if isinstance(record, Judgment):
                judgments.append(record)
            else:
                items.append(record)
        self._check_some(len(items), len(judgments))
        return items, judgments

    def _check_some(self, items: int, judgments: int) -> None:
        if items:
            return
        problem = f"there is no item here that can be read; give {_ALLOWED}"
        if judgments:
            problem = (
                "only judgments are here; give what was judged, such as a table with one turn a"
                " row (conversation, role, text), or name the column of whole transcripts with"
                " --map turns=COLUMN,id=COLUMN"
            )
        raise DataError(problem, source=self.name)

    def records(self) -> Iterator[Record]:
        """Yield all records, judgments among them."""
        on_reject = self.begin_pass()
        for piece in pieces_of(self.source, self.name, _ALLOWED):
            if piece.kind == "judgments":
                raise DataError(
                    f"received a table of judgments; give what was judged: {_ALLOWED}",
                    source=piece.place,
                )
            if piece.kind == "items":
                yield from piece.value.records()
            else:
                yield from _records(piece, self.options, on_reject)

    def begin_pass(self) -> OnReject | None:
        """Return what is called with a bad record in a pass over the source; None to raise.

        Raises:
            DataError: the source can be read once, and was.
        """
        if self._begun and self.single_pass:
            raise DataError(
                "this can be read once, and was read before: save it as a file, or keep a list",
                source=self.name,
            )
        self._begun = True
        return self.rejects if self.options.on_error == "skip" else None

    def part(self, source: Any) -> Items:
        """Return a part of the source, such as one file of several, that is read alike."""
        part = Items(source, self.options, self.name)
        part.rejects = self.rejects
        return part

    def lenient(self) -> Items:
        """Return the same source, whose bad records are passed over.

        For what was read already: its bad records were refused, or kept, by then.
        """
        return Items(self.source, replace(self.options, on_error="skip"), self.name)

    def sample(self, n: int, *, by: str | None = None, seed: int = 0) -> list[Item]:
        """Draw items, the same ones each time, in their order.

        Which ones depends on their prompts, or their ids without one, and the seed alone: two
        versions of an assistant that were given the same prompts have the same sample.

        Args:
            n: how many; all where there are fewer.
            by: field whose values all get their share, such as `metadata.lang`.

        Raises:
            DataError: no item has the field.
        """
        items = list(self)
        strata = None if by is None else first_values(items, by)
        return draw_sample(items, n, strata=strata, seed=seed)

    def pairs_by_id(self) -> dict[str, Pair]:
        """Return the pairs by their ids; other items are passed over.

        Raises:
            DataError: two pairs that differ have one id.
        """
        return pairs_by_id(self, ", ".join(self.paths) or self.name)

    def __repr__(self) -> str:
        shown = [*self.paths, *([f"<{type(self.source).__name__}>"] if self.in_memory else [])]
        more = f", format={self.options.format!r}" if self.options.format else ""
        return f"Items({', '.join(shown)}{more})"

    def _repr_html_(self) -> str:
        if self.single_pass:
            return f"<p>{escape(repr(self))}: can be read once</p>"
        rows = "".join(
            f"<tr><td>{escape(item.id)}</td><td>{type(item).__name__.lower()}</td>"
            f"<td>{escape(_beginning(item))}</td></tr>"
            for item in islice(self, _SHOWN)
        )
        head = "<tr><th>id</th><th>kind</th><th>begins</th></tr>"
        return f"<p>{escape(repr(self))}, the first {_SHOWN}:</p><table>{head}{rows}</table>"


ItemsLike = Items | Source | Item | Mapping[str, Any] | ArrowSource | Iterable[Any]
"""What `assize.read` takes: a path or URL; a conversation, pair or continuation; a dict in any
known format; a data frame, an Arrow table, a `datasets.Dataset`; or any iterable of these, mixed
as they come. A list whose dicts have a role and a `content` or `text` of their own is one
conversation, unless they name their conversations too (`conversation_id`). `Items` stay as they
are."""


def read(
    source: ItemsLike,
    *,
    format: str | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
    on_error: OnError = "fail",
    max_bytes: int | str | None = None,
    options: Mapping[str, str] | None = None,
) -> Items:
    """Read conversations, pairs and continuations in any known format.

    Every function that takes items takes what this takes, or what it gives:
    `assize.score(assize.read("log.jsonl", map="text=body.text"))`.

    Args:
        source: see `ItemsLike`. A folder or a pattern such as `day-*.jsonl` is read file by file,
            sorted by name; `hf://datasets/OWNER/NAME[/CONFIG][:SPLIT]` is a data set of the
            Hugging Face hub; `-` is standard input.
        format: a name in `assize.formats.FORMATS`; recognised from the content when None.
        map: where the fields of an unknown log stand, as `role=author.role,text=body.text`,
            a dict, or a file `map.toml`.
        roles: what a log's names of roles mean, as `customer=user,agent=assistant` or a dict.
        on_error: what a bad record does: `fail` raises, `skip` leaves it out; `Items.rejects` has
            it.
        max_bytes: to how many bytes a packed file may unfold, as `64GB`; by default 16 GB, and
            200 times its size.
        options: of the format, by name, such as `rater_column`.

    Returns:
        The items, read when they are asked for. `Items` are returned as they are.

    Raises:
        DataError: at once where nothing can be read from `source`; else when the place is reached.
        ConfigError: an option is not allowed, or `source` was read with options already.

    >>> chats = read([{"messages": [{"role": "user", "content": "Hi"}]}])
    >>> next(iter(chats)).id
    'items-1'
    """
    chosen = read_options(format, map, roles, on_error, max_bytes, options)
    if not isinstance(source, Items):
        return Items(source, chosen)
    if chosen != ReadOptions():
        raise ConfigError("these items say already how they are read; give the options there")
    return source


def _records(piece: Piece, options: ReadOptions, on_reject: OnReject | None) -> Iterator[Record]:
    if piece.kind == "records":
        return (record for _, record in piece.value)
    if piece.kind == "source":
        return iter_records(piece.value, options, on_reject)
    return (record for _, record in read_piece(piece, options, on_reject).records)


def pairs_by_id(items: Iterable[Item], source: str) -> dict[str, Pair]:
    """Return the pairs among items by their ids; `source` names them in errors."""
    pairs: dict[str, Pair] = {}
    for item in items:
        if isinstance(item, Pair) and pairs.setdefault(item.id, item) != item:
            raise DataError(f"two pairs have the id {item.id!r}", source=source)
    return pairs


def _beginning(item: Item) -> str:
    turns = getattr(item, "turns", None) or getattr(item, "context", ()) or getattr(item, "a", ())
    text = " ".join(turns[0].text.split()) if turns else ""
    return text if len(text) <= 80 else f"{text[:80]}..."
