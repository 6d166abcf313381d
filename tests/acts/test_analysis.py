"""Counting acts and maxims, on examples small enough to count by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row
from hypothesis import given
from hypothesis import strategies as st

from assize.acts import _analysis as analysis
from assize.acts._analysis import find_share, variation
from assize.acts._annotations import Annotation, gather
from assize.acts._labels import Act
from assize.acts._maxim_analysis import maxim_variation
from assize.judgments import JudgmentTable
from assize.results import to_json

ASK, TELL, ANSWER = Act("Task", "Set Question"), Act("Task", "Inform"), Act("Task", "Answer")
THANK = Act("Social Obligations Management", "Thanking")


def annotation(*context: tuple[Act, ...], a: Any = (), b: Any = (), item: str = "p") -> Annotation:
    roles = tuple("user" if n % 2 == 0 else "assistant" for n in range(len(context)))
    return Annotation(item, roles, context, tuple(a), tuple(b))


# user: ask, ask + thank, ask; assistant: answer, tell
TALK = annotation((ASK,), (ANSWER,), (ASK, THANK), (TELL,), (ASK,), a=[(TELL,)], b=[(TELL, THANK)])


# user: ask, ask; assistant: answer
SHORT = annotation((ASK,), (ANSWER,), (ASK, ASK), a=[(TELL,)], b=[(TELL,)], item="q")


def change(annotations: list[Annotation], who: str, change: str, level: str = "function") -> Any:
    return find_share(analysis.changes(annotations), level=level, who=who, change=change)


TURNS, ONCE, AFTER = "from turn to turn", "at least once", "after a change of the user"


def test_changes_count_consecutive_turns_of_a_role_as_sets() -> None:
    turns, once = (change([TALK, SHORT], "user", kind) for kind in (TURNS, ONCE))
    assert (turns.count, turns.n) == (2, 3)  # 2 of TALK's 2, 0 of 1
    assert (once.count, once.n) == (1, 2)
    turns, once = (change([TALK, SHORT], "assistant", kind) for kind in (TURNS, ONCE))
    assert (turns.n, once.n) == (1, 1)  # SHORT has one turn, so nothing to change


def test_dimensions_change_only_where_dimensions_do() -> None:
    assert change([TALK], "assistant", TURNS, "dimension").estimate == 0
    assert change([TALK], "user", TURNS, "dimension").estimate == 1


def test_the_answers_to_two_human_turns_are_compared_where_the_human_changed() -> None:
    found = change([TALK, SHORT], "assistant", AFTER)
    # TALK's first change is answered by Answer, then Inform; its second is answered by the
    # responses, outside the context; SHORT has no change.
    assert (found.count, found.n) == (1, 1)


def test_a_human_turn_without_an_answer_has_nothing_to_compare() -> None:
    talk = Annotation("p", ("user", "user", "assistant"), ((ASK,), (TELL,), (ANSWER,)))
    assert change([talk], "assistant", AFTER).n == 0


def test_responses_differ_as_sets_of_all_their_turns() -> None:
    assert change([TALK, SHORT], "responses", "between the two").estimate == 0.5
    two = annotation((ASK,), a=[(TELL,), (ASK,)], b=[(ASK, TELL)])
    assert change([two], "responses", "between the two").estimate == 0


def test_frequencies_are_shares_of_a_roles_turns() -> None:
    rows: dict[str, Any] = {
        row.name: row for row in analysis.frequencies([TALK, SHORT], "function")
    }
    asks, thanks, tells = (
        rows["Set Question"].user,
        rows["Thanking"].user,
        rows["Inform"].response,
    )
    assert [(one.n, one.estimate) for one in (asks, thanks, tells)] == [(5, 1), (5, 1 / 5), (4, 1)]


def test_distinct_acts_are_counted_over_a_conversation() -> None:
    rows = [row for row in analysis.distinct([TALK, SHORT]) if row.what == "function"]
    found = {row.at_least: None if row.user is None else row.user.estimate for row in rows}
    assert found == {1: 1.0, 2: 0.5}


def test_transitions_count_the_next_turn_of_the_context() -> None:
    found = {
        (row.act, row.next_act): (row.followed, row.turns)
        for row in analysis.transitions([TALK, SHORT], "user")
    }
    assert found == {
        ("Set Question", "Answer"): (2, 3),
        ("Set Question", "Inform"): (1, 3),
        ("Thanking", "Inform"): (1, 1),
    }
    rows = analysis.transitions([TALK, SHORT], "user")
    assert {row.next_act: row.share for row in rows if row.act == "Thanking"} == {"Inform": 1}
    rows = analysis.transitions([TALK], "assistant")
    after = {row.next_act: row.followed for row in rows if row.act == "Answer"}
    assert after == {"Set Question": 1, "Thanking": 1}


def test_labels_are_valid_foreign_or_hallucinated() -> None:
    odd = annotation(
        (ASK, Act("Task", "Explain")),
        (Act("Task", "Apology"), Act("Task", "")),
        (Act("", "Inform"),),
    )
    _, *shares, turns = (row.share for row in analysis.validity([odd], ISO))
    assert [share.n for share in shares] == [5, 5, 5]
    # valid, foreign, hallucinated; Inform without a dimension is known, but nowhere at home
    assert [share.count for share in shares] == [1, 2, 2]
    assert (turns.count, turns.n) == (2, 3)
    assert analysis.hallucinated([odd], ISO) == {"Explain": 1, "": 1}


TURN = st.lists(st.sampled_from([ASK, TELL, ANSWER, THANK]), max_size=3).map(tuple)
TALKS = st.lists(
    st.builds(
        lambda turns, a, b: annotation(*turns, a=[a], b=[b]),
        st.lists(TURN, max_size=6),
        TURN,
        TURN,
    ),
    max_size=5,
)


@given(TALKS)
def test_repeating_a_label_or_exchanging_responses_changes_no_share(
    talks: list[Annotation],
) -> None:
    again = [
        replace(one, context=tuple(acts + acts[::-1] for acts in one.context), a=one.b, b=one.a)
        for one in talks
    ]
    first, second = (to_json(list(analysis.changes(each))) for each in (talks, again))
    assert first == second


def test_votes_are_compared_aligned_and_by_place() -> None:
    # The second vote says of each response what the first did, shown exchanged.
    judgments = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q])),
        row("da@m", ours([Q], [T], [T], a=[T], b=[Q]), order="BA"),
    ]
    table = JudgmentTable.of(judgments)
    votes = gather(table, {"p": PAIR}, acts="da@m", maxims=None, taxonomy=ISO)
    rows = [row for row in variation(votes) if row.level == "function"]
    found = {row.what: row.share.estimate for row in rows}
    assert found["responses, each with itself"] == 0
    assert found["responses, by place as published"] == 1
    assert found["turns of the context"] == pytest.approx(1 / 3)


def test_maxim_answers_of_two_votes_are_compared_one_by_one() -> None:
    rows = [
        row("maxim@m", {"maxims": held(better=3)}),
        row("maxim@m", {"maxims": held(better=2, worse=1)}, order="BA"),
    ]
    votes = gather(JudgmentTable.of(rows), {"p": PAIR}, acts=None, maxims="maxim@m", taxonomy=ISO)
    assert maxim_variation(votes).share.estimate == pytest.approx(1 / 12)
