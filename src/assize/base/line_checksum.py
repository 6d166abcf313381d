r"""A checksum at the end of a line of JSON, by which a line is known that changed on the disk.

>>> line = seal(b'{"answer": "A"}\n')
>>> line
b'{"answer": "A", "assize_crc32": "74c46f81"}\n'
>>> unseal(line)
b'{"answer": "A"}\n'
"""

from __future__ import annotations

import re
from zlib import crc32

FIELD = "assize_crc32"
_BEFORE = f', "{FIELD}": "'.encode()
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
    if _BEFORE not in line:
        return line
    match = _SEAL.search(line)
    body = b"" if match is None else line[: match.start()] + b"}"
    if match is None or crc32(body) != int(match[1], 16):
        raise ValueError(
            "the line is not as it was written (its checksum differs): it was damaged on the disk,"
            f" or edited; if you edited it, remove {FIELD!r} from it"
        )
    return body + b"\n"
