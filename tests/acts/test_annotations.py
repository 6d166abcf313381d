"""From stored judgments to acts and maxims by item."""

from __future__ import annotations

import math
from typing import Any

import pytest
from acts_voted import ISO, PAIR, Q, T, ours, row

from assize.acts._analysis import find_share
from assize.acts._annotations import acts_in, gather
from assize.acts._labels import Act
from assize.acts._study import study_all
from assize.base.conversation import Conversation, Pair, Turn
from assize.base.judgment import Unscored
from assize.judgments import JudgmentTable


def test_a_judge_s_only_vote_is_its_first_whatever_the_order() -> None:
    rows = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), order="BA"),
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), item="q"),
    ]
    items = {"p": PAIR, "q": PAIR}
    votes = gather(JudgmentTable.of(rows), items, acts="da@m", maxims=None, taxonomy=ISO)
    assert set(votes.acts["first"]) == {"p", "q"}
    assert not votes.acts["second"]


RECORDED = "\n".join(
    f'{name}: {text} <SEP> {{"Dim": "Task", "Func": "{function}"}}'
    for name, text, function in [
        ("Human", "Hi", "Set Question"),
        ("Assistant", "Yes?", "Answer"),
        ("Human", "Go", "Request"),
        ("Assistant-1", "two", "Inform"),
        ("Assistant-2", "one", "Offer"),
    ]
)


@pytest.mark.parametrize("name", ["text", "output", "dialog-act"])
def test_recorded_outputs_are_read_from_details_and_mapped_back(name: str) -> None:
    found: Any = acts_in({name: RECORDED}, PAIR, "BA", ISO)
    assert found.a == ((Act("Task", "Offer"),),)
    assert found.b == ((Act("Task", "Inform"),),)


def test_recorded_objects_are_read_also_where_they_are_called_acts() -> None:
    keyed = {line.split(" <SEP> ")[0]: line.split(" <SEP> ")[1] for line in RECORDED.split("\n")}
    found: Any = acts_in({"acts": keyed}, PAIR, "BA", ISO)
    assert found == acts_in({"text": RECORDED}, PAIR, "BA", ISO)


def test_what_is_not_valid_is_left_out_and_counted_with_its_reason() -> None:
    rows = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q])),
        row("da@m", ours([Q], a=[T], b=[Q]), item="short"),
        row("da@m", {"identical": True}, item="same", answer="tie"),
        row("da@m", None, item="failed", unscored=Unscored("refused", "")),
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), item="nowhere"),
        row("da@m", {"text": "no labels at all"}, item="bare"),
    ]
    names = ("p", "short", "same", "failed", "bare")
    items = {name: Pair(name, PAIR.context, PAIR.a, PAIR.b) for name in names}
    (found,) = study_all(JudgmentTable.of(rows), items, ISO)
    assert found.items["acts"] == 1
    assert found.excluded["da@m"] == {
        "not every turn has acts": 2,
        "identical responses": 1,
        "unscored: refused": 1,
    }
    assert found.left_out == 3
    assert found.elsewhere == {"da@m": 1}  # nobody asked about it here, so nothing is missing


def test_the_labels_of_a_recorded_output_are_kept_as_often_as_each_is_named() -> None:
    label = '{"Dim": "Task", "Func": "Inform & Answer"}'
    text = (
        f"Human: Hi <SEP> {label}\nAssistant: Yes? <SEP> {label} {label}\nHuman: Go <SEP> {label}\n"
        f'Assistant-1: one <SEP> {label}\nAssistant-2: two <SEP> {{"Dim": "Feedback"}} {label}'
    )
    shown: Any = acts_in({"text": text}, PAIR, "AB", ISO)
    task = ("Task",)
    assert shown.labels == (task, ("Task", "Task"), task, task, ("Feedback", "Task"))
    exchanged = text.replace("1: one", "1: two").replace("2: two", "2: one")
    turned: Any = acts_in({"text": exchanged}, PAIR, "BA", ISO)
    assert turned.labels[3:] == (("Feedback", "Task"), task)  # sides as they really are


def test_turns_that_were_too_old_to_be_shown_are_no_part_of_the_context() -> None:
    details = {**ours([T], [Q], a=[T], b=[Q]), "left_out_turns": 1}
    found: Any = acts_in(details, PAIR, "AB", ISO)
    assert found.roles == ("assistant", "user")


def test_the_context_ends_with_the_last_human_turn() -> None:
    longer = Pair("p", (*PAIR.context, Turn("assistant", "Well,")), PAIR.a, PAIR.b)
    rows = [row("da@m", ours([Q], [T], [Q], [T], a=[T], b=[Q]))]
    votes = gather(JudgmentTable.of(rows), {"p": longer}, acts="da@m", maxims=None, taxonomy=ISO)
    assert votes.acts["first"]["p"].roles == ("user", "assistant", "user")


def test_conversations_are_analysed_without_responses() -> None:
    talk = Conversation("c", PAIR.context)
    rows = [row("acts@local", {"acts": {"turns": [[Q], [T], [Q]]}}, order=None, item="c")]
    (found,) = study_all(JudgmentTable.of(rows), {"c": talk}, ISO)
    who = {"user": "from turn to turn", "responses": "between the two"}
    shares: list[Any] = [
        find_share(found.changes, level="function", who=one, change=how) for one, how in who.items()
    ]
    turns, across = shares
    assert turns.n == 1
    assert math.isnan(across.estimate)
