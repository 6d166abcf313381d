from __future__ import annotations

import numpy as np
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


def test_novelty_is_what_the_context_does_not_hold() -> None:
    # "the blue house is new": one of five words is new; "it is modern": two of three
    found = features("The blue house is new.", "It is modern.")
    assert found["novelty"] == pytest.approx(1 / 5)
    assert found["novelty-shift"] == pytest.approx(1 / 5 - 2 / 3)


def test_echo_is_what_the_assistant_has_said_before() -> None:
    # of "the red", "red house", "house is", "is new" the first three
    assert features("The red house is new.", "x")["echo"] == pytest.approx(3 / 4)


def test_it_takes_up_the_content_words_of_what_was_asked() -> None:
    assert features("Blue? New.", "x")["context-overlap"] == 0.5  # of blue and house


def test_length_is_told_as_a_ratio_and_as_a_share() -> None:
    found = features("one two three", "one two three four five six seven")
    assert found["length-ratio"] == -1
    assert found["length-match"] == 0.5


def test_numbers_and_names_agree_where_there_are_none() -> None:
    found = features("It is old.", "It is new.")
    assert (found["number-overlap"], found["name-overlap"]) == (1, 1)
    other = features("It cost 20 or 30 in Leeds.", "It cost 20 in York.")
    assert other["number-overlap"] == pytest.approx(2 / 3)
    assert other["name-overlap"] == 0


def test_shifts_change_sign_with_the_sides() -> None:
    one, other = (
        features("Great, thanks!", "That is bad."),
        features("That is bad.", "Great, thanks!"),
    )
    for name in ("sentiment-shift", "formality-shift", "length-ratio"):
        assert one[name] == pytest.approx(-other[name])
    assert one["sentiment-shift"] > 0


def test_a_question_and_a_statement_do_not_match() -> None:
    assert features("Which house?", "It is old.")["question"] == 0
    assert features("Which house?", "Do you mean this one?")["question"] == 1


def test_style_is_told_of_the_candidate_alone() -> None:
    # "i told you that you told him": 7 words, 5 different; of grammar all but told, twice
    expected = {
        "first-person": 1 / 7,
        "second-person": 2 / 7,
        "third-person": 1 / 7,
        "distinct-words": 5 / 7,
        "function-words": 5 / 7,
        "word-length": 22 / 7,
        "sentence-length": 3.0,  # log2(1 + 7)
    }
    found = features("I told you that you told him.", "x")
    assert {name: found[name] for name in expected} == pytest.approx(expected)


def test_a_candidate_of_punctuation_alone_has_no_words_of_any_kind() -> None:
    found = features("?!", "x")
    for name in ("distinct-words", "function-words", "first-person", "word-length"):
        assert found[name] == 0


def test_blank_candidates_have_no_features() -> None:
    found = surface(Compared.of([Continuation("k", CONTEXT, " ", ("x",))]))
    assert np.isnan(found["length"]).all()
    assert len(found["question"]) == 0
