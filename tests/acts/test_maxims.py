"""The maxims are the paper's."""

from __future__ import annotations

from collections import Counter

from assize.acts._maxims import MAXIMS


def test_there_are_twelve_sub_maxims_of_the_papers_six() -> None:
    families = Counter(name.partition("-")[0] for name in MAXIMS)
    assert families == {
        "Quantity": 2,
        "Quality": 1,
        "Relevance": 2,
        "Manner": 2,
        "Benevolence": 2,
        "Transparency": 3,
    }
    assert len(set(MAXIMS.values())) == 12
