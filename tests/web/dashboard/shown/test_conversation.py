"""A conversation's page has everything that was said, beside the turn it belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.web.dashboard.project import ATTACK

from assize.base.conversation import Continuation, Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.conversation import ShownConversation, read_conversation


@pytest.fixture(scope="module")
def shown(view: View) -> ShownConversation:
    return read_conversation(view, "c/000")


def test_every_judge_stands_with_every_question(shown: ShownConversation) -> None:
    assert shown.grid.questions == ("Q0", "Q1", "Q2", "acts", "D1", "length")
    rows = dict(shown.grid.rows)
    assert len(rows) == 10
    assert rows["io@m"] == ("2", "unscored", "", "", "7", "")


def test_acts_stand_at_their_turn(shown: ShownConversation) -> None:
    turns = shown.parts[0].turns
    assert turns[0].acts[0].acts == (("Task", "Set Question"),)
    assert turns[1].acts[0].acts == (("Task", "Inform"), ("Task", ATTACK))
    assert turns[2].acts == ()


def test_answers_about_a_turn_and_criteria_that_name_it_stand_there(
    shown: ShownConversation,
) -> None:
    turns = shown.parts[0].turns
    assert [(one.question, one.answer, one.explanation) for one in turns[1].opinions] == [
        ("turn-help", "no", "It only points.")
    ]
    assert [one.judge for one in turns[1].criteria] == ["io@m"]
    assert not turns[0].opinions
    assert not turns[0].criteria


def test_explanations_and_reasons_are_told(shown: ShownConversation) -> None:
    assert [one.explanation for one in shown.reasons] == [f"**Short** answer. {ATTACK}"]
    (lost,) = [one for _, told in shown.whole for one in told if one.unscored]
    assert lost.unscored == "refused it would not"


def test_sources_calls_and_facts_are_there(shown: ShownConversation) -> None:
    turn = shown.parts[0].turns[1]
    assert turn.references[0][1] == "Plots"
    assert turn.calls[0][0] == "search"
    assert ("system", "old") in shown.facts


def test_an_unknown_conversation_is_refused(view: View) -> None:
    with pytest.raises(ConfigError, match="no conversation 'nobody'"):
        read_conversation(view, "nobody")


def test_sides_of_a_pair_have_their_acts_and_maxims(tmp_path: Path) -> None:
    pair = Pair("p", (Turn("user", "Hi"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),))
    acts = {"context": [[["Task", "x"]]], "a": [[["Task", "y"]]], "b": [[["Task", "z"]]]}
    rows = [
        Judgment("p", "da@m", "preference", answer="A", order="AB", details={"acts": acts}),
        Judgment("p", "maxim@m", "preference", answer="B", details={"maxims": {"Quantity-1": "A"}}),
        Judgment("p", "da@m", "help", answer="1", turn=2),
    ]
    view = prepare_view(JudgmentTable.of(rows), [pair], tmp_path / "v")
    found = read_conversation(view, "p")
    seen = [(part.title, turn.acts[0].acts[0][1]) for part in found.parts for turn in part.turns]
    assert seen == [("Context", "x"), ("A", "y"), ("B", "z")]
    assert found.parts[2].turns[0].opinions[0].question == "help"  # turns count over all parts
    assert found.maxims == (("maxim@m", (("Quantity-1", "A"),)),)


def test_a_continuation_shows_what_people_said(tmp_path: Path) -> None:
    one = Continuation("k", (Turn("user", "Hi"),), "Hello", ("Good day",), source="m")
    rows = [Judgment("k", "ann", "content", answer="4")]
    found = read_conversation(prepare_view(JudgmentTable.of(rows), [one], tmp_path / "v"), "k")
    assert [(part.title, part.turns[0].text) for part in found.parts] == [
        ("Context", "Hi"),
        ("Candidate", "Hello"),
        ("What people said there", "Good day"),
    ]


def test_details_of_any_shape_break_nothing(tmp_path: Path) -> None:
    odd: list[dict[str, Any]] = [
        {"acts": "x"},
        {"acts": {"turns": 3}},
        {"acts": {"turns": [None, [1]]}},
        {"turns": "x"},
        {"maxims": []},
        {"acts": {"turns": [[["a"]]]}},
    ]
    rows = [Judgment("i", f"j{at}", "q", score=1.0, details=held) for at, held in enumerate(odd)]
    view = prepare_view(JudgmentTable.of(rows), [], tmp_path / "v")
    found = read_conversation(view, "i")
    assert (found.parts, found.maxims) == ((), ())
