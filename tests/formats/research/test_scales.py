from __future__ import annotations

from typing import Any

import pytest

from assize.errors import DataError
from assize.formats.records import question, to_json
from assize.formats.research.scales import number, ordinal, rated, scored


def test_whole_numbers_are_their_own_values_and_words_are_spread_over_0_to_1() -> None:
    assert ordinal("q", "?", (0, 1, 2)).values == (0.0, 1.0, 2.0)
    assert ordinal("q", "?", ("no", "partly", "yes")).values == (0.0, 0.5, 1.0)


def test_a_question_says_which_way_is_better_and_survives_a_file() -> None:
    worse = ordinal("q", "?", (1, 2), "worse", _1="no", _2="yes")
    assert worse.labels == {"1": "no", "2": "yes"}
    assert question(to_json(worse)) == worse
    assert to_json(worse)["higher"] == "worse"


@pytest.mark.parametrize("score", [3, 3.0, "3"])
def test_a_whole_score_is_an_answer_however_it_is_written(score: Any) -> None:
    assert scored(score, ordinal("q", "?", (1, 2, 3))) == {"answer": "3"}


def test_a_fraction_is_no_answer_of_an_ordinal_question() -> None:
    with pytest.raises(DataError, match=r"received '2\.5' for question q; allowed are 1, 2, 3"):
        scored(2.5, ordinal("q", "?", (1, 2, 3)))


def test_zero_is_a_score() -> None:
    assert scored(0, number("q", "?", 0, 1)) == {"score": 0}
    assert scored(0, ordinal("q", "?", (0, 1))) == {"answer": "0"}


def test_a_number_without_an_upper_end_has_no_range() -> None:
    assert number("q", "?", 0, None).range is None
    assert scored(99.5, number("q", "?", 0, None)) == {"score": 99.5}


def test_a_program_is_never_anonymous() -> None:
    rating = {"judge": "gpt-4", "kind": "llm", "score": 1}
    assert not rated("i", rating, {}, question="q", anonymous=True).anonymous
    assert rated("i", rating | {"kind": "human"}, {}, question="q", anonymous=True).anonymous


def test_a_rating_without_a_judge_is_an_error() -> None:
    with pytest.raises(DataError, match="judge"):
        rated("i", {"kind": "human", "score": 1}, {}, question="q", anonymous=True)
