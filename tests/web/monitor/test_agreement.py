from __future__ import annotations

import numpy as np
import pytest
from tests.web.monitor.simulated import CLEAR, KIND, PART, Rater, Study, answers, collect, crowd

from assize import stats
from assize.base.judgment import Judgment, Question
from assize.web._monitor.agreement import agreement, by_rater, confusion, parts
from assize.web._monitor.collected import Answered, Collected, Work


def held(study: Study) -> dict[str, bool]:
    found = collect(study)
    asked = [(one, parts(one)) for one in (found.answered(q.id) for q in study.questions)]
    return {name: one.stands_out for name, one in by_rater(asked, found.raters).items()}


def test_alpha_and_percent_are_those_of_stats() -> None:
    found = answers(
        {("i", "a"): "1", ("i", "b"): "2", ("j", "a"): "3", ("j", "b"): "3", ("k", "a"): "5"}
    )
    one = agreement(found.answered("clear"))
    rated = np.array([[1, 3], [2, 3]])
    assert one.alpha.estimate == pytest.approx(stats.alpha(rated, level="ordinal").estimate)
    assert (one.alpha.n, one.alpha.unscored) == (2, 1)
    assert one.percent is not None
    assert one.percent.estimate == 0.5
    assert one.bins is not None
    assert one.bins.perfect.count == 1


def test_how_many_of_the_raters_agree_by_hand() -> None:
    # Of five: i all, j four, k three and l three, where another two agree as well; m of two: both.
    said = {"i": "11111", "j": "11112", "k": "11123", "l": "11122", "m": "33"}
    rows = {(item, f"r{at}"): one for item, all_ in said.items() for at, one in enumerate(all_)}
    groups = agreement(answers(rows).answered("clear")).groups
    found = [(one.raters, one.largest, one.share.estimate, one.share.n) for one in groups]
    assert found == [(5, 5, 0.25, 4), (5, 4, 0.25, 4), (5, 3, 0.5, 4), (2, 2, 1.0, 1)]


def test_before_anybody_has_answered_there_is_a_reason() -> None:
    assert agreement(answers({}).answered("clear")).alpha.reason == "nobody has answered yet"


def test_free_text_has_no_agreement() -> None:
    asked = Question("why", kind="text")
    rows = [(Work(n, "i"), [Judgment("i", n, "why", answer="so")]) for n in "ab"]
    one = agreement(Collected.of(rows, [asked]).answered("why"))
    assert one.alpha.reason == "a free text has no agreement"


@pytest.mark.parametrize("asked", [CLEAR, PART, Question("n", kind="number", range=(0, 9))])
def test_the_mean_of_all_parts_is_alpha(asked: Question) -> None:
    rng = np.random.default_rng(3)
    offered = asked.answers or tuple("123456789")
    rows = {
        (f"i{item}", f"r{rater}"): str(rng.choice(offered))
        for item in range(30)
        for rater in range(5)
        if rng.random() < 0.6
    }
    found = answers(rows, asked).answered(asked.id)
    mean = np.nanmean(parts(found).own)
    assert mean == pytest.approx(agreement(found).alpha.estimate, abs=1e-12)


def test_parts_of_three_answers_by_hand() -> None:
    # Nominal: i has start, start, end; j has middle twice. Of 5 answers 2 start, 1 end, 2 middle:
    # 25 - 9 = 16 of 20 ordered pairs differ, so 0.8 is expected. Who said start differs from one of
    # two: 1 - 0.5 / 0.8. The others of who said end agree: 1.
    rows = {
        ("i", "a"): "start",
        ("i", "b"): "start",
        ("i", "c"): "end",
        ("j", "a"): "middle",
        ("j", "b"): "middle",
    }
    found = parts(answers(rows, PART).answered("part"))
    assert found.own.tolist() == pytest.approx([0.375, 0.375, -0.25, 1, 1])
    assert found.others[:3].tolist() == pytest.approx([-0.25, -0.25, 1])
    assert np.isnan(found.others[3:]).all()


def test_a_careless_rater_stands_out_and_nobody_else() -> None:
    found = held(Study(crowd(8, odd=Rater(careless=0.8))))
    assert [name for name, out in found.items() if out] == ["odd"]


def test_a_careless_rater_stands_out_where_items_have_two_raters() -> None:
    found = held(Study(crowd(8, odd=Rater(careless=0.9)), overlap=2, items=400))
    assert [name for name, out in found.items() if out] == ["odd"]


def test_raters_who_are_alike_seldom_stand_out() -> None:
    alarms = sum(
        any(held(Study(crowd(6), items=60, questions=(CLEAR,), seed=seed)).values())
        for seed in range(60)
    )
    assert alarms <= 8  # 5% of 60 is 3; 9 or more have a chance below 1 in 200


def test_a_few_items_let_nobody_stand_out() -> None:
    assert not any(held(Study(crowd(3, odd=Rater(always="1")), items=8)).values())


def test_what_a_rater_shares_with_nobody_has_no_agreement() -> None:
    found = answers({("i", "a"): "1", ("j", "b"): "2"})
    asked = found.answered("clear")
    one = by_rater([(asked, parts(asked))], found.raters)["a"]
    assert one.items == 0
    assert one.own.reason == "no values"


@pytest.fixture
def three() -> Answered:
    rows = {("i", "a"): "1", ("i", "b"): "2", ("i", "c"): "1", ("j", "a"): "3", ("j", "c"): "3"}
    return answers(rows).answered("clear")


def test_confusion_of_two_raters_counts_their_common_items(three: Answered) -> None:
    assert confusion(three, "a", "c") == {("1", "1"): 1, ("3", "3"): 1}
    assert confusion(three, "a", "b") == {("1", "2"): 1}


def test_confusion_with_the_rest_counts_every_other_answer(three: Answered) -> None:
    assert confusion(three, "a") == {("1", "1"): 1, ("1", "2"): 1, ("3", "3"): 1}


def test_who_is_not_there_is_confused_with_nobody(three: Answered) -> None:
    assert confusion(three, "z") == {}
    assert confusion(three, "a", "z") == {}


def test_questions_are_averaged_within_an_item() -> None:
    found = collect(Study(crowd(3), items=20))
    both = [found.answered(one.id) for one in (CLEAR, KIND)]
    one = by_rater([(one, parts(one)) for one in both], found.raters)["r0"]
    assert one.items == one.own.n == 20
