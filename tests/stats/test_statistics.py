"""What a caller says of intervals and tests, and what a function makes of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize import Statistics
from assize.base.errors import ConfigError
from assize.stats import Interval
from assize.stats._statistics import StatisticsSettings

OWN = Statistics(confidence=0.95, permutations=2_000, seed=0)


@pytest.mark.parametrize(
    ("statistics", "settings"),
    [
        (Statistics(), StatisticsSettings(Interval(seed=0), 2_000)),
        (OWN, StatisticsSettings(Interval(seed=0), 2_000)),
        (Statistics(seed=1), StatisticsSettings(Interval(seed=1), 2_000)),
        (
            Statistics(confidence=0.8, permutations=99),
            StatisticsSettings(Interval(confidence=0.8), 99),
        ),
    ],
)
def test_what_is_left_out_is_the_function_s_own(
    statistics: Statistics, settings: StatisticsSettings
) -> None:
    assert statistics.settings(OWN) == settings
    assert Statistics(seed=0).settings(Statistics(seed=3)).seed == 0  # and not left out


def test_a_function_s_own_defaults_are_what_its_signature_shows() -> None:
    assert repr(OWN) == "Statistics(confidence=0.95, permutations=2000, seed=0)"
    assert repr(Statistics()) == "Statistics()"


@pytest.mark.parametrize("unused", [{"interval": "percentile"}, {"resamples": 50}])
def test_what_the_function_does_not_use_is_refused(unused: dict[str, Any]) -> None:
    (name,) = unused
    message = f"statistics: nothing here depends on {name};.* confidence or permutations or seed"
    with pytest.raises(ConfigError, match=message):
        Statistics(**unused).settings(OWN)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"interval": "bca"}, "interval bca: allowed are jackknife and percentile"),
        ({"confidence": 1.0}, "confidence: received 1.0"),
        ({"confidence": 95}, "confidence: received 95"),
        ({"resamples": 0}, "resamples: received 0, allowed is at least 1"),
        ({"permutations": 0}, "permutations: received 0, allowed is at least 1"),
        ({"seed": -1}, "seed: received -1, allowed is at least 0"),
    ],
)
def test_a_value_outside_its_range_is_refused(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Statistics(**bad)


def test_the_level_of_a_test_is_what_is_left_of_the_confidence() -> None:
    assert StatisticsSettings().level == 0.05
    assert Statistics(confidence=0.999).settings(OWN).level == 0.001


def test_a_cluster_is_a_field_and_item_is_none() -> None:
    own = Statistics(cluster="item")
    assert Statistics().settings(own).field is None
    assert Statistics(cluster="user").settings(own).field == "user"


def test_every_figure_and_interval_starts_at_the_seed_anew() -> None:
    how = Statistics(seed=3).settings(Statistics(seed=0))
    assert how.rng().random() == how.rng().random() == np.random.default_rng(3).random()
    clusters = np.arange(4)
    assert how.intervals(clusters) == {"clusters": clusters, "interval": how.interval}
    assert how.interval.seed == 3
