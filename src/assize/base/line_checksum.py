r"""A checksum in a line of JSON, or in a record, by which one is known that changed on the disk.

>>> line = seal(b'{"answer": "A"}\n')
>>> line
b'{"answer": "A", "assize_crc32": "74c46f81"}\n'
>>> unseal(line)
b'{"answer": "A"}\n'
>>> seal_record({"answer": "A"})
{'answer': 'A', 'assize_crc32': '74c46f81'}
>>> unseal_record({"answer": "A", "assize_crc32": "74c46f81"})
{'answer': 'A'}
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any
from zlib import crc32

FIELD = "assize_crc32"
_NAME = f', "{FIELD}'.encode()
_BEFORE = _NAME + b'": "'
_SEAL = re.compile(re.escape(_BEFORE) + rb'([0-9a-f]{8})"\}\s*$')


def seal(line: bytes) -> bytes:
    """Return a line that is an object with its checksum as the last field."""
    body = line.rstrip(b"\n")
    if not body.endswith(b"}") or body == b"{}":
        return line
    return b'%b%b%08x"}\n' % (body[:-1], _BEFORE, crc32(body))


def unseal(line: bytes) -> bytes:
    """Return a line as it was before it was sealed; one without a checksum as it is.

    Raises:
        ValueError: the line is not the one that was sealed.
    """
    if _NAME not in line:  # no text holds it: its quotes are escaped
        return line
    match = _SEAL.search(line)
    if match is None and not _may_have_checksum(line):
        return line
    body = b"" if match is None else line[: match.start()] + b"}"
    if match is None or crc32(body) != int(match[1], 16):
        raise _changed("line")
    return body + b"\n"


def _may_have_checksum(line: bytes) -> bool:
    """Whether a line has the checksum's field, damaged perhaps, and not only an object in it."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return True
    return not isinstance(record, dict) or any(name.startswith(FIELD) for name in record)


def seal_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record with the checksum of its content, however it is laid out in a file."""
    return {**record, FIELD: f"{crc32(_content(record)):08x}"}


def unseal_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record as it was before it was sealed; one without a checksum as it is.

    Raises:
        ValueError: the record is not the one that was sealed.
    """
    body = {name: value for name, value in record.items() if name != FIELD}
    if FIELD in record and record != seal_record(body):
        raise _changed("record")
    return body


def _content(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, sort_keys=True).encode()


def _changed(what: str) -> ValueError:
    return ValueError(
        f"the {what} is not as it was written (its checksum differs): it was damaged on the disk,"
        f" or edited; if you edited it, remove {FIELD!r} from it"
    )
