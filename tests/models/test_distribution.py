"""Answer distributions: three ways, one record."""

from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from assize.models import Token
from assize.models.distribution import Distribution, from_samples, from_tokens


def log(p: float) -> float:
    return math.log(p)


def from_top(top: list[tuple[str, float]], choices: list[str]) -> Distribution:
    """Of an answer of one token, the first of these alternatives."""
    found = from_tokens((Token(*top[0], tuple(top)),), choices)
    assert found is not None
    return found


def test_variants_of_a_choice_are_merged_and_the_rest_is_outside() -> None:
    top = [(" 1", 0.4), ("1", 0.2), ("1.", 0.1), ("2)", 0.1), ("maybe", 0.05), ("\n", 0.05)]
    found = from_top([(text, log(p)) for text, p in top], ["1", "2", "3"])
    assert found.probabilities == pytest.approx({"1": 0.7, "2": 0.1, "3": 0.0})
    assert found.outside == pytest.approx(0.1)  # 0.1 was not reported and stays missing


def test_the_beginning_of_just_one_choice_stands_for_it() -> None:
    top = [("t", log(0.25)), (" ti", log(0.25)), ("A", log(0.5))]
    assert from_top(top, ["A", "B", "tie"]).probabilities == pytest.approx(
        {"A": 0.5, "B": 0.0, "tie": 0.5}
    )


def test_a_beginning_of_two_choices_is_neither_an_answer_nor_outside() -> None:
    found = from_top([("x", log(0.25)), ("S", log(0.005))], ["SAT", "SOME"])
    assert found.probabilities == {"SAT": 0.0, "SOME": 0.0}
    assert found.outside == pytest.approx(0.25)


def test_a_json_answer_is_read_where_its_value_begins() -> None:
    tokens = (
        Token('{"', log(0.9), (('{"', log(0.9)),)),
        Token("answer", 0.0, (("answer", 0.0),)),
        Token('":"', 0.0, (('":"', 0.0),)),
        Token("B", log(0.6), (("B", log(0.6)), ("A", log(0.3)), ("C", log(0.1)))),
        Token('"}', 0.0, (('"}', 0.0),)),
    )
    found = from_tokens(tokens, ["A", "B", "tie"], field="answer")
    assert found is not None
    assert found.probabilities == pytest.approx({"A": 0.3, "B": 0.6, "tie": 0.0})
    assert found.outside == pytest.approx(0.1)


def test_a_quote_in_the_answers_token_is_set_aside() -> None:
    top = ((' "A"', log(0.5)), (' "B', log(0.25)), (" [", log(0.25)))
    tokens = (Token('{"answer":', 0.0), Token(' "A"', log(0.5), top))
    found = from_tokens(tokens, ["A", "B"], field="answer")
    assert found is not None
    assert found.probabilities == pytest.approx({"A": 0.5, "B": 0.25})
    assert found.outside == pytest.approx(0.25)


def test_digits_are_divided_where_the_tokenizer_splits_numbers() -> None:
    # First token: 1 with 0.8, 2 with 0.2. After the 1: a 0 with 0.25, the end with 0.75.
    tokens = (
        Token("1", log(0.8), (("1", log(0.8)), ("2", log(0.2)))),
        Token("}", log(0.75), (("}", log(0.75)), ("0", log(0.25)))),
    )
    found = from_tokens(tokens, [str(n) for n in range(1, 11)])
    assert found is not None
    assert found.probabilities["1"] == pytest.approx(0.6)
    assert found.probabilities["10"] == pytest.approx(0.2)
    assert found.probabilities["2"] == pytest.approx(0.2)


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
        *(
            Token(text, log(top[text]), tuple((one, log(p)) for one, p in top.items()))
            for text, top in parts
        ),
    )


def test_answers_that_begin_alike_are_told_apart_by_what_follows() -> None:
    """strongly 0.8, of it agree 0.75 and disagree 0.2; agree 0.1 at once; the rest is no answer."""
    tokens = said(
        ("strongly", {"strongly": 0.8, "agree": 0.1, "well": 0.1}),
        (" agree", {" agree": 0.75, " disagree": 0.2, " so": 0.05}),
        ('"}', {'"}': 1.0}),
    )
    found = from_tokens(tokens, LIKERT, field="answer")
    assert found is not None
    expected = {"strongly disagree": 0.16, "disagree": 0.0, "agree": 0.1, "strongly agree": 0.6}
    assert found.probabilities == pytest.approx(expected)
    assert found.outside == pytest.approx(0.1 + 0.8 * 0.05)


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


def test_an_answer_that_breaks_off_where_it_could_be_several_has_no_distribution() -> None:
    assert from_tokens(said(("strongly", {"strongly": 1.0})), LIKERT, field="answer") is None


def test_without_alternatives_or_a_value_there_is_no_distribution() -> None:
    assert from_tokens((Token("A", -0.1),), ["A"]) is None
    assert from_tokens((Token("hello", -0.1, (("hello", -0.1),)),), ["A"], field="answer") is None
    assert from_tokens((), ["A"]) is None


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
