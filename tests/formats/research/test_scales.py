from __future__ import annotations

from assize.formats.records import question, to_json
from assize.formats.research.scales import number, ordinal


def test_whole_numbers_are_their_own_values() -> None:
    assert ordinal("q", "?", (0, 1, 2)).values == (0.0, 1.0, 2.0)


def test_a_question_says_which_way_is_better_and_survives_a_file() -> None:
    for asked in (ordinal("q", "?", (1, 2)), number("q", "?", 0, 1)):
        assert question(to_json(asked)) == asked
        assert to_json(asked)["higher"] == "better"
