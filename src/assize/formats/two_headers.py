"""Tables with two header rows: questions above raters, raters above questions, or sections."""

from __future__ import annotations

from collections.abc import Sequence


def join_headers(upper: Sequence[str], lower: Sequence[str]) -> list[str] | None:
    """Return one header of two rows, `UPPER | LOWER`; None where the second holds data.

    The upper row repeats a name, or leaves it out after the first of its columns as merged cells
    do; the lower row names every column below it. The column of the item stands in one row only,
    or is the same in both: by it a second header is told from a first row of data.

    >>> join_headers(["id", "Helpful", "", "Polite", ""], ["", "r1", "r2", "r1", "r2"])
    ['id', 'Helpful | r1', 'Helpful | r2', 'Polite | r1', 'Polite | r2']
    >>> join_headers(["id", "tone", ""], ["c1", "4", "3"]) is None
    True
    """
    from assize.formats.ratings.answers import is_blank, is_number
    from assize.formats.ratings.headers import TWO_ROWS, meaning

    width = max(len(upper), len(lower))
    header: list[str] = []
    groups: list[str] = []  # the upper name of each column that has two
    group, names_item = "", False
    for column in range(width):
        top, low = (
            row[column].replace("\xa0", " ").strip() if column < len(row) else ""
            for row in (upper, lower)
        )
        if not low or not (top or group) or top.casefold() == low.casefold():
            header.append(top or low)
            group = ""
            names_item = names_item or meaning(top or low) == "item"
            continue
        if is_number(low) or is_blank(low) or meaning(low) == "item":
            return None
        group = top or group
        groups.append(group)
        header.append(f"{group}{TWO_ROWS}{low}")
    repeated, unique = len(set(groups)) < len(groups), len(set(header)) == len(header)
    return header if repeated and names_item and unique else None
