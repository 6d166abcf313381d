"""How large the columns of a Parquet file become in memory, before they are read.

A value that repeats stands in a file once, with the number of its repetitions: a file of 2 kB can
hold gigabytes. Imports pyarrow.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import IO, Any, Literal

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from assize.formats.limits import SizeLimit
from assize.formats.parquet_footer import Chunk, Leaf, read_footer

BATCH_ROWS = 256  # that are in memory as objects at once
BATCH_BYTES = 128_000_000
_ROW = 64  # bytes that an object takes
_WIDE = ("INT64", "DOUBLE", "INT96")
_FEW = 1_000_000  # bytes, for which no dictionary is looked into
_COUNTED_ROWS = 4096  # at once, where only lengths are looked at
_TEXTS = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())


class ParquetSize:
    """What a file may unfold to.

    Args:
        file: what is read.
        data: its stream, which can be read several times.
        source: its name, for errors.
        max_bytes: to how many bytes it may unfold; see `SizeLimit`.
    """

    def __init__(
        self, file: pq.ParquetFile, data: IO[bytes], source: str, max_bytes: int | None = None
    ) -> None:
        self._file, self._unfolding = file, SizeLimit(source, max_bytes)
        before = data.tell()
        self._packed = data.seek(0, io.SEEK_END)
        data.seek(before)
        self._most = self._unfolding.allowed(self._packed)
        self.footer = read_footer(data)
        paths = [leaf.path for leaf in self.footer.leaves]
        self._codes = pq.ParquetFile(data, read_dictionary=paths, metadata=file.metadata)

    def check(self, names: Collection[str] | None = None) -> None:
        """Refuses columns that are too large to be in memory as a whole: those of these names,
        all by default. Texts that stay codes into a dictionary do not unfold.

        Raises:
            DataError: they unfold to more than is allowed.
        """
        coded, total = list(chain.from_iterable(map(_codes_in, self._file.schema_arrow.types))), 0
        for group in range(len(self.footer.groups)):
            leaves = self._leaves(group, names)
            texts = [one for one in leaves if len(coded) <= one.index or not coded[one.index]]
            most = sum(map(self._at_most, texts))
            if total + most > self._most:
                most = sum(map(self._exactly, texts))
            total += sum(one.least for one in leaves) + most
            self._unfolding.check(total, self._packed)

    def batches(self) -> Iterator[Any]:
        """The record batches of the file, each as small as it must be.

        Raises:
            DataError: it unfolds to more than is allowed.
        """
        for group, (count, _) in enumerate(self.footer.groups):
            leaves = self._leaves(group)
            most = sum(one.least for one in leaves)
            self._unfolding.check(most + _ROW * count, self._packed)
            for one in leaves:
                texts = self._at_most(one)
                if texts > self._most and not (one.repeats == "prefixes" and not one.nested):
                    texts = self._exactly(one)
                    self._unfolding.check(texts, self._packed)
                most += texts
            rows = max(1, min(BATCH_ROWS, BATCH_BYTES * count // max(most, 1)))
            for batch in self._file.iter_batches(batch_size=rows, row_groups=[group]):
                self._unfolding.add(batch.nbytes + _ROW * len(batch), self._packed)
                yield batch

    def _at_most(self, leaf: _Leaf) -> int:
        """The bytes that the repetitions of a leaf's texts cannot take more than."""
        if leaf.repeats == "codes" and leaf.unfolded > _FEW:
            return leaf.count * self._longest(leaf)
        return leaf.unfolded

    def _exactly(self, leaf: _Leaf) -> int:
        """The bytes that the repetitions of a leaf's texts take, where that can be told."""
        if leaf.repeats == "codes" and leaf.unfolded > _FEW:
            return self._counted(leaf)
        return leaf.unfolded

    def _longest(self, leaf: _Leaf) -> int:
        """The bytes of the longest text of a leaf's dictionary."""
        known = next(self._dictionaries(leaf, rows=1), None)
        return 0 if known is None else pc.max(pc.binary_length(known.dictionary)).as_py() or 0

    def _counted(self, leaf: _Leaf) -> int:
        """The bytes of all texts of a leaf, counted until there are too many."""
        total = 0
        for part in self._dictionaries(leaf, rows=_COUNTED_ROWS):
            lengths = pc.binary_length(part.dictionary).take(part.indices)
            total += pc.sum(lengths).as_py() or 0
            if total > self._most:
                break
        return total

    def _dictionaries(self, leaf: _Leaf, rows: int) -> Iterator[Any]:
        """The texts of a leaf as codes, which do not unfold."""
        found = self._codes.iter_batches(rows, row_groups=[leaf.group], columns=[leaf.path])
        for batch in found:
            for array in batch.columns:
                yield from _coded(array)

    def _leaves(self, group: int, names: Collection[str] | None = None) -> list[_Leaf]:
        leaves, (_, chunks) = self.footer.leaves, self.footer.groups[group]
        return [
            _Leaf.of(group, index, leaf, chunk)
            for index, (leaf, chunk) in enumerate(zip(leaves, chunks, strict=True))
            if names is None or leaf.path.partition(".")[0] in names
        ]


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One column of values in a group of rows."""

    group: int
    index: int
    path: str
    count: int  # of values
    least: int  # bytes that they take in memory, repetitions of texts aside
    nested: bool  # whether it stands in a list
    repeats: Literal["codes", "prefixes"] | None  # how texts may stand for others

    @classmethod
    def of(cls, group: int, index: int, leaf: Leaf, chunk: Chunk) -> _Leaf:
        """From what the file's footer says of a column."""
        repeats: Literal["codes", "prefixes"] | None = None
        if leaf.kind == "BYTE_ARRAY" and (chunk.prefixes or chunk.codes):
            repeats = "prefixes" if chunk.prefixes else "codes"
        wide = leaf.length if leaf.kind == "FIXED_LEN_BYTE_ARRAY" else 4
        wide = max(wide, 8 if leaf.nested or leaf.kind in _WIDE else 1)
        least = max(chunk.unpacked, chunk.values * wide, 1)
        return cls(group, index, leaf.path, chunk.values, least, leaf.nested, repeats)

    @property
    def unfolded(self) -> int:
        """The bytes where each text was as long as all of them in the file together."""
        return 0 if self.repeats is None else self.count * self.least


def _codes_in(kind: pa.DataType) -> Iterator[bool]:
    """Of each leaf of a column of this type, whether it stays codes into a dictionary."""
    if pa.types.is_dictionary(kind) or not pa.types.is_nested(kind):
        yield pa.types.is_dictionary(kind)
        return
    for index in range(kind.num_fields):
        yield from _codes_in(kind.field(index).type)


def _coded(array: Any) -> Iterator[Any]:
    """The columns of texts, in codes, of which nested columns are made."""
    if isinstance(array, pa.DictionaryArray):
        if array.dictionary.type in _TEXTS:
            yield array
    elif isinstance(array, pa.StructArray):
        for index in range(array.type.num_fields):
            yield from _coded(array.field(index))
    elif isinstance(array, pa.ListArray | pa.LargeListArray | pa.FixedSizeListArray):
        yield from _coded(array.flatten())  # a map is a list too
    elif isinstance(array, pa.ExtensionArray):
        yield from _coded(array.storage)
