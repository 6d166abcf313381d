"""Which items were learnt from: hashes of their ids, so that held-out figures are held out.

The hashes say nothing of an item to somebody who does not have its id.
"""

from __future__ import annotations

from collections.abc import Iterable

from assize.base.signature import sign_text
from assize.judgments.table import Unit

SEEN = "seen"  # the role of the file that keeps them beside what was learnt
_DIGITS = 16  # hexadecimal, of a hash


def hash_unit(unit: Unit) -> str:
    """Return the hash of an item, or of a turn of it."""
    item, turn = unit
    return sign_text(f"{item}\n{turn}", _DIGITS)


def hash_units(units: Iterable[Unit]) -> frozenset[str]:
    """Return the hashes of items and turns."""
    return frozenset(map(hash_unit, units))
