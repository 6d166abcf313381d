from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment, Unscored
from assize.calibrate import features_of, forms_of
from assize.calibrate._data.forms import NO_ANSWER, Forms
from assize.judgments import JudgmentTable

Table = Callable[[list[Judgment]], JudgmentTable]


@pytest.fixture
def join(table: Table, answers: list[Judgment]) -> Callable[[list[Judgment]], Forms]:
    features = features_of(table(answers))
    return lambda rows: forms_of(features, table(rows), "Q0")


Join = Callable[[list[Judgment]], Forms]


def test_a_form_holds_one_raters_answers_about_one_item(join: Join) -> None:
    found = join(
        [
            Judgment("i3", "ann", "Q1", answer="4"),
            Judgment("i3", "ann", "Q0", answer="2"),
            Judgment("i5", "bob", "Q0", answer="1"),
        ]
    )
    assert found.answers.tolist() == [[1, 3], [0, NO_ANSWER]]
    assert [found.features.units[item][0] for item in found.item] == ["i3", "i5"]
    assert [found.raters[rater] for rater in found.rater] == ["ann", "bob"]
    assert found.values.tolist() == [2, 1]


def test_na_and_missing_are_left_out_and_counted(join: Join, ratings: list[Judgment]) -> None:
    more = [
        Judgment("i1", "eve", "Q0", answer="NA"),
        Judgment("i1", "eve", "Q1", unscored=Unscored("missing")),
    ]
    found = join(ratings + more)
    assert len(found) == len(join(ratings))
    assert (found.not_applicable, found.unscored) == (1, 1)
    assert "eve" not in found.raters


def test_a_second_form_is_kept_and_counted(join: Join, ratings: list[Judgment]) -> None:
    again = [replace(row, repeat=1) for row in ratings[:2]]
    found = join(ratings + again)
    assert (len(found), found.duplicates) == (25, 1)
    assert (len(join(ratings + ratings[:2])), join(ratings + ratings[:2]).duplicates) == (25, 1)


def test_items_without_answers_are_counted(join: Join, ratings: list[Judgment]) -> None:
    found = join([*ratings, Judgment("elsewhere", "ann", "Q0", answer="1")])
    assert found.unmatched == {"elsewhere": 1}
    assert len(found) == len(join(ratings))


def test_a_rater_with_one_rating_is_kept(join: Join, ratings: list[Judgment]) -> None:
    found = join([*ratings, Judgment("i0", "once", "Q0", answer="3")])
    assert "once" in found.raters


def test_an_answer_outside_the_scale_is_refused_with_its_place(join: Join) -> None:
    with pytest.raises(DataError, match=r"item 'i0', judge 'ann'.*'5' is none of 1, 2, 3, 4, NA"):
        join([Judgment("i0", "ann", "Q0", answer="5")])


def test_a_score_on_the_scale_is_an_answer_and_another_is_refused(join: Join) -> None:
    assert join([Judgment("i0", "ann", "Q0", score=3.0)]).y.tolist() == [2]
    with pytest.raises(DataError, match=r"answer 2\.5 is none of"):
        join([Judgment("i0", "ann", "Q0", score=2.5)])


def test_an_unknown_question_names_those_there_are(table: Table, answers: list[Judgment]) -> None:
    rows = [Judgment("i0", "ann", "Q0", answer="1")]
    with pytest.raises(ConfigError, match="nobody was asked 'Q7'; the ratings answer Q0"):
        forms_of(features_of(table(answers)), table(rows), "Q7")


def test_all_na_is_an_error(join: Join) -> None:
    with pytest.raises(DataError, match="every rating of 'Q0' is NA or missing"):
        join([Judgment("i0", "ann", "Q0", answer="NA")])


def test_no_item_in_common_is_an_error(join: Join) -> None:
    with pytest.raises(DataError, match=r"one is of 'x'\): check the ids"):
        join([Judgment("x", "ann", "Q0", answer="1")])


def test_an_anonymous_rater_is_refused(join: Join) -> None:
    with pytest.raises(DataError, match="a position and not a person"):
        join([Judgment("i0", "1", "Q0", answer="1", anonymous=True)])


def test_another_target_comes_first(join: Join, ratings: list[Judgment]) -> None:
    found = join(ratings)
    other = found.with_target("Q1")
    assert other.target.id == "Q1"
    assert np.array_equal(other.answers, found.answers[:, ::-1])
    with pytest.raises(ConfigError, match="'Q9'"):
        found.with_target("Q9")


def test_groups_of_raters_are_one(table: Table, answers: list[Judgment]) -> None:
    features = features_of(table(answers))
    rows = [
        Judgment("i1", judge, "Q0", answer=answer, kind="person")
        for judge, answer in (("ann", "1"), ("bob", "3"), ("cyd", "4"))
    ]
    found = forms_of(features, table(rows), "Q0", groups={"ann": "crowd", "bob": "crowd"})
    assert found.raters == ("crowd", "cyd")
    assert found.rater.tolist() == [0, 0, 1]
    assert found.duplicates == 0  # two people, not one twice
    with pytest.raises(ConfigError, match="rater 'eve' of group 'crowd' rated nothing"):
        forms_of(features, table(rows), "Q0", groups={"eve": "crowd"})
    with pytest.raises(ConfigError, match="'cyd' is a rater already"):
        forms_of(features, table(rows), "Q0", groups={"ann": "cyd"})


def test_trusted_raters_come_first(table: Table, answers: list[Judgment]) -> None:
    features = features_of(table(answers))
    rows = [
        Judgment(f"i{n}", judge, "Q0", answer="2", kind="person")
        for n, judge in enumerate(("ann", "bob", "cyd", "bob"))
    ]
    found = forms_of(features, table(rows), "Q0", trusted=["bob"])
    assert found.raters == ("bob", "ann", "cyd")
    assert found.trusted == ("bob",)
    assert found.by_helper.tolist() == [True, False, True, False]
    assert forms_of(features, table(rows), "Q0").by_helper.sum() == 0
    with pytest.raises(ConfigError, match="trusted rater 'eve' rated nothing; raters are ann"):
        forms_of(features, table(rows), "Q0", trusted=["eve"])


def test_ratings_that_stand_for_others_weigh_more(table: Table, answers: list[Judgment]) -> None:
    features = features_of(table(answers))

    def joined(*sampled: object) -> Forms:
        rows = [
            Judgment(f"i{n}", "ann", "Q0", answer="2", kind="person", details={"sampled": share})
            for n, share in enumerate(sampled)
        ]
        return forms_of(features, table(rows), "Q0")

    found = joined(1.0, 0.1, 0.5)
    assert found.weight is not None
    assert found.weight.tolist() == [1, 10, 2]
    assert found.thinned is None
    found = joined(1.0, True)
    assert found.thinned is not None
    assert found.thinned.tolist() == [False, True]
    assert found.weight is None
    assert found.take([1]).thinned.tolist() == [True]  # type: ignore[union-attr]
    for bad in (0, -1, 1.5, "all", False):
        with pytest.raises(DataError, match="expected the share of such ratings"):
            joined(1.0, bad)
    with pytest.raises(DataError, match="nothing tells what was left out"):
        joined(True, True)


def test_preferences_must_be_asked_and_be_preferences(
    table: Table, answers: list[Judgment], ratings: list[Judgment]
) -> None:
    features = features_of(table(answers))
    with pytest.raises(ConfigError, match="nobody was asked 'better'"):
        forms_of(features, table(ratings), "Q0", preferences="better")
    with pytest.raises(ConfigError, match="'Q1' is not a preference"):
        forms_of(features, table(ratings), "Q0", preferences="Q1")


def test_a_choice_that_says_it_was_sampled_is_refused(
    table: Table, answers: list[Judgment]
) -> None:
    sides = {"a": "i0", "b": "i1"}
    rows = [
        Judgment("p", "ann", "better", answer="A", details=sides),
        Judgment("q", "ann", "better", answer="B", details=sides | {"sampled": 0.1}),
    ]
    features = features_of(table(answers))
    choices = JudgmentTable.of(rows, [replace(PREFERENCE, id="better")])
    with pytest.raises(DataError, match="`sampled` is of ratings, and this is a choice"):
        forms_of(features, choices, "better")


def test_nobody_trusted_is_refused(
    table: Table, answers: list[Judgment], ratings: list[Judgment]
) -> None:
    with pytest.raises(ConfigError, match="nobody is trusted; name one or more of ann"):
        forms_of(features_of(table(answers)), table(ratings), "Q0", trusted=[])
