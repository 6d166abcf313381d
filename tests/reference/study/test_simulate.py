"""The simulation is what it says: its known figures, and that nobody can take it for real."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from tests.reference.study.examples import LARGE, simulated
from tests.reference.study.simulate import TARGETS, Asked, Simulating, known, simulate


def test_the_same_seed_draws_the_same() -> None:
    first, again, other = (simulate(Simulating(2, 1, seed=seed)) for seed in (1, 1, 2))
    assert list(first.ratings) == list(again.ratings)
    assert list(first.metrics) == list(again.metrics)
    assert list(first.ratings) != list(other.ratings)


def test_every_candidate_has_all_its_ratings_and_is_called_simulated() -> None:
    made = simulate(Simulating(conversations=3, turns=2, raters=4))
    assert all(one.metadata["simulated"] is True for one in made.items)
    assert all("simulated" in name for name in (*made.ratings.judges, *made.metrics.judges))
    counts = Counter((row.item, row.question) for row in made.ratings)
    assert set(counts.values()) == {4}
    assert len(counts) == 3 * 2 * 5 * len(TARGETS)


def test_the_chances_of_all_levels_add_up_to_one() -> None:
    for asked in TARGETS.values():
        for each in known(asked, {"tuned": 0.7, "random": 0.98}, 5).levels.values():
            assert sum(each.values()) == pytest.approx(1)


def test_raters_who_toss_coins_agree_as_coins_do_by_hand() -> None:
    # two answers of a half each, two raters: alike in a half of the cases
    found = known(Asked((0, 1), {"x": (0.5, 0.5)}), {"x": 0.0}, 2)
    assert found.levels["x"]["perfect"] == pytest.approx(0.5)
    assert found.kappa == {"x": 0.0}
    # three of them: all alike in a quarter, else two of three
    found = known(Asked((0, 1), {"x": (0.5, 0.5)}), {"x": 0.0}, 3)
    assert found.levels["x"]["majority"] == pytest.approx(0.75)
    assert found.people["majority"] == pytest.approx(2 / 3)


def test_a_correlation_is_what_the_agreement_leaves_of_it_by_hand() -> None:
    # one source: a rating keeps the share a of the truth's variance
    one = known(Asked((0, 1), {"x": (0.5, 0.5)}), {"x": 0.6}, 1)
    assert one.by_rating == one.by_item == pytest.approx(0.6)
    # the mean of many raters varies by a^2 of it
    many = known(Asked((0, 1), {"x": (0.5, 0.5)}), {"x": 0.6}, 10)
    assert many.by_item == pytest.approx(0.6 / np.sqrt(0.36 * 0.9 + 0.1))


@pytest.mark.parametrize("unit", ["ratings", "items"])
def test_correlations_with_ratings_approach_what_is_known(unit: str) -> None:
    data, made = simulated(conversations=LARGE)
    found, asked = made.known["content"], data.ratings["content"]
    share = found.by_rating if unit == "ratings" else found.by_item
    rows = asked.rows(unit)  # type: ignore[arg-type]
    for name, loading in (("strong", 0.8), ("middling", 0.5), ("noise", 0.0)):
        (column,) = (one for one in data.columns if one.name == name)
        assert np.corrcoef(column.values[rows.item], rows.value)[0, 1] == pytest.approx(
            loading * share, abs=0.025
        )
