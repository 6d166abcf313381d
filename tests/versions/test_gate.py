"""A version held against limits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.versions.two_versions import HELPFUL, made, two_versions

from assize.base.errors import ConfigError
from assize.base.judgment import Unscored
from assize.judgments import JudgmentTable
from assize.stats import mean
from assize.versions.comparing import Comparing
from assize.versions.gate import GateLimits, check_limits
from assize.versions.gate_result import Check, GateResult
from assize.versions.version import Version

QUICK = Comparing(permutations=499)


def held(limits: GateLimits, baseline: bool = True) -> GateResult:
    old, new = two_versions()
    return check_limits(new, old if baseline else None, limits=limits, how=QUICK)


def by_name(found: GateResult) -> dict[str, Check]:
    return {one.check: one for one in found.checks}


def test_a_limit_is_held_against_the_lower_end() -> None:
    _, new = two_versions()
    low = mean([float(str(row.answer)) for row in new.table]).interval[0]
    assert held(GateLimits(fail_under={"helpful": low - 0.001}), False).passed
    failed = held(GateLimits(fail_under={"helpful": low + 0.001}), False)
    assert not failed.passed
    assert failed.checks[0].bound == pytest.approx(low)
    assert failed.checks[0].figure.estimate > low + 0.001  # the mean alone would have passed


def test_a_limit_from_above_is_held_against_the_upper_end() -> None:
    found = held(GateLimits(fail_over={"helpful.share<=1": 0.01}, max_unscored=None), False)
    assert not found.passed
    assert found.checks[0].bound > found.checks[0].figure.estimate


def test_a_drop_is_held_against_its_upper_end() -> None:
    found = held(GateLimits(max_drop={"helpful": 0.0}))
    assert found.compared is not None
    (row,) = found.compared.differences
    assert found.checks[0].bound == pytest.approx(-row.difference.interval[0])
    assert found.passed
    old, new = two_versions()
    back = check_limits(old, new, limits=GateLimits(max_drop={"helpful": 0.1}), how=QUICK)
    assert not back.passed
    assert back.checks[0].figure.estimate > 0.1
    with pytest.raises(ConfigError, match="max_drop needs the version before"):
        held(GateLimits(max_drop={"helpful": 0}), baseline=False)


def test_the_same_version_twice_passes_a_drop_of_nothing() -> None:
    old, _ = two_versions()
    again = Version("again", old.table, old.items)
    assert check_limits(again, old, limits=GateLimits(max_drop={"helpful": 0.0}), how=QUICK).passed


def test_too_little_to_measure_fails_and_says_why() -> None:
    one = made("new", [5])
    found = check_limits(
        one, None, limits=GateLimits(fail_under={"helpful": 1, "helpful.p10": 1}), how=QUICK
    )
    checks = by_name(found)
    assert not found.passed
    assert checks["helpful mean >= 1"].reason == "an interval needs at least 2 clusters"
    assert "too few for an interval" in str(checks["helpful p10 >= 1"].reason)


def test_values_that_are_all_the_same_are_their_own_bound() -> None:
    assert check_limits(
        made("new", [5] * 9), None, limits=GateLimits(fail_under={"helpful": 5}), how=QUICK
    ).passed


def test_what_failed_counts_and_is_never_zero() -> None:
    version = made("new", [4, 5, None, 4, 5, 4, 5, 4])
    found = check_limits(
        version, None, limits=GateLimits(fail_under={"helpful": 3}, max_unscored=5), how=QUICK
    )
    assert [one.passed for one in found.checks] == [True, False]
    assert found.checks[0].figure.unscored == 1
    assert check_limits(version, None, limits=GateLimits(max_unscored=12.5), how=QUICK).passed


def test_each_judge_must_pass() -> None:
    one, two = made("new", [5, 4, 5, 4]), made("new", [1, 2, 1, 2], judge="other@m")
    both = JudgmentTable.of([*one.table, *two.table], [HELPFUL])
    found = check_limits(
        Version("new", both), None, limits=GateLimits(fail_under={"helpful": 3}), how=QUICK
    )
    assert [(one.judge, one.passed) for one in found.failed] == [("other@m", False)]


def test_nothing_asked_is_refused() -> None:
    with pytest.raises(ConfigError, match="nothing is asked"):
        held(GateLimits(max_unscored=None))


def test_what_another_question_lacks_is_not_counted() -> None:
    _, new = two_versions()
    failed = [
        replace(row, question="tone", answer=None, unscored=Unscored("refused"))
        for row in new.table
    ]
    table = JudgmentTable.of([*new.table, *failed], [HELPFUL, replace(HELPFUL, id="tone")])
    both = replace(new, table=table)
    limits = GateLimits(fail_under={"helpful": 3}, max_unscored=5)
    assert not check_limits(both, None, limits=limits, how=QUICK).passed
    assert check_limits(both, None, limits=limits, questions=["helpful"], how=QUICK).passed
