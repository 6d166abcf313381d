"""Counting acts and maxims, on examples small enough to count by hand."""

from __future__ import annotations

from typing import Any

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row
from hypothesis import given
from hypothesis import strategies as st

from assize.acts import _analysis as analysis
from assize.acts._analysis import maxim_variation, variation
from assize.acts._annotations import Annotation, gather
from assize.acts._labels import Act
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


def test_changes_count_consecutive_turns_of_a_role_as_sets() -> None:
    found = analysis.changes([TALK, SHORT], "user", "function")
    assert (found.turns.count, found.turns.n) == (2, 3)  # 2 of TALK's 2, 0 of 1
    assert (found.once.count, found.once.n) == (1, 2)
    told = analysis.changes([TALK, SHORT], "assistant", "function")
    assert (told.turns.n, told.once.n) == (1, 1)  # SHORT has one turn, so nothing to change


def test_dimensions_change_only_where_dimensions_do() -> None:
    found = analysis.changes([TALK], "assistant", "dimension")
    assert found.turns.estimate == 0
    assert analysis.changes([TALK], "user", "dimension").turns.estimate == 1


def test_the_answers_to_two_human_turns_are_compared_where_the_human_changed() -> None:
    found = analysis.following([TALK, SHORT])
    # TALK's first change is answered by Answer, then Inform; its second is answered by the
    # responses, outside the context; SHORT has no change.
    assert (found.count, found.n) == (1, 1)


def test_a_human_turn_without_an_answer_has_nothing_to_compare() -> None:
    talk = Annotation("p", ("user", "user", "assistant"), ((ASK,), (TELL,), (ANSWER,)))
    assert analysis.following([talk]).n == 0


def test_responses_differ_as_sets_of_all_their_turns() -> None:
    assert analysis.differing([TALK, SHORT], "function").estimate == 0.5
    two = annotation((ASK,), a=[(TELL,), (ASK,)], b=[(ASK, TELL)])
    assert analysis.differing([two], "function").estimate == 0


def test_frequencies_are_shares_of_a_roles_turns() -> None:
    found = analysis.frequencies([TALK, SHORT], "function")
    assert found["user"].turns == 5
    assert found["user"].names["Set Question"].estimate == 1
    assert found["user"].names["Thanking"].estimate == pytest.approx(1 / 5)
    assert list(found["response"].names) == ["Inform", "Thanking"]
    assert found["response"].turns == 4


def test_distinct_acts_are_counted_over_a_conversation() -> None:
    found = analysis.distinct([TALK, SHORT], "user", "function")
    assert {x: share.estimate for x, share in found.items()} == {1: 1.0, 2: 0.5}


def test_transitions_count_the_next_turn_of_the_context() -> None:
    found = analysis.transitions([TALK, SHORT], "user")
    assert found["Set Question"] == {"": 3, "Answer": 2, "Inform": 1}
    assert found["Thanking"] == {"": 1, "Inform": 1}
    assert analysis.transitions([TALK], "assistant")["Answer"] == {
        "": 1,
        "Set Question": 1,
        "Thanking": 1,
    }


def test_labels_are_valid_foreign_or_hallucinated() -> None:
    odd = annotation(
        (ASK, Act("Task", "Explain")),
        (Act("Task", "Apology"), Act("Task", "")),
        (Act("", "Inform"),),
    )
    found = analysis.validity([odd], ISO)
    assert found.labels == 5
    counts = [one.count for one in (found.valid, found.foreign, found.hallucinated)]
    assert counts == [1, 2, 2]  # Inform without a dimension is known, but nowhere at home
    assert (found.turns.count, found.turns.n) == (2, 3)
    assert found.names == {"Explain": 1, "": 1}


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
        Annotation(
            one.item, one.roles, tuple(acts + acts[::-1] for acts in one.context), one.b, one.a
        )
        for one in talks
    ]
    for role in analysis.ROLES:
        for level in analysis.LEVELS:
            first, second = (
                to_json(analysis.changes(each, role, level)) for each in (talks, again)
            )
            assert first == second
    across = [to_json(analysis.differing(each, "function")) for each in (talks, again)]
    assert across[0] == across[1]


def test_votes_are_compared_aligned_and_by_place() -> None:
    # The second vote says of each response what the first did, shown exchanged.
    rows = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q])),
        row("da@m", ours([Q], [T], [T], a=[T], b=[Q]), order="BA"),
    ]
    votes = gather(JudgmentTable.of(rows), {"p": PAIR}, acts="da@m", maxims=None, taxonomy=ISO)
    found = variation(votes)["function"]
    assert found.responses.estimate == 0
    assert found.as_published.estimate == 1
    assert found.context.estimate == pytest.approx(1 / 3)


def test_maxim_answers_of_two_votes_are_compared_one_by_one() -> None:
    rows = [
        row("maxim@m", {"maxims": held(better=3)}),
        row("maxim@m", {"maxims": held(better=2, worse=1)}, order="BA"),
    ]
    votes = gather(JudgmentTable.of(rows), {"p": PAIR}, acts=None, maxims="maxim@m", taxonomy=ISO)
    assert maxim_variation(votes).estimate == pytest.approx(1 / 12)
