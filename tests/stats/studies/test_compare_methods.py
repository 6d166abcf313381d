"""Tables of methods: figures, tests between all pairs, base and best."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.stats.studies.conftest import DATA, ITEMS, least_squares, mean

from assize.base.errors import DataError
from assize.stats import holm, share
from assize.stats._studies import (
    Loss,
    Measure,
    MethodTable,
    Predictions,
    Row,
    Truth,
    compare_methods,
    folds_of,
    gaps_table,
    method_rows,
    method_tables,
)
from assize.stats._studies.compare_methods import pairings


def test_a_line_is_told_from_the_mean_and_its_error_is_the_noise() -> None:
    (found,) = compare_methods(
        {"mean": mean, "line": least_squares}, DATA, Truth(DATA[:, 1], ITEMS), folds_of(ITEMS)
    )
    assert (found.name, found.count) == ("cross-validated", 200)
    assert found.figures["line"]["rmse"].estimate == pytest.approx(0.5, abs=0.06)
    assert found.figures["mean"]["rmse"].estimate == pytest.approx(DATA[:, 1].std(), abs=0.1)
    assert found.best("squared error") == "line"
    gap, p = found.gaps("mean", "squared error")["line"]
    squares = [found.figures[name]["rmse"].estimate ** 2 for name in ("line", "mean")]
    assert gap == pytest.approx(squares[0] - squares[1], rel=1e-3)
    assert p < 0.001
    assert found.gaps("line", "squared error")["mean"] == (-gap, p)
    assert list(found.measured) == ["rmse", "pearson", "spearman", "kendall"]
    assert found.rows[1].about == "Least squares on the first column."


def test_rows_without_a_truth_are_not_learnt_from() -> None:
    gold = np.where(np.arange(200) < 20, np.nan, DATA[:, 1])
    poisoned = DATA.copy()
    poisoned[:20, 1] = 1e6
    (found,) = compare_methods(
        {"line": least_squares}, poisoned, Truth(gold, ITEMS), folds_of(ITEMS)
    )
    assert (found.count, found.figures["line"]["rmse"].n) == (180, 180)
    assert found.figures["line"]["rmse"].estimate < 1


def thirds(data: Any, rows: Any, seed: int) -> Any:
    """Three probabilities a row."""
    return lambda data, rows: np.ones((len(rows), 3))


@pytest.mark.parametrize(
    ("method", "rows", "message"),
    [
        (mean, 100, "`truth` has 200 rows, and `folds` 100"),
        (thirds, 200, "3 probabilities a row for a scale of 0 answers"),
    ],
)
def test_what_does_not_fit_together_is_refused(method: Any, rows: int, message: str) -> None:
    with pytest.raises(DataError, match=message):
        compare_methods({"m": method}, DATA, Truth(DATA[:, 1], ITEMS), folds_of(ITEMS[:rows]))


def test_a_test_set_has_a_table_of_its_own() -> None:
    folds = folds_of(ITEMS, seeds=1, test=ITEMS < 20)
    both = compare_methods({"line": least_squares}, DATA, Truth(DATA[:, 1], ITEMS), folds)
    assert [(one.name, one.count) for one in both] == [("cross-validated", 160), ("test set", 40)]


def test_a_pairs_p_value_counts_the_flips_of_whole_items_by_hand() -> None:
    # Two items: sums of differences 3 and 1. Of the four sign patterns |+3+1| = 4 is reached
    # by two, so p = 1/2; the third method is the first again, so nothing can differ: p = 1.
    losses = {"a": np.array([2.0, 1.0, 1.0]), "b": np.zeros(3), "c": np.array([2.0, 1.0, 1.0])}
    rng = np.random.default_rng(0)
    found = pairings(losses, "loss", [0, 0, 1], permutations=100, rng=rng)
    named = {(one.first, one.second): one for one in found}
    assert named["a", "b"].test.statistic == pytest.approx(4 / 3)
    assert [one.test.p_value for one in found] == [0.5, 1.0, 0.5]
    assert [one.p_holm for one in found] == holm([0.5, 1.0, 0.5]).tolist()
    assert pairings({"a": losses["a"]}, "loss", [0, 0, 1], rng=rng) == []


def test_alike_methods_are_rarely_told_apart_and_different_ones_are() -> None:
    rng = np.random.default_rng(1)
    items = np.arange(60)
    gold = rng.normal(size=60)
    truth, nobody = Truth(gold, items), np.zeros(60, dtype=bool)
    rejected = 0
    for _ in range(40):
        noise = rng.normal(size=(3, 60))
        rows = [
            Row(name, Predictions(gold + one[None])) for name, one in zip("abc", noise, strict=True)
        ]
        (found,) = method_tables(rows, truth, nobody, permutations=400)
        rejected += any(one.p_holm < 0.05 for one in found.tests)
    assert rejected <= 6  # of 40 with 5% each: more than 6 in less than one case of a hundred
    rows = [Row("near", Predictions(gold[None] + 0.1)), Row("far", Predictions(gold[None] + 1))]
    (found,) = method_tables(rows, truth, nobody)
    assert found.tests[0].p_holm < 0.001


def table(*errors: float, groups: str = "aaa") -> Any:
    gold = np.random.default_rng(0).normal(size=50)
    rows = [
        Row(f"m{place}", Predictions(gold[None] + error * (-1) ** np.arange(50)), group)
        for place, (error, group) in enumerate(zip(errors, groups, strict=True))
    ]
    (found,) = method_tables(rows, Truth(gold, np.arange(50)), np.zeros(50, bool), permutations=99)
    return found


def test_the_best_is_the_least_error_outside_the_groups_left_out() -> None:
    found = table(0.5, 0.2, 0.1, groups="abo")
    assert found.best("squared error") == "m2"
    assert found.best("squared error", but=["o"]) == "m1"
    assert found.best("log loss") == ""


def test_a_column_against_one_method_is_corrected_for_itself_alone() -> None:
    found = table(0.5, 0.4, 0.3)
    against = found.against("m0", "squared error")
    plain = {one.second: one.test.p_value for one in found.tests if one.first == "m0"}
    assert against == dict(zip(plain, holm(list(plain.values())).tolist(), strict=True))
    assert set(found.gaps("m1", "squared error")) == {"m0", "m2"}
    assert found.against("nobody", "squared error") == {}
    pairs = [(pair.first, pair.second) for pair in found.tests]
    assert pairs == [("m0", "m1"), ("m0", "m2"), ("m1", "m2")]


def test_measures_and_losses_of_ones_own_take_the_place_of_the_usual_ones() -> None:
    """Preferences: the share of pairs decided rightly, and a loss of 1 for each wrong one."""
    gold = np.array([1.0, -1.0] * 20)
    right = Measure("accuracy", "acc", lambda p, t: share(np.sign(p.value[0]) == t.values))
    wrong = Loss("accuracy", lambda p, t: np.asarray((np.sign(p.value) != t.values).mean(axis=0)))
    rows = [
        Row("sure", Predictions(gold[None] * 3)),
        Row("half", Predictions(np.ones((1, 40)))),
    ]
    (found,) = method_tables(
        rows,
        Truth(gold, np.arange(40)),
        np.zeros(40, bool),
        measures={"accuracy": right},
        losses={"mistakes": wrong},
    )
    assert found.figures["half"]["accuracy"].estimate == 0.5
    assert found.best("mistakes") == "sure"  # more is better
    assert found.gaps("sure", "mistakes")["half"][0] == 0.5


def compared(*groups: str) -> MethodTable:
    """Methods off by 0.1, 0.5, 0.9, ...; the last does not predict the first four rows."""
    gold = np.random.default_rng(0).normal(size=40)
    rows = [
        Row(f"m{place}", Predictions(gold[None] + (0.1 + 0.4 * place)), group)
        for place, group in enumerate(groups)
    ]
    short = np.where(np.arange(40) < 4, np.nan, rows[-1].predicted.value)
    rows[-1] = replace(rows[-1], predicted=Predictions(short))
    (found,) = method_tables(rows, Truth(gold, np.arange(40)), np.zeros(40, bool))
    return found


def test_every_method_stands_with_its_figures_its_n_and_p_against_the_base() -> None:
    found = compared("a", "a", "b")
    rows = method_rows(found, "m0", "squared error")
    counts = [(row.group, row.n, row.unscored) for row in rows]
    assert counts == [("a", 40, None), ("a", 40, None), ("b", 36, 4)]
    assert [row.figures["rmse"].estimate for row in rows] == pytest.approx([0.1, 0.5, 0.9])
    assert "log_loss" not in rows[0].figures
    assert np.isnan(rows[0].p)
    assert [row.p for row in rows[1:]] == list(found.against("m0", "squared error").values())
    assert np.isnan([row.p for row in method_rows(found, "", "squared error")]).all()


def column(table: Any, name: str) -> list[Any]:
    place = [one.name for one in table.columns].index(name)
    return [row[place] for row in table.rows]


def test_gaps_are_those_to_each_of_the_others() -> None:
    found = compared("a", "a", "a")
    table = gaps_table(found, ["m0", "m2"], "squared error")
    assert column(table, "method") == ["m0", "m1", "m2"]
    assert column(table, "less m0")[1] == found.gaps("m0", "squared error")["m1"][0]
    assert column(table, "less m2")[1] == pytest.approx(0.25 - 0.81)
    assert np.isnan(column(table, "less m0")[0])
    assert gaps_table(found, ["m0"], "log loss").rows == []
