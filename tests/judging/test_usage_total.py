"""What calls took together: cached answers cost nothing, unknown prices are counted apart."""

from __future__ import annotations

from assize.base.judgment import Usage
from assize.judging.usage_total import UsageTotal


def test_an_answer_without_a_price_is_counted_and_no_zero() -> None:
    total = UsageTotal()
    total.add(Usage(10, 2, None), 3)
    total.add(Usage(), 0)  # nobody was asked
    assert total == UsageTotal(3, 0, 10, 2, 0.0, unpriced=1)
    assert str(total) == (
        "3 calls, 0 answers from the cache, 10 tokens in, 2 out, at least $0.0000 (the price of"
        " 1 answers is not known)"
    )


def test_what_a_kill_has_lost_is_told() -> None:
    assert "booked in all" not in str(UsageTotal(cost_usd=0.5, booked_usd=0.5))
    assert "($0.7500 booked in all: some answers were lost" in str(UsageTotal(booked_usd=0.75))


def test_calls_of_earlier_sessions_are_told_apart() -> None:
    total = UsageTotal()
    total.add(Usage(10, 2, 0.0), 16, stored=True)
    total.add(Usage(10, 2, 0.0), 24)
    assert str(total).startswith("40 calls (24 now, 16 earlier), 0 answers from the cache")


def test_every_sum_is_merged() -> None:
    total = UsageTotal(1, 2, 3, 4, 0.5, 5, 0.75, 6)
    total.merge(UsageTotal(10, 20, 30, 40, 1.0, 50, 2.0, 60))
    assert total == UsageTotal(11, 22, 33, 44, 1.5, 55, 2.75, 66)
