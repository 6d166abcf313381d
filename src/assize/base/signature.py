"""Short hashes of what can change a number: every signature, and every hash of a file.

A signature stands beside a number and says what made it. The same parts give the same
signature on every machine and in every version, so that stored results stay comparable;
what changes a number without changing its parts raises a version among them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

DIGITS = 12


def sign(*parts: Any) -> str:
    """Twelve digits for the parts that could change a number; what is no JSON counts as its text.

    >>> sign({"a": 1, "b": 2}) == sign({"b": 2, "a": 1})
    True
    """
    return json_hash(parts)


def json_hash(value: Any, digits: int = DIGITS) -> str:
    """The hash of a JSON value; Mappings are taken in sorted order, a tuple is a list.

    >>> json_hash({"a": (1, 2)}) == json_hash({"a": [1, 2]})
    True
    """
    return content_hash(json.dumps(value, sort_keys=True, default=_plain), digits=digits)


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else str(value)


def content_hash(*pieces: str | bytes, digits: int = 64) -> str:
    """The first digits of the sha256 of the pieces, one behind the other; text is UTF-8.

    >>> content_hash("a", "b", digits=4) == content_hash(b"ab", digits=4)
    True
    """
    found = hashlib.sha256()
    for piece in pieces:
        found.update(_bytes(piece))
    return found.hexdigest()[:digits]


def file_hash(path: str | Path, digits: int = 64) -> str:
    """The first digits of the sha256 of a file's bytes; raises OSError where it is not read."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()[:digits]


def sign_text(text: str | bytes, digits: int = DIGITS) -> str:
    """Digits for a line that describes a method and its settings; an even number of them.

    >>> sign_text("wilson|v1|95%") == sign_text("wilson|v1|95%")
    True
    """
    return hashlib.blake2b(_bytes(text), digest_size=digits // 2).hexdigest()


def sign_arrays(parts: Any, arrays: Mapping[str, NDArray[Any]]) -> str:
    """Twelve digits for JSON parts and arrays by name, every number to its last bit."""
    said = json.dumps(parts, sort_keys=True).encode()
    return sign_text(b"".join([said, *_named(arrays)]))


def _named(arrays: Mapping[str, NDArray[Any]]) -> Iterable[bytes]:
    for name in sorted(arrays):
        yield name.encode() + arrays[name].tobytes()


def _bytes(piece: str | bytes) -> bytes:
    return piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece
