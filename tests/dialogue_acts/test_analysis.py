"""Counting acts and maxims, on examples small enough to count by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.conversation import Conversation, Pair, Turn
from assize.dialogue_acts import analysis, maxim_analysis
from assize.dialogue_acts.annotations import Annotation, acts_in, gather
from assize.dialogue_acts.labels import Act
from assize.dialogue_acts.maxims import MAXIMS
from assize.dialogue_acts.study import plain, study, study_all
from assize.dialogue_acts.taxonomy import load_taxonomy
from assize.dialogue_acts.variation import maxim_variation, variation
from assize.errors import DataError
from assize.judgment import PREFERENCE, Judgment, Order, Unscored
from assize.judgments import JudgmentTable

ISO = load_taxonomy()
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
    assert (found.turns.details["count"], found.turns.n) == (2, 3)  # 2 of TALK's 2, 0 of 1
    assert (found.once.details["count"], found.once.n) == (1, 2)
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
    assert (found.details["count"], found.n) == (1, 1)


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
        "": 1, "Set Question": 1, "Thanking": 1,
    }  # fmt: skip


def test_labels_are_valid_foreign_or_hallucinated() -> None:
    odd = annotation(
        (ASK, Act("Task", "Explain")),
        (Act("Task", "Apology"), Act("Task", "")),
        (Act("", "Inform"),),
    )
    found = analysis.validity([odd], ISO)
    assert found.labels == 5
    counts = [one.details["count"] for one in (found.valid, found.foreign, found.hallucinated)]
    assert counts == [1, 2, 2]  # Inform without a dimension is known, but nowhere at home
    assert (found.turns.details["count"], found.turns.n) == (2, 3)
    assert found.names == {"Explain": 1, "": 1}


PAIR = Pair(
    "p",
    (Turn("user", "Hi"), Turn("assistant", "Yes?"), Turn("user", "Go")),
    (Turn("assistant", "one"),),
    (Turn("assistant", "two"),),
    gold="A",
)


def held(better: int = 0, worse: int = 0, both: int = 0) -> dict[str, str]:
    sides = ["A"] * better + ["B"] * worse + ["both"] * both
    sides += ["neither"] * (len(MAXIMS) - len(sides))
    return dict(zip(MAXIMS, sides, strict=True))


def row(
    judge: str,
    details: Any,
    order: Order | None = "AB",
    item: str = "p",
    answer: str = "A",
    **more: Any,
) -> Judgment:
    if "unscored" not in more:
        more["answer"] = answer
    return Judgment(item, judge, PREFERENCE.id, order=order, details=details, **more)


def ours(*context: Any, a: Any, b: Any) -> dict[str, Any]:
    return {"acts": {"context": list(context), "a": [a], "b": [b]}}


T = ["Task", "Inform"]
Q = ["Task", "Set Question"]


def test_a_response_satisfies_what_it_keeps_to_better_or_both_keep_to() -> None:
    rows = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q])),
        row("maxim@m", {"maxims": held(better=2, worse=1, both=3)}),
    ]
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    assert found.crossed is not None
    assert found.crossed.cells["different", "chosen"].estimate == 1
    assert found.maxims is not None
    assert found.maxims.asymmetry.estimate == 3
    assert found.maxims.per_maxim["Quantity-1"].shares["chosen"].estimate == 1
    assert found.maxims.per_maxim["Transparency-3"].shares["neither"].estimate == 1


def test_gold_b_turns_the_sides_round_and_a_tie_stands_outside() -> None:
    rows = [
        row("maxim@m", {"maxims": held(better=2, worse=1)}, item=name) for name in ("p", "q", "r")
    ]
    golds: list[Any] = ["B", "tie", {"preference": "A"}]
    items = {
        name: Pair(name, PAIR.context, PAIR.a, PAIR.b, gold=gold)
        for name, gold in zip("pqr", golds, strict=True)
    }
    (found,) = study_all(JudgmentTable.of(rows), items, ISO)
    assert (found.items["maxims"], found.gold) == (3, 2)
    assert found.maxims is not None
    shares = found.maxims.per_maxim["Quantity-1"].shares
    assert (shares["chosen"].estimate, shares["rejected"].estimate) == (0.5, 0.5)
    assert found.maxims.asymmetry.n == 3


def test_every_rule_over_votes_counts_what_it_says() -> None:
    # first vote: chosen has more, and is chosen; second: rejected has more, and is chosen.
    rows = [
        row("maxim@m", {"maxims": held(better=3, worse=1)}),
        row("maxim@m", {"maxims": held(better=1, worse=2)}, order="BA", answer="B"),
    ]
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    assert found.maxims is not None
    told = {
        rule: (one.chosen_more.estimate, one.rejected_more.estimate, one.right.estimate)
        for rule, one in found.maxims.by_rule.items()
    }
    assert told == {
        "first": (1, 0, 1),
        "second": (0, 1, 0),
        "both": (0, 0, 0),
        "either": (1, 1, 1),  # one vote each: the rule favours neither response
        "summed": (1, 0, 0),  # 4 against 3, but the judge was not right in both
    }
    assert set(told) == set(maxim_analysis.RULES)


def test_a_judge_s_only_vote_is_its_first_whatever_the_order() -> None:
    rows = [
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), order="BA"),
        row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), item="q"),
    ]
    items = {"p": PAIR, "q": PAIR}
    votes = gather(JudgmentTable.of(rows), items, acts="da@m", maxims=None, taxonomy=ISO)
    assert set(votes.acts["first"]) == {"p", "q"}
    assert not votes.acts["second"]


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
    found = acts_in({name: RECORDED}, PAIR, "BA", ISO)
    assert found is not None
    assert found.a == ((Act("Task", "Offer"),),)
    assert found.b == ((Act("Task", "Inform"),),)


def test_recorded_objects_are_read_also_where_they_are_called_acts() -> None:
    keyed = {line.split(" <SEP> ")[0]: line.split(" <SEP> ")[1] for line in RECORDED.split("\n")}
    found = acts_in({"acts": keyed}, PAIR, "BA", ISO)
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
        "the item is not there": 1,
    }
    assert found.left_out == 4


def test_turns_that_were_too_old_to_be_shown_are_no_part_of_the_context() -> None:
    details = {**ours([T], [Q], a=[T], b=[Q]), "left_out_turns": 1}
    found = acts_in(details, PAIR, "AB", ISO)
    assert found is not None
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
    assert found.acts is not None
    assert found.acts.changes["function"]["user"].turns.n == 1
    assert math.isnan(found.acts.across["function"].estimate)


def test_the_first_of_repeated_rows_counts_and_the_rest_are_told() -> None:
    rows = [row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]))] * 2
    (found,) = study_all(JudgmentTable.of(rows), {"p": PAIR}, ISO)
    assert (found.items["acts"], found.duplicates) == (1, 1)


def test_judges_of_the_same_model_are_studied_together() -> None:
    acts = ours([Q], [T], [Q], a=[T], b=[Q])
    rows = [
        row("da@x", acts), row("da@y", acts), row("maxim@y", {"maxims": held()}),
        row("maxim@z", {"maxims": held()}),
    ]  # fmt: skip
    table = JudgmentTable.of(rows)
    assert [one.name for one in study_all(table, {"p": PAIR}, ISO)] == [
        "da@x", "da@y + maxim@y", "maxim@z",
    ]  # fmt: skip
    (chosen,) = study_all(table, {"p": PAIR}, ISO, judges=["da@x"])
    assert chosen.name == "da@x"


def test_judgments_without_acts_or_maxims_are_refused() -> None:
    with pytest.raises(DataError, match="da-paper"):
        study_all(JudgmentTable.of([row("io@m", None)]), {"p": PAIR}, ISO)


def test_the_signature_stands_for_data_and_rules_not_for_the_order_of_rows() -> None:
    rows = [row("da@m", ours([Q], [T], [Q], a=[T], b=[Q]), item=name) for name in ("p", "q")]
    items = {name: Pair(name, PAIR.context, PAIR.a, PAIR.b) for name in ("p", "q")}

    def signed(rows: list[Judgment], taxonomy: str = "iso-24617-2") -> str:
        names = load_taxonomy(taxonomy)
        table = JudgmentTable.of(rows)
        return study(table, items, names, acts="da@m", maxims=None).signature

    assert signed(rows) == signed(rows[::-1])
    assert signed(rows) != signed(rows[:1])
    assert signed(rows) != signed(rows, "intents")


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
            first, second = (plain(analysis.changes(each, role, level)) for each in (talks, again))
            assert first == second
    across = [plain(analysis.differing(each, "function")) for each in (talks, again)]
    assert across[0] == across[1]
