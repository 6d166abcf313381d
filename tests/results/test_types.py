"""Figures, and what is needed to judge them."""

from __future__ import annotations

import pytest

from assize.results import Estimate, Share, Test, to_json

NAN = float("nan")


@pytest.mark.parametrize(
    ("figure", "said"),
    [
        (
            Estimate(NAN, n=0, unscored=2, reason="no values", signature="abc"),
            {
                "estimate": None,
                "interval": [None, None],
                "n": 0,
                "unscored": 2,
                "signature": "abc",
                "reason": "no values",
            },
        ),
        (
            Estimate(0.5, (0.25, 0.75), n=4, method="mean|v1", details={"df": 3}),
            {"estimate": 0.5, "interval": [0.25, 0.75], "n": 4, "unscored": 0, "signature": ""},
        ),
        (
            Share(1 / 3, (0.1, NAN), n=3, count=1),
            {
                "estimate": 1 / 3,
                "interval": [0.1, None],
                "n": 3,
                "unscored": 0,
                "signature": "",
                "count": 1,
            },
        ),
        (
            Test(2.0, 0.25, permutations=4, exact=True, n=3),
            {
                "statistic": 2.0,
                "p_value": 0.25,
                "monte_carlo_error": 0.0,
                "permutations": 4,
                "exact": True,
                "n": 3,
                "unscored": 0,
                "signature": "",
            },
        ),
        (
            Test(NAN, NAN, reason="no pairs"),
            {
                "statistic": None,
                "p_value": None,
                "monte_carlo_error": 0.0,
                "permutations": 0,
                "exact": False,
                "n": 0,
                "unscored": 0,
                "reason": "no pairs",
                "signature": "",
            },
        ),
    ],
)
def test_in_json_nan_is_null_and_a_reason_stands_only_where_there_is_one(
    figure: Estimate | Test, said: object
) -> None:
    assert to_json(figure) == said


def test_an_interval_ends_where_the_scale_does_if_the_figure_is_on_it() -> None:
    assert Estimate(0.9, (0.7, 1.1)).within((0, 1)).interval == (0.7, 1)
    assert Estimate(1.2, (0.7, 1.4)).within((0, 1)).interval == (0.7, 1.4)
    assert Estimate(0.9, (0.7, 1.1)).within(None).interval == (0.7, 1.1)
