"""What is asked of an agreement."""

from __future__ import annotations

from assize.agreement import AgreeOptions, CloserToGold


def test_the_judges_that_are_compared_are_named_in_order() -> None:
    assert AgreeOptions().compared == ()
    assert AgreeOptions(compare=CloserToGold(("b", "a"))).compared == ("b", "a")
