"""How far packed input may unfold: a small file must not fill the memory, nor take hours."""

from __future__ import annotations

import re

from assize.base.arguments import shown
from assize.base.errors import ConfigError, DataError

MOST = 16_000_000_000  # bytes that a packed file may unfold to
RATIO = 200  # times its size, which honest text hardly reaches,
FREE = 64_000_000  # once it is as large as this

_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}
_SIZE = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*([kmgt]?b?)\s*", re.IGNORECASE)


def parse_size(given: int | str) -> int:
    """Return a number of bytes from how it is written.

    Raises:
        ConfigError: it is no size.

    >>> parse_size("1.5 GB"), parse_size(4096), parse_size("10mb")
    (1500000000, 4096, 10000000)
    """
    found = _SIZE.fullmatch(given) if isinstance(given, str) else None
    if found is not None:
        unit = found[2].lower()
        given = int(float(found[1]) * _UNITS[unit if unit in _UNITS else f"{unit}b"])
    if isinstance(given, bool) or not isinstance(given, int) or given < 1:
        raise ConfigError(
            f"max_bytes: received {shown(given)}; give a number of bytes, or a size like 64GB"
        )
    return given


class SizeLimit:
    """One packed file: how large it is, and how large what it held so far.

    A file packed by gzip or zstandard, a Parquet file or a file in an archive is refused once it
    unfolds to more than 16 GB, or to more than 64 MB and 200 times its size.

    Args:
        source: its name, for the error.
        max_bytes: to how many bytes it may unfold instead, whatever the ratio.
    """

    def __init__(self, source: str, max_bytes: int | None = None) -> None:
        self._source, self._unfolded = source, 0
        self.most = MOST if max_bytes is None else max_bytes
        self._ratio = RATIO if max_bytes is None else None

    def allowed(self, packed: int | None) -> int:
        """To how many bytes a file of `packed` bytes may unfold."""
        if self._ratio is None or packed is None:
            return self.most
        return min(self.most, max(FREE, self._ratio * packed))

    def add(self, unfolded: int, packed: int | None = None) -> None:
        """So many bytes more, of `packed` bytes of the file in all (None where that is not known).

        Raises:
            DataError: that is more than may be.
        """
        self._unfolded += unfolded
        self.check(self._unfolded, packed)

    def check(self, unfolded: int, packed: int | None) -> None:
        """Refuses a file of `packed` bytes that unfolds to so many; raises DataError."""
        most = self.allowed(packed)
        if unfolded <= most:
            return
        what = "unfolds" if packed is None else f"{written(packed)} of it unfold"
        raise DataError(
            f"{what} to more than {written(most)}, and it is read no further; where you trust the"
            " file, allow more with --max-bytes 64GB (max_bytes of assize.read in Python)",
            source=self._source,
        )


def written(count: int) -> str:
    """Bytes as people write them.

    >>> written(999), written(64_000_000), written(1_500_000_000)
    ('999 B', '64 MB', '1.5 GB')
    """
    amount, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if amount < 1000:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.3g} {unit}"
