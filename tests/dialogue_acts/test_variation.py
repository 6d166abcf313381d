"""How far two votes of a judge say the same."""

from __future__ import annotations

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row

from assize.dialogue_acts.annotations import gather
from assize.dialogue_acts.variation import maxim_variation, variation
from assize.judgments import JudgmentTable


def test_votes_are_compared_aligned_and_by_place() -> None:
    # The second vote says of each response what the first did, shown exchanged.
    rows = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q])),
        row("da@m", ours([Q], [T], [T], a=[T], b=[Q]), order="BA"),
    ]
    votes = gather(JudgmentTable.of(rows), {"p": PAIR}, acts="da@m", maxims=None, taxonomy=ISO)
    found = variation(votes)["function"]
    assert found.responses.estimate == 0
    assert found.as_published.estimate == 1
    assert found.context.estimate == pytest.approx(1 / 3)


def test_maxim_answers_of_two_votes_are_compared_one_by_one() -> None:
    rows = [
        row("maxim@m", {"maxims": held(better=3)}),
        row("maxim@m", {"maxims": held(better=2, worse=1)}, order="BA"),
    ]
    votes = gather(JudgmentTable.of(rows), {"p": PAIR}, acts=None, maxims="maxim@m", taxonomy=ISO)
    assert maxim_variation(votes).estimate == pytest.approx(1 / 12)
