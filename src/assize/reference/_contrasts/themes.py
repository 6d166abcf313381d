"""Themes of differences, as people name them."""

from __future__ import annotations

SAME = "same"  # the theme of no difference
OTHER = "other"
_NONE = {"same", "none", "no", "no difference", "nothing", "-", "–", "n/a", "identical"}


def is_same(text: str) -> bool:
    """Whether somebody says that there is no difference.

    >>> is_same(" No difference. "), is_same("longer")
    (True, False)
    """
    return text.strip().strip(".").casefold() in _NONE


def named_themes(text: str) -> tuple[str, ...]:
    """The themes in a cell, parted by semicolons, each once, letter case aside.

    >>> named_themes("Longer; asks nothing;longer")
    ('longer', 'asks nothing')
    """
    return tuple(
        dict.fromkeys(one for part in text.split(";") if (one := " ".join(part.split()).casefold()))
    )
