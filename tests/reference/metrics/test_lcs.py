from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assize.reference._metrics.lcs import lcs_length, lcs_pairs, places

TEXTS = st.lists(st.sampled_from("abcd"), max_size=12)


def table(first: list[str], second: list[str]) -> list[list[int]]:
    """The usual table, cell by cell."""
    cells = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            same = cells[i][j] + 1
            cells[i + 1][j + 1] = same if one == other else max(cells[i][j + 1], cells[i + 1][j])
    return cells


def read_out(first: list[str], second: list[str]) -> list[tuple[int, int]]:
    """The subsequence that rouge-score reads out of the table."""
    cells, i, j = table(first, second), len(first), len(second)
    found = []
    while i > 0 and j > 0:
        if first[i - 1] == second[j - 1]:
            i, j = i - 1, j - 1
            found.append((i, j))
        elif cells[i][j - 1] > cells[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return found[::-1]


@given(TEXTS, TEXTS)
def test_the_length_is_the_tables_last_cell(first: list[str], second: list[str]) -> None:
    assert lcs_length(first, second) == table(first, second)[-1][-1]


@given(TEXTS, TEXTS)
def test_of_several_it_is_the_one_of_rouge_score_places_known_or_not(
    first: list[str], second: list[str]
) -> None:
    assert lcs_pairs(first, second) == read_out(first, second)
    assert lcs_pairs(first, second, places(second)) == read_out(first, second)


def test_long_texts_need_no_table() -> None:
    first, second = ["a", "b"] * 3000, ["b", "a"] * 3000
    assert lcs_length(first, second) == 5999
