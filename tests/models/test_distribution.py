"""Answer distributions: three ways, one record."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assize.models import Token
from assize.models.distribution import from_samples, from_tokens


def log(p: float) -> float:
    return math.log(p)


def told(text: str, alternatives: dict[str, float]) -> Token:
    """A token with the probabilities of its alternatives, itself among them."""
    return Token(text, log(alternatives[text]), tuple((t, log(p)) for t, p in alternatives.items()))


TEN = [str(n) for n in range(1, 11)]


@pytest.mark.parametrize(
    ("alternatives", "one"),
    [
        ({"8": 0.7, "1": 0.3}, None),  # 1, or 10 under a tokenizer of digits: nobody knows
        ({"8": 0.995, "1": 0.005}, 0.0),  # too little to matter; not reported
        ({"8": 0.6, "1": 0.3, "10": 0.1}, 0.3),  # the tokenizer does not split 10
        ({"8": 0.7, '1"': 0.3}, 0.3),  # the quote ends it
        ({"8": 0.7, "2": 0.3}, 0.0),
    ],
)
def test_a_one_that_may_be_a_ten_is_no_answer_where_nothing_followed_it(
    alternatives: dict[str, float], one: float | None
) -> None:
    found = from_tokens(said(("8", alternatives), ('"}', {'"}': 1.0})), TEN, field="answer")
    assert (found is None) == (one is None)
    if found is not None:
        assert found.probabilities["1"] == pytest.approx(one)
        assert found.probabilities["8"] == pytest.approx(alternatives["8"])


def test_a_one_with_which_the_reply_ends_may_be_a_ten_that_was_less_probable() -> None:
    alone = (Token("1", log(0.8), (("1", log(0.8)), ("2", log(0.2)))),)
    assert from_tokens(alone, TEN) is None
    found = from_tokens(alone, [str(n) for n in range(1, 10)])
    assert found is not None
    assert found.probabilities["1"] == pytest.approx(0.8)


LIKERT = ["strongly disagree", "disagree", "agree", "strongly agree"]


def said(*parts: tuple[str, dict[str, float]]) -> tuple[Token, ...]:
    """An answer's tokens with the probabilities of their alternatives."""
    before = Token('{"answer":"', 0.0, (('{"answer":"', 0.0),))
    return (
        before,
        *(told(text, top) for text, top in parts),
    )


@pytest.mark.parametrize("lost", [0.3, 0.005])
def test_there_is_no_distribution_where_answers_that_begin_alike_were_left_untold(
    lost: float,
) -> None:
    tokens = said(
        ("agree", {"agree": 1 - lost, "strongly": lost}),
        ('"}', {'"}': 1.0}),
    )
    found = from_tokens(tokens, LIKERT, field="answer")
    assert (found is None) == (lost > 0.01)
    if found is not None:
        assert found.probabilities["agree"] == pytest.approx(1 - lost)
        assert found.outside == 0.0


@given(st.lists(st.tuples(st.text(max_size=4), st.floats(-20, 0)), max_size=20))
def test_no_distribution_exceeds_one(top: list[tuple[str, float]]) -> None:
    tokens = (Token("A", log(0.01), (("A", log(0.01)), *top)),)
    found = from_tokens(tokens, ["A", "B", "10", "1"])
    assume(found is not None)
    assert found is not None
    assert sum(found.probabilities.values()) + found.outside <= 1 + 1e-9


def test_samples_count_what_could_not_be_read_as_outside() -> None:
    found = from_samples(["A", "B", "A", None, "other"], ["A", "B", "tie"])
    assert found.probabilities == {"A": 0.4, "B": 0.2, "tie": 0.0}
    assert found.outside == pytest.approx(0.4)
    assert (found.count, found.method) == (5, "samples")
    with pytest.raises(ValueError, match="at least one"):
        from_samples([], ["A"])


@pytest.mark.parametrize(
    ("tokens", "choices", "field", "probabilities", "outside"),
    [
        # Variants of a choice are merged; 0.1 was not reported and stays missing.
        (
            (told(" 1", {" 1": 0.4, "1": 0.2, "1.": 0.1, "2)": 0.1, "maybe": 0.05, "\n": 0.05}),),
            ["1", "2", "3"],
            None,
            {"1": 0.7, "2": 0.1, "3": 0.0},
            0.1,
        ),
        # The beginning of just one choice stands for it.
        (
            (told("t", {"t": 0.25, " ti": 0.25, "A": 0.5}),),
            ["A", "B", "tie"],
            None,
            {"A": 0.5, "B": 0.0, "tie": 0.5},
            0.0,
        ),
        # A beginning of two choices is neither an answer nor outside.
        (
            (told("x", {"x": 0.25, "S": 0.005}),),
            ["SAT", "SOME"],
            None,
            {"SAT": 0.0, "SOME": 0.0},
            0.25,
        ),
        # An answer in JSON is read where its value begins.
        (
            (
                told('{"', {'{"': 0.9}),
                told("answer", {"answer": 1.0}),
                told('":"', {'":"': 1.0}),
                told("B", {"B": 0.6, "A": 0.3, "C": 0.1}),
                told('"}', {'"}': 1.0}),
            ),
            ["A", "B", "tie"],
            "answer",
            {"A": 0.3, "B": 0.6, "tie": 0.0},
            0.1,
        ),
        # A quote in the answer's token is set aside.
        (
            (Token('{"answer":', 0.0), told(' "A"', {' "A"': 0.5, ' "B': 0.25, " [": 0.25})),
            ["A", "B"],
            "answer",
            {"A": 0.5, "B": 0.25},
            0.25,
        ),
        # Of two such fields the last is the answer.
        (
            (
                Token('{"answer":', 0.0),
                told('"B",', {'"B",': 1.0}),
                Token('"answer":', 0.0),
                told('"A"', {'"A"': 0.5, '"B"': 0.5}),
            ),
            ["A", "B"],
            "answer",
            {"A": 0.5, "B": 0.5},
            0.0,
        ),
        # Digits are divided where the tokenizer splits numbers: first 1 with 0.8 and 2 with 0.2;
        # after the 1 a 0 with 0.25, the end with 0.75.
        (
            (told("1", {"1": 0.8, "2": 0.2}), told("}", {"}": 0.75, "0": 0.25})),
            TEN,
            None,
            dict.fromkeys(TEN, 0.0) | {"1": 0.6, "10": 0.2, "2": 0.2},
            0.0,
        ),
        # Answers that begin alike are told apart by what follows: strongly 0.8, of it agree 0.75
        # and disagree 0.2; agree 0.1 at once; the rest is no answer.
        (
            said(
                ("strongly", {"strongly": 0.8, "agree": 0.1, "well": 0.1}),
                (" agree", {" agree": 0.75, " disagree": 0.2, " so": 0.05}),
                ('"}', {'"}': 1.0}),
            ),
            LIKERT,
            "answer",
            {"strongly disagree": 0.16, "disagree": 0.0, "agree": 0.1, "strongly agree": 0.6},
            0.1 + 0.8 * 0.05,
        ),
    ],
)
def test_probabilities_are_put_together_from_tokens(
    tokens: tuple[Token, ...],
    choices: list[str],
    field: str | None,
    probabilities: dict[str, float],
    outside: float,
) -> None:
    found = from_tokens(tokens, choices, field=field)
    assert found is not None
    assert found.probabilities == pytest.approx(probabilities)
    assert found.outside == pytest.approx(outside)


@pytest.mark.parametrize(
    ("tokens", "choices", "field"),
    [
        ((Token("A", -0.1),), ["A"], None),
        ((Token("hello", -0.1, (("hello", -0.1),)),), ["A"], "answer"),
        ((), ["A"], None),
        # It breaks off where it could be several.
        (said(("strongly", {"strongly": 1.0})), LIKERT, "answer"),
    ],
)
def test_without_alternatives_or_a_whole_value_there_is_no_distribution(
    tokens: tuple[Token, ...], choices: list[str], field: str | None
) -> None:
    assert from_tokens(tokens, choices, field=field) is None
