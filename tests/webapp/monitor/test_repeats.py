from __future__ import annotations

from tests.webapp.monitor.simulated import CLEAR, Rater, Study, collect

from assize.judgment import Judgment
from assize.webapp.monitor.collected import Collected, Work
from assize.webapp.monitor.repeats import self_agreement


def test_answers_are_held_to_the_first_ones() -> None:
    pieces = [
        (Work("a", item, repeat=repeat), [Judgment(item, "a", "clear", answer=said, repeat=repeat)])
        for item, both in {"i": "33", "j": "24", "k": "55", "l": "1"}.items()
        for repeat, said in enumerate(both)
    ]
    everybody, alone = self_agreement(Collected.of(pieces, [CLEAR]), ["clear"])
    assert everybody.rater is None
    assert alone.rater == "a"
    assert everybody.same is not None
    assert (everybody.same.n, round(everybody.same.estimate, 3)) == (3, 0.667)


def test_a_careless_rater_agrees_less_with_themselves() -> None:
    raters = {"good": Rater(noise=0.3), "odd": Rater(careless=1.0)}
    found = self_agreement(collect(Study(raters, overlap=2, items=80, repeats=40)), ["clear"])
    alpha = {one.rater: one.alpha for one in found}
    assert alpha["good"].estimate > 0.7
    assert alpha["odd"].interval[0] < 0 < alpha["odd"].interval[1]


def test_without_repeats_there_is_nothing_to_say() -> None:
    assert self_agreement(collect(Study({"a": Rater()}, items=5)), ["clear"]) == []
