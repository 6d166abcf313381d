"""A version held against limits."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.versions.two_versions import HELPFUL, made, two_versions

from assize.base.judgment import Unscored
from assize.judgments import JudgmentTable
from assize.stats import mean
from assize.versions.comparing import Comparing
from assize.versions.gate import GateLimits, check_limits
from assize.versions.version import Version

QUICK = Comparing(permutations=499)


OLD, NEW = two_versions()


def held(new: Version, baseline: Version | None = None, **limits: Any) -> Any:
    """Against limits of these names."""
    return check_limits(new, baseline, limits=GateLimits(**limits), how=QUICK)


def test_a_limit_is_held_against_the_lower_end() -> None:
    low = mean([float(str(row.answer)) for row in NEW.table]).interval[0]
    assert held(NEW, fail_under={"helpful": low - 0.001}).passed
    failed = held(NEW, fail_under={"helpful": low + 0.001})
    assert not failed.passed
    assert failed.checks[0].bound == pytest.approx(low)
    assert failed.checks[0].figure.estimate > low + 0.001  # the mean alone would have passed


def test_a_limit_from_above_is_held_against_the_upper_end() -> None:
    found = held(NEW, fail_over={"helpful.share<=1": 0.01}, max_unscored=None)
    assert not found.passed
    assert found.checks[0].bound > found.checks[0].figure.estimate


def test_a_drop_is_held_against_its_upper_end() -> None:
    found, back = (
        held(NEW, OLD, max_drop={"helpful": 0.0}),
        held(OLD, NEW, max_drop={"helpful": 0.1}),
    )
    (row,) = found.compared.differences
    assert found.checks[0].bound == pytest.approx(-row.difference.interval[0])
    assert found.passed is True
    assert back.passed is False
    assert back.checks[0].figure.estimate > 0.1
    again = Version("again", OLD.table, OLD.items)
    assert held(again, OLD, max_drop={"helpful": 0.0}).passed


def test_too_little_to_measure_fails_and_says_why() -> None:
    found = held(made("new", [5]), fail_under={"helpful": 1, "helpful.p10": 1})
    reasons = {one.check: str(one.reason) for one in found.checks}
    assert not found.passed
    assert reasons["helpful mean >= 1"] == "an interval needs at least 2 clusters"
    assert "too few for an interval" in reasons["helpful p10 >= 1"]
    # values that are all the same are their own bound
    assert held(made("new", [5] * 9), fail_under={"helpful": 5}).passed


def test_what_failed_counts_and_is_never_zero() -> None:
    version = made("new", [4, 5, None, 4, 5, 4, 5, 4])
    found = held(version, fail_under={"helpful": 3}, max_unscored=5)
    assert [one.passed for one in found.checks] == [True, False]
    assert found.checks[0].figure.unscored == 1
    assert held(version, max_unscored=12.5).passed


def test_each_judge_must_pass() -> None:
    one, two = made("new", [5, 4, 5, 4]), made("new", [1, 2, 1, 2], judge="other@m")
    both = JudgmentTable.of([*one.table, *two.table], [HELPFUL])
    found = held(Version("new", both), fail_under={"helpful": 3})
    assert [(one.judge, one.passed) for one in found.failed] == [("other@m", False)]


def test_what_another_question_lacks_is_not_counted() -> None:
    lost = [
        replace(row, question="tone", answer=None, unscored=Unscored("refused"))
        for row in NEW.table
    ]
    table = JudgmentTable.of([*NEW.table, *lost], [HELPFUL, replace(HELPFUL, id="tone")])
    both = replace(NEW, table=table)
    assert not held(both, fail_under={"helpful": 3}, max_unscored=5).passed
    limits = GateLimits(fail_under={"helpful": 3}, max_unscored=5)
    assert check_limits(both, None, limits=limits, questions=["helpful"], how=QUICK).passed
