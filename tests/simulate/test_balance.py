from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Preference
from assize.base.errors import ConfigError, DataError
from assize.simulate._balance import balanced, shares_of

PAPER = (0.4, 0.4, 0.2)
COUNTS = st.integers(0, 60)


def labels(a: int, b: int, tie: int) -> dict[str, Preference]:
    found: dict[str, Preference] = {f"a{n}": "A" for n in range(a)}
    found |= {f"b{n}": "B" for n in range(b)}
    return found | {f"t{n}": "tie" for n in range(tie)}


def sizes(a: int, b: int, tie: int, shares: Any = PAPER) -> tuple[int, ...]:
    given = labels(a, b, tie)
    found = balanced(given, shares, np.random.default_rng(0))
    counts = Counter(given[one] for one in found)
    return counts["A"], counts["B"], counts["tie"]


def test_the_scarcest_label_decides_how_many_stay() -> None:
    """60 A, 50 B, 20 ties: 20 ties are a fifth of 100, so 40 and 40 stay."""
    assert sizes(60, 50, 20) == (40, 40, 20)
    assert sizes(60, 20, 20) == (20, 20, 10)
    assert sizes(7, 9, 1, (0.5, 0.5, 0.0)) == (7, 7, 0)


@given(COUNTS, COUNTS, COUNTS)
def test_shares_hold_to_the_pair_and_no_more_can_stay(a: int, b: int, tie: int) -> None:
    most = min(a / 0.4, b / 0.4, tie / 0.2)
    try:
        found = sizes(a, b, tie)
    except DataError:
        assert most < 2.5  # not even one A is 40% of it
        return
    assert found == tuple(int(most * share + 1e-9) for share in PAPER)
    assert found[0] == found[1]
    assert all(count >= 0 for count in found)


@given(COUNTS, COUNTS, st.integers(1, 60), st.integers(0, 9))
def test_what_stays_keeps_its_order(a: int, b: int, tie: int, seed: int) -> None:
    given = labels(a + 1, b + 1, tie + 1)
    found = balanced(given, PAPER, np.random.default_rng(seed))
    assert list(found) == [one for one in given if one in set(found)]


def test_who_goes_is_drawn_by_seed() -> None:
    drawn = [balanced(labels(60, 20, 20), PAPER, np.random.default_rng(seed)) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_label_that_is_wanted_and_not_there_is_an_error() -> None:
    with pytest.raises(DataError, match="there are 5 A, 5 B, 0 tie"):
        sizes(5, 5, 0)


@pytest.mark.parametrize("text", ["", "40/40", "a/b/c", "40/40/-20", "0/0/0", "1/2/nan", "1/2/3/4"])
def test_shares_that_are_none_are_said(text: str) -> None:
    with pytest.raises(ConfigError, match="give the shares of A, B and ties, as 40/40/20"):
        shares_of(text)


def test_shares_need_not_sum_to_a_hundred() -> None:
    assert shares_of("2:2:1") == PAPER
