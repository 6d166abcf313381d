from __future__ import annotations

import pytest

from assize.base.conversation import Continuation, Turn
from assize.reference._metrics.compared import Compared
from assize.reference._metrics.surface.features import surface
from assize.reference._metrics.table import METRICS

CONTEXT = (
    Turn("user", "Is the red house old?"),
    Turn("assistant", "The red house is old."),
    Turn("user", "And the blue house?"),
)


def features(candidate: str, reference: str) -> dict[str, float]:
    found = surface(Compared.of([Continuation("k", CONTEXT, candidate, (reference,))]))
    return {name: float(values[0]) for name, values in found.items()}


def test_they_are_the_tables_surface_metrics() -> None:
    expected = {name for name, one in METRICS.items() if one.family == "surface"}
    assert features("a", "b").keys() == expected


@pytest.mark.parametrize(
    ("candidate", "reference", "expected"),
    [
        pytest.param(
            "The blue house is new.",
            "It is modern.",
            # "the blue house is new": one of five words is new; "it is modern": two of three
            {"novelty": 1 / 5, "novelty-shift": 1 / 5 - 2 / 3},
            id="novelty is what the context does not hold",
        ),
        pytest.param(
            "The red house is new.",
            "x",
            {"echo": 3 / 4},  # of "the red", "red house", "house is", "is new" the first three
            id="echo is what the assistant has said before",
        ),
        pytest.param(
            "Blue? New.",
            "x",
            {"context-overlap": 0.5},  # of blue and house
            id="it takes up the content words of what was asked",
        ),
        pytest.param(
            "one two three",
            "one two three four five six seven",
            {"length-ratio": -1, "length-match": 0.5},
            id="length is a ratio and a share",
        ),
        pytest.param(
            "It is old.",
            "It is new.",
            {"number-overlap": 1, "name-overlap": 1},
            id="numbers and names agree where there are none",
        ),
        pytest.param(
            "It cost 20 or 30 in Leeds.",
            "It cost 20 in York.",
            {"number-overlap": 2 / 3, "name-overlap": 0},
            id="numbers and names of both are shared",
        ),
        pytest.param(
            "Which house?",
            "It is old.",
            {"question": 0},
            id="a question does not match a statement",
        ),
        pytest.param(
            "Which house?",
            "Do you mean this one?",
            {"question": 1},
            id="a question matches a question",
        ),
        pytest.param(
            # 7 words, 5 different; of grammar all but told, twice
            "I told you that you told him.",
            "x",
            {
                "first-person": 1 / 7,
                "second-person": 2 / 7,
                "third-person": 1 / 7,
                "distinct-words": 5 / 7,
                "function-words": 5 / 7,
                "word-length": 22 / 7,
                "sentence-length": 3.0,  # log2(1 + 7)
            },
            id="style is that of the candidate alone",
        ),
        pytest.param(
            "?!",
            "x",
            {"distinct-words": 0, "function-words": 0, "first-person": 0, "word-length": 0},
            id="punctuation alone has no words of any kind",
        ),
    ],
)
def test_features_by_hand(candidate: str, reference: str, expected: dict[str, float]) -> None:
    values = features(candidate, reference)
    assert {name: values[name] for name in expected} == pytest.approx(expected)


def test_shifts_change_sign_with_the_sides() -> None:
    one, other = (
        features("Great, thanks!", "That is bad."),
        features("That is bad.", "Great, thanks!"),
    )
    for name in ("sentiment-shift", "formality-shift", "length-ratio"):
        assert one[name] == pytest.approx(-other[name])
    assert one["sentiment-shift"] > 0
