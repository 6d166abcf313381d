from __future__ import annotations

from tests.evaluator.talks import Talk

from assize.base.judgment import Judgment
from assize.evaluator import Evaluator
from assize.evaluator._adapting.reading import read_labels
from assize.judgments import JudgmentTable


def test_the_order_is_that_of_the_hashes(small: Evaluator, talk: Talk) -> None:
    items = [talk(f"c{at}", "u: abc", f"a: {'ab'[at % 2] * 3}{at}") for at in range(6)]
    rows = [Judgment(f"c{at}", "ann", "nice", score=at, kind="person") for at in range(6)]
    one, two = (
        read_labels(items, JudgmentTable.of(part), small)["overall"][0]
        for part in (rows, rows[::-1])
    )
    assert (len(one), one.units) == (6, two.units)
    assert one.targets.tolist() == two.targets.tolist()
