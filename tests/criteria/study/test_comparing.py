"""Methods and policies on planted pools."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.criteria.simulated import simulated

from assize.base.errors import DataError
from assize.criteria._selecting import Selecting
from assize.criteria._selection import Budget
from assize.criteria._selection.policies import Settings
from assize.criteria._study.comparing import Comparing, Method, compare
from assize.criteria._study.studied import ClassCounts, CriteriaStudy

SET, SAID, LABELS = simulated(each=40, criteria=40, effect=1.0)  # planted are 0-9 and 20-29
HOW = Selecting(settings=Settings(Budget(4, 4)))
ASKED = Comparing(HOW, resamples=100)


def part(name: str, at: list[int]) -> Method:
    """A method whose pool has some of the criteria."""
    kept = replace(SET, criteria=tuple(SET.criteria[one] for one in at))
    return Method(name, kept, replace(SAID, criteria=kept.criteria, values=SAID.values[:, at]))


OURS, WEAK = part("ours", list(range(40))), part("weak", [*range(10, 20), *range(30, 40)])
HAND = part("hand", [0, 10, 20, 30])


def studied(*methods: Method, **given: Any) -> CriteriaStudy:
    return compare(methods, LABELS, replace(ASKED, **given))


FOUND = studied(OURS, WEAK, HAND, policies=["rubicon", "ucb"])


def test_every_method_meets_every_policy() -> None:
    assert [(one.method, one.policy) for one in FOUND.rows] == [
        (method, policy) for method in ("ours", "weak", "hand") for policy in ("rubicon", "ucb")
    ]
    assert FOUND.train == FOUND.test == ClassCounts(20, 20)


def test_a_pool_with_the_criteria_that_matter_beats_one_without() -> None:
    less = next(row for row in FOUND.differences if row.name == "weak, rubicon")
    assert less.delta_netsat.interval[1] < 0
    assert less.accuracy.interval[1] < 0
    assert less.delta_netsat.estimate == pytest.approx(
        FOUND.row("weak").delta_netsat.estimate - FOUND.row("ours").delta_netsat.estimate
    )


def test_scores_of_every_test_half_are_kept() -> None:
    found = studied(OURS, splits=2).row("ours")
    assert [len(one.nets) for one in found.tests] == [40, 40]
    assert sum(one.unscored for one in found.tests) == found.unscored
    good = [one.nets[one.good].mean() - one.nets[~one.good].mean() for one in found.tests]
    assert found.delta_netsat.estimate == pytest.approx(np.mean(good))


def test_a_small_set_is_whole_by_every_policy() -> None:
    one, two = FOUND.row("hand"), FOUND.row("hand", "ucb")
    assert one.whole
    assert one.chosen == two.chosen == [[each.id for each in HAND.criteria.criteria]]
    assert one.f1 == two.f1
    assert not FOUND.row("ours").whole
    assert FOUND.row("ours").size == 8


def test_splits_are_averaged_and_seeded() -> None:
    one, two = (studied(OURS, splits=3, seed=5) for _ in range(2))
    assert one.to_json() == two.to_json()
    assert len(one.rows[0].chosen) == 3
    assert one.rows[0].n == 120
    assert one.to_json() != studied(OURS, splits=3, seed=6).to_json()


def test_methods_are_compared_on_the_conversations_that_all_scored() -> None:
    fewer = replace(
        WEAK, said=replace(WEAK.said, items=SAID.items[4:], values=WEAK.said.values[4:])
    )
    found = studied(OURS, fewer)
    told = "4 labelled conversations are not scored by every method, and left out of all"
    assert told in found.notes
    assert found.train.good + found.train.bad + found.test.good + found.test.bad == 76


def test_methods_without_a_common_conversation_are_refused() -> None:
    other = replace(WEAK, said=replace(WEAK.said, items=[f"x{n}" for n in range(80)]))
    with pytest.raises(DataError, match="scored by every method \\(ours, weak\\)"):
        studied(OURS, other)


def test_unscored_test_conversations_are_counted() -> None:
    values = np.array(SAID.values)
    values[::10] = np.nan
    found = studied(replace(OURS, said=replace(SAID, values=values)), splits=2)
    row = found.rows[0]
    assert row.unscored > 0
    assert found.missing == (row.unscored, 80)
    assert row.yield_train.estimate <= 1 - row.unscored / row.n


def test_each_selection_is_told() -> None:
    seen: list[int] = []
    compare([OURS, HAND], LABELS, replace(ASKED, splits=2, resamples=0), tick=seen.append)
    assert sum(seen) == 4
