"""Figures, and what is needed to judge them."""

from __future__ import annotations

from assize.results import Estimate, Share, Test, to_json

NAN = float("nan")


def test_nan_is_null_in_json_and_its_reason_stands_beside_it() -> None:
    assert to_json(Estimate(NAN, n=0, unscored=2, reason="no values", signature="abc")) == {
        "estimate": None,
        "interval": [None, None],
        "n": 0,
        "unscored": 2,
        "signature": "abc",
        "reason": "no values",
    }


def test_an_estimate_that_is_whole_has_no_reason_and_no_working_data_in_json() -> None:
    value = to_json(Estimate(0.5, (0.25, 0.75), n=4, method="mean|v1", details={"df": 3}))
    assert (value["estimate"], value["interval"]) == (0.5, [0.25, 0.75])
    assert not {"reason", "method", "details", "clusters"} & value.keys()


def test_a_share_in_json_has_its_count() -> None:
    value = to_json(Share(1 / 3, (0.1, NAN), n=3, count=1))
    assert (value["count"], value["n"], value["estimate"]) == (1, 3, 1 / 3)
    assert value["interval"] == [0.1, None]


def test_a_test_in_json_says_how_its_p_value_came_about() -> None:
    value = to_json(Test(2.0, 0.25, permutations=4, exact=True, n=3))
    assert (value["p_value"], value["permutations"], value["exact"]) == (0.25, 4, True)
    missing = to_json(Test(NAN, NAN, reason="no pairs"))
    assert (missing["statistic"], missing["p_value"]) == (None, None)
    assert missing["reason"] == "no pairs"


def test_an_interval_ends_where_the_scale_does_if_the_figure_is_on_it() -> None:
    assert Estimate(0.9, (0.7, 1.1)).within((0, 1)).interval == (0.7, 1)
    assert Estimate(1.2, (0.7, 1.4)).within((0, 1)).interval == (0.7, 1.4)
    assert Estimate(0.9, (0.7, 1.1)).within(None).interval == (0.7, 1.1)
