"""Checks count what was planted: turns, words, ends, citations, recall."""

from __future__ import annotations

from typing import Any

import pytest
from dialogue_parts import Played, talk

from assize.simulate._recipes.checks import checks_of, source_checks_of
from assize.simulate._topics_file import topic

END = "END OF CONVERSATION!"


def test_figures_are_those_that_were_planted() -> None:
    talks = [
        talk("DS4", Played()),  # three exchanges, ended by the user; one unknown [n]
        talk("DS4", Played(user="And more?"), most=2),  # two, at the limit
        talk("DS4", Played(assistant=["Yes.", END])),  # two, of which the second has no answer
        talk("DS4", Played(question='{"other": 1}')),
    ]
    (found,) = checks_of(talks)
    assert (found.recipe, found.made, found.failed) == ("DS4", 3, 1)
    assert found.ended_by == "user 1, assistant 1, limit 1"
    assert found.exchanges.estimate == pytest.approx((3 + 2 + 2) / 3)
    # Words: 5, 3, 3; 5, 2; 5, 3 of the user, and 6, 9, 6; 6, 9; 1 of the assistant.
    assert found.user_words.estimate == pytest.approx(26 / 7)
    assert found.assistant_words.estimate == pytest.approx(37 / 6)
    assert found.user_words.clusters == 3
    cited: Any
    (cited,) = source_checks_of(talks)
    assert (cited.turns, cited.shown, cited.known, cited.unknown) == (6, 30, 5, 2)
    assert cited.citing.estimate == pytest.approx(5 / 6)
    assert (cited.recall.estimate, cited.recall.n) == (1.0, 3)


@pytest.mark.parametrize(
    ("query", "documents", "recall"),
    [("thing3", ["p3", "nowhere"], 0.5), (["zebra", "thing3", "thing3"], ["p3"], 1.0)],
)
def test_recall_counts_what_topics_name_among_what_was_shown(
    query: Any, documents: list[str], recall: float
) -> None:
    about = topic({"text": "rotate thing3", "documents": documents})
    found: list[Any] = source_checks_of([talk("DS5", Played(query=query), about=about)])
    assert found[0].recall.estimate == recall


def test_recall_lies_between_none_and_all_and_so_does_its_interval() -> None:
    talks = [
        talk("DS5", Played(query="thing3"), about=topic({"text": "x", "documents": [named]}))
        for named in ("p3", "nowhere", "nowhere")
    ]
    found: list[Any] = source_checks_of(talks)
    assert found[0].recall.interval == (0, 1)  # Student's t alone says -1.10 to 1.77


def test_a_number_where_nothing_was_shown_is_of_no_source_and_its_turn_has_none() -> None:
    played = Played(query="zebra", assistant="See [1].")
    (found,) = source_checks_of([talk("DS5", played, most=2)])
    assert (found.turns, found.known, found.unknown) == (0, 0, 2)


def test_recipes_stand_in_their_order_and_ds1_has_no_sources() -> None:
    talks = [talk("DS3", Played()), talk("DS1", Played())]
    assert [one.recipe for one in checks_of(talks)] == ["DS3", "DS1"]
    _, first = source_checks_of(talks)
    assert (first.recall, first.turns) == (None, 0)
    assert checks_of([]) == []
    assert source_checks_of(talks[1:]) == []
