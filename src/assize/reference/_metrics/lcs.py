"""Longest common subsequences, a row of the usual table in one whole number.

Bit j of row i is set where the table grows from column j to j + 1, so that a cell is the number of
set bits before it. Source: Hyyro (2004), "Bit-parallel LCS-length computation revisited", its
first recurrence.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence


def lcs_length(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Length of the longest common subsequence.

    >>> lcs_length("police killed the gunman".split(), "the gunman killed police".split())
    2
    """
    last = 0
    for row in _rows(second, places(first), len(first)):
        last = row
    return last.bit_count()


def lcs_pairs(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    of_second: Mapping[Hashable, int] | None = None,
) -> list[tuple[int, int]]:
    """The places of a longest common subsequence in both, in order.

    Of several it is the one that rouge-score reads out, on which its Lsum depends: from the end,
    equal tokens are paired, and else the first is left back unless the second's cell is higher.

    Args:
        of_second: what `places` gives for the second, where it is at hand.

    >>> lcs_pairs("a b c".split(), "b x c".split())
    [(1, 0), (2, 2)]
    """
    where = places(second) if of_second is None else of_second
    kept = [place for place, token in enumerate(first) if token in where]
    rows = [0, *_rows([first[place] for place in kept], where, len(second))]
    i, j = len(kept), len(second)
    left = rows[i].bit_count()  # the cell's value: pairs still to be found
    before = (1 << j) - 1  # the columns before the cell
    found = []
    while left:
        place = kept[i - 1]
        if first[place] == second[j - 1]:
            i, j, left, before = i - 1, j - 1, left - 1, before >> 1
            found.append((place, j))
        elif (rows[i - 1] & before).bit_count() == left:
            i -= 1
        else:
            j, before = j - 1, before >> 1
    return found[::-1]


def places(tokens: Sequence[Hashable]) -> dict[Hashable, int]:
    """Where each different token stands, a bit a place.

    >>> places("aba")
    {'a': 5, 'b': 2}
    """
    found: dict[Hashable, int] = {}
    bit = 1
    for token in tokens:
        found[token] = found.get(token, 0) | bit
        bit <<= 1
    return found


def _rows(first: Sequence[Hashable], where: Mapping[Hashable, int], width: int) -> Iterator[int]:
    """The table's rows after each token of the first that the other text holds at all."""
    full = flat = (1 << width) - 1
    for token in first:
        here = where.get(token)
        if here is not None:
            grown = flat & here
            flat = ((flat + grown) | (flat - grown)) & full
            yield full ^ flat
