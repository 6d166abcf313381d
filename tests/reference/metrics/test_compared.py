from __future__ import annotations

from assize.base.conversation import Continuation, Turn
from assize.reference._metrics.compared import Compared

CONTEXT = (
    Turn("user", "Hi"),
    Turn("assistant", "Hello"),
    Turn("tool", "42"),
    Turn("user", " Why? "),
)


def test_equal_texts_are_one_and_pairs_know_their_places() -> None:
    found = Compared.of(
        [
            Continuation("a", CONTEXT, "So.", ("  ", "Well.", "So.")),
            Continuation("b", CONTEXT[:1], " So. ", ("Well.",)),
        ]
    )
    assert found.texts[found.candidate[0]] == found.texts[found.candidate[1]] == "So."
    assert found.owner.tolist() == [0, 0, 1]
    assert found.which.tolist() == [1, 2, 0]
    assert [found.texts[at] for at in found.right] == ["Well.", "So.", "Well."]
    assert [found.texts[at] for at in found.last] == ["Why?", "Hi"]
    assert [own for _, own in found.context[0]] == [False, True, False]


def test_nothing_gives_nothing() -> None:
    assert Compared.of([]).texts == []
