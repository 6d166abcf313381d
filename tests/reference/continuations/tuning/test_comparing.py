from __future__ import annotations

import numpy as np
import pytest

from assize.base.conversation import Continuation, Turn
from assize.reference._continuations.tuning.comparing import (
    AnswerCount,
    Tuned,
    changes,
    count_answers,
)
from assize.reference._continuations.tuning.generating import CUT_OFF, UNSCORED
from assize.reference._metrics.measure import Measured

HI = (Turn("user", "Hi"),)


def measured(*columns: list[float]) -> Measured:
    return Measured(("cosine", "length-ratio")[: len(columns)], np.array(columns).T, {})


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_places_are_paired_and_conversations_flipped_together() -> None:
    # Changes 1, 1 in c and 1, 3 in d: mean 1.5. Sums 2 and 4 of the conversations: of the four
    # ways to flip them, two are as far from 0 (6 and -6 of 6, -2, 2, -6), so p is 0.5.
    (found,) = changes(measured([0, 1, 2, 3]), measured([1, 2, 3, 6]), list("ccdd"), rng=rng())
    assert (found.base.estimate, found.tuned.estimate) == (1.5, 3.0)
    assert (found.change.estimate, found.p, found.p_holm) == (1.5, 0.5, 0.5)


def test_a_place_that_one_side_lacks_is_in_neither_mean() -> None:
    nan = float("nan")
    (found,) = changes(measured([1, 2, nan]), measured([3, nan, 9]), list("abc"), rng=rng())
    assert (found.base.estimate, found.tuned.estimate) == (1, 3)
    assert (found.change.n, found.change.unscored) == (1, 2)


def test_a_real_change_is_found_and_none_is_not() -> None:
    draw = np.random.default_rng(1)
    n = 120
    base, same = draw.normal(size=n), draw.normal(size=n)
    names = [str(k // 3) for k in range(n)]
    before = measured(base.tolist(), same.tolist())
    after = measured(
        (base + draw.normal(0.5, 0.5, n)).tolist(), (same + draw.normal(0, 0.5, n)).tolist()
    )
    better, alike = changes(before, after, names, permutations=2000, rng=rng())
    assert better.p_holm < 0.01
    low, high = better.change.interval
    assert low < 0.5 < high
    assert alike.p_holm > 0.05
    assert (better.higher, alike.higher) == ("better", None)


def test_the_two_exchanged_change_the_sign_alone() -> None:
    first, second = measured([0, 1, 5]), measured([2, 2, 2])
    (one,) = changes(first, second, list("abc"), rng=rng())
    (two,) = changes(second, first, list("abc"), rng=rng())
    assert one.change.estimate == -two.change.estimate
    assert one.p == two.p


def test_means_over_several_references_are_left_out() -> None:
    one = Measured(("cosine", "cosine-mean"), np.array([[0.0, 5.0], [1.0, 5.0]]), {})
    found = changes(one, one, list("ab"), rng=rng())
    assert [change.metric for change in found] == ["cosine"]


def test_answers_are_counted_by_model() -> None:
    said = [
        Continuation("1", HI, "x", ("y",), source="base"),
        Continuation("2", HI, "", ("y",), source="base", metadata={UNSCORED: {}}),
        Continuation("3", HI, "x", ("y",), source="tuned", metadata={CUT_OFF: True}),
    ]
    found = changes(
        measured([0.0, 1.0], [0.0, 0.0]), measured([1.0, 1.0], [1.0, 0.0]), list("ab"), rng=rng()
    )
    answers = [count_answers(said, "base", "hf:a"), count_answers(said, "tuned", "hf:b")]
    done = Tuned("hf:a", "hf:b", said, found, answers, 2, None, None, "abc")
    assert answers == [AnswerCount("hf:a", 1, 1, 0), AnswerCount("hf:b", 1, 0, 1)]
    assert done.table_notes["changes"] == ["Of length-ratio neither side is the better one."]
    assert done.missing == (1, 3)
    assert "what was tuned on is not known" in done.notes[0]
    assert done.to_json()["changes"][0]["change"]["estimate"] == pytest.approx(0.5)
