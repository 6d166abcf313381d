"""How records of one kind stand in a journal's file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from assize.signature import sign_text

R = TypeVar("R")

Line = dict[str, Any]  # one JSON object of the file


def key_of(*parts: object) -> int:
    """What identifies a record, as 64 bits: a hundred thousand of them fit in little memory.

    >>> key_of("p1", "io@scripted:any", "AB", 0) == key_of("p1", "io@scripted:any", "AB", 0)
    True
    """
    return int(sign_text(json.dumps(parts), digits=16), 16)


@dataclass(frozen=True, slots=True)
class Codec(Generic[R]):
    """A kind of record: one or more lines of JSON that stand together and share a key.

    Args:
        file: the name of the records' file in the journal's folder.
        encode: a record as whole lines, each ending with a newline.
        key: of a line; raises KeyError, TypeError or ValueError for what is no such line.
        whole: whether the last lines of a file are a whole record. Others always are.
        again: whether a stored record is to be made again.
        cost: US dollars of a line; asked only of journals from before there was a ledger.
    """

    file: str
    encode: Callable[[R], bytes]
    key: Callable[[Line], int]
    whole: Callable[[Sequence[Line]], bool] = lambda _: True
    again: Callable[[Sequence[Line]], bool] = lambda _: False
    cost: Callable[[Line], float] = lambda _: 0.0
