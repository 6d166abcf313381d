"""Criteria as questions, NetSAT, and when what was learnt no longer fits the words."""

from __future__ import annotations

from dataclasses import replace

from assize.criteria._criterion import (
    LIKERT,
    NETSAT,
    VALUES,
    CriteriaSet,
    Criterion,
    Labelling,
    net_satisfaction,
)

GOOD = Criterion("s1", "The assistant names the failing line.", "sat")
BAD = Criterion("d1", "The user asks the same question again.", "dsat")
BOTH = CriteriaSet("debugger", (GOOD, BAD))


def test_a_criterion_is_a_question_on_a_scale_from_0_to_10() -> None:
    question = GOOD.question()
    assert (question.id, question.answers, question.values) == ("s1", LIKERT, VALUES)
    assert question.higher == "better"
    assert BAD.question("numeric").values == tuple(map(float, range(11)))
    assert BAD.question().higher == "worse"


def test_a_set_asks_for_netsat_and_each_criterion() -> None:
    net, *rest = BOTH.questions
    assert (net.id, net.range, net.higher) == (NETSAT, (-10, 10), "better")
    assert [one.id for one in rest] == ["s1", "d1"]
    assert CriteriaSet("good", (GOOD,)).range == (0, 10)


def test_netsat_is_unscored_where_a_criterion_is() -> None:
    assert net_satisfaction({"s1": 10, "d1": 2.5}, BOTH.criteria) == 7.5
    assert net_satisfaction({"s1": 10}, BOTH.criteria) is None


def test_a_set_knows_when_its_words_changed_since_its_threshold_was_learnt() -> None:
    learnt = replace(BOTH, labelling=Labelling(1.5, wording=BOTH.wording))
    assert not learnt.edited
    assert replace(learnt, criteria=(GOOD,)).edited
    assert not BOTH.edited
    assert replace(BOTH, criteria=(BAD, GOOD)).wording != replace(BOTH, scale="numeric").wording
