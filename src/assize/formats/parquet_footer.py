"""What the footer of a Parquet file says of its columns, read without trusting it.

pyarrow's own view of a column ends the process where the footer is damaged in some ways (a C++
exception that nothing catches), so the few figures that bound a file are read here.

Source: Apache Parquet, `parquet.thrift`; Apache Thrift, compact protocol.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import IO, Any

_TAIL = 8  # bytes: the length of the footer, and `PAR1`
_DEEPEST = 64
_KINDS = (
    "BOOLEAN",
    "INT32",
    "INT64",
    "INT96",
    "FLOAT",
    "DOUBLE",
    "BYTE_ARRAY",
    "FIXED_LEN_BYTE_ARRAY",
)
_DELTA_BYTE_ARRAY, _REPEATED = 7, 2
_TRUE, _FALSE, _BYTE, _DOUBLE, _BINARY, _LIST, _SET, _STRUCT = 1, 2, 3, 7, 8, 9, 10, 12


@dataclass(frozen=True, slots=True)
class Leaf:
    """A column of values."""

    path: str
    kind: str  # of its values, as `BYTE_ARRAY`
    length: int  # bytes of a value of fixed length, else 0
    nested: bool  # whether it stands in a list


@dataclass(frozen=True, slots=True)
class Chunk:
    """A leaf's values in one group of rows."""

    values: int
    unpacked: int  # bytes of its pages before they were packed
    codes: bool  # whether it has a dictionary
    prefixes: bool  # whether texts are written as what differs from the one before
    nulls: int | None  # None where that is not said


@dataclass(frozen=True, slots=True)
class Footer:
    """The columns of a file, and for each group of rows their number and the columns' chunks."""

    leaves: list[Leaf]
    groups: list[tuple[int, list[Chunk]]]


def read_footer(data: IO[bytes]) -> Footer:
    """The footer of a stream, which stays where it is.

    Raises:
        ValueError: it is damaged.
    """
    before = data.tell()
    try:
        end = data.seek(0, io.SEEK_END)
        data.seek(max(0, end - _TAIL))
        size = int.from_bytes(data.read(4), "little")
        data.seek(max(0, end - _TAIL - size))
        return _footer(_Compact(data.read(size)).struct())
    except (LookupError, TypeError, AttributeError) as error:
        raise ValueError(f"the footer is damaged ({type(error).__name__}: {error})") from None
    finally:
        data.seek(before)


def _footer(found: dict[int, Any]) -> Footer:
    leaves = list(_leaves(iter(found[2][1:]), int(found[2][0].get(5, 0)), "", False))
    groups = []
    for group in found[4]:
        chunks = [_chunk(column[3]) for column in group[1]]
        if len(chunks) != len(leaves):
            raise ValueError("the footer has a group of rows that lacks columns")
        groups.append((max(0, group[3]), chunks))
    return Footer(leaves, groups)


def _leaves(
    parts: Iterator[dict[int, Any]], count: int, above: str, nested: bool, depth: int = 0
) -> Iterator[Leaf]:
    if depth > _DEEPEST:
        raise ValueError(f"columns stand more than {_DEEPEST} deep inside each other")
    for _ in range(count):
        part = next(parts, None)
        if part is None:
            raise ValueError("the footer names fewer columns than it counts")
        path = f"{above}{part[4].decode()}"
        inside = nested or part.get(3) == _REPEATED
        if part.get(5):
            yield from _leaves(parts, part[5], f"{path}.", inside, depth + 1)
        else:
            yield Leaf(path, _KINDS[part[1]], max(0, part.get(2, 0)), inside)


def _chunk(column: dict[int, Any]) -> Chunk:
    return Chunk(
        max(0, column[5]),
        max(0, column[6]),
        11 in column,
        _DELTA_BYTE_ARRAY in column[2],
        column.get(12, {}).get(3),
    )


class _Compact:
    """Values of Thrift's compact protocol one by one; a struct is its fields by number."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def struct(self, depth: int = 0) -> dict[int, Any]:
        if depth > _DEEPEST:
            raise ValueError("the footer is nested too deeply")
        found: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            step, kind = head >> 4, head & 15
            number = number + step if step else self._signed()
            found[number] = kind == _TRUE if kind in (_TRUE, _FALSE) else self._value(kind, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (4, 5, 6):
            return self._signed()
        if kind == _BINARY:
            return self._bytes(self._number())
        if kind in (_LIST, _SET):
            return self._list(depth)
        if kind == _STRUCT:
            return self.struct(depth + 1)
        if kind == _DOUBLE:
            return self._bytes(8)
        if kind in (_TRUE, _FALSE, _BYTE):
            return self._byte()
        raise ValueError("the footer holds something of an unknown kind")

    def _list(self, depth: int) -> list[Any]:
        head = self._byte()
        count = head >> 4 if head >> 4 < 15 else self._number()
        if count > len(self._data) - self._at:
            raise ValueError("the footer has a list that goes beyond its end")
        return [self._value(head & 15, depth + 1) for _ in range(count)]

    def _byte(self) -> int:
        self._at += 1
        return self._data[self._at - 1]

    def _bytes(self, count: int) -> bytes:
        if count > len(self._data) - self._at:
            raise ValueError("the footer has a text that goes beyond its end")
        self._at += count
        return self._data[self._at - count : self._at]

    def _number(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return found
            if shift > 63:
                raise ValueError("the footer has a number that is too long")

    def _signed(self) -> int:
        found = self._number()
        return (found >> 1) ^ -(found & 1)
