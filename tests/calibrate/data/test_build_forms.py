from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.calibrate.conftest import answer_rows, make_table, rating_rows

from assize.base.errors import AssizeError, ConfigError, DataError
from assize.base.judgment import PREFERENCE, Judgment, Unscored
from assize.calibrate import features_of, forms_of
from assize.calibrate._data.forms import NO_ANSWER, Forms
from assize.judgments import JudgmentTable

RATINGS = rating_rows()


def rated(item: str, rater: str, answer: str | None = "2", **more: Any) -> Judgment:
    return Judgment(item, rater, "Q0", answer=answer, **more)


def join(rows: list[Judgment], target: str = "Q0", **how: Any) -> Forms:
    """Ratings beside a model's answers about twelve items."""
    return forms_of(features_of(make_table(answer_rows())), make_table(rows), target, **how)


def test_a_form_holds_one_raters_answers_about_one_item() -> None:
    found = join(
        [Judgment("i3", "ann", "Q1", answer="4"), rated("i3", "ann"), rated("i5", "bob", "1")]
    )
    assert found.answers.tolist() == [[1, 3], [0, NO_ANSWER]]
    assert [found.features.units[item][0] for item in found.item] == ["i3", "i5"]
    assert [found.raters[rater] for rater in found.rater] == ["ann", "bob"]
    assert found.values.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("more", "left_out"),
    [
        ([rated("i1", "eve", "NA")], {"not_applicable": 1}),
        ([rated("i1", "eve", None, unscored=Unscored("missing"))], {"unscored": 1}),
        ([replace(RATINGS[0], repeat=1), replace(RATINGS[1], repeat=1)], {"duplicates": 1}),
        (RATINGS[:2], {"duplicates": 1}),
        ([rated("elsewhere", "eve")], {"unmatched": {"elsewhere": 1}}),
    ],
)
def test_what_does_not_enter_is_counted(more: list[Judgment], left_out: dict[str, Any]) -> None:
    whole, found = join(RATINGS), join(RATINGS + more)
    assert len(found) == len(whole) + ("duplicates" in left_out)
    assert found.raters == ("ann", "bob")
    names = ("not_applicable", "unscored", "duplicates", "unmatched")
    counted = {name: getattr(found, name) for name in names}
    assert {name: count for name, count in counted.items() if count} == left_out


def test_the_target_is_known_in_any_spelling_and_a_mistyped_one_has_a_hint() -> None:
    assert join(RATINGS, "q0").target.id == "Q0"
    with pytest.raises(ConfigError, match="nobody was asked 'Q00'; did you mean 'Q0'"):
        join(RATINGS, "Q00")


def test_a_rater_with_one_rating_is_kept() -> None:
    assert "once" in join([*RATINGS, rated("i0", "once")]).raters


def test_a_score_on_the_scale_is_an_answer() -> None:
    assert join([rated("i0", "ann", None, score=3.0)]).y.tolist() == [2]


def test_groups_of_raters_are_one() -> None:
    people = [rated("i1", "ann"), rated("i1", "bob"), rated("i1", "cyd")]
    found = join(people, groups={"ann": "crowd", "bob": "crowd"})
    assert found.raters == ("crowd", "cyd")
    assert found.rater.tolist() == [0, 0, 1]
    assert found.duplicates == 0  # two people, not one twice


def test_trusted_raters_come_first() -> None:
    rows = [rated(f"i{n}", judge) for n, judge in enumerate(("ann", "bob", "cyd", "bob"))]
    found = join(rows, trusted=["bob"])
    assert found.raters == ("bob", "ann", "cyd")
    assert found.trusted == ("bob",)
    assert found.by_helper.tolist() == [True, False, True, False]
    assert join(rows).by_helper.sum() == 0


def sampled(*shares: object) -> Any:
    return join([rated(f"i{n}", "ann", details={"sampled": one}) for n, one in enumerate(shares)])


def test_ratings_that_stand_for_others_weigh_more() -> None:
    weighted, marked = sampled(1.0, 0.1, 0.5), sampled(1.0, True)
    assert weighted.weight.tolist() == [1, 10, 2]
    assert weighted.thinned is marked.weight is None
    assert marked.thinned.tolist() == [False, True]
    assert marked.take([1]).thinned.tolist() == [True]
    for bad in (0, -1, 1.5, "all", False):
        with pytest.raises(DataError, match="expected the share of such ratings"):
            sampled(1.0, bad)
    with pytest.raises(DataError, match="nothing tells what was left out"):
        sampled(True, True)


ANN = [rated("i0", "ann")]


@pytest.mark.parametrize(
    ("rows", "how", "message"),
    [
        ([rated("i0", "ann", "5")], {}, r"item 'i0', judge 'ann'.*'5' is none of 1, 2, 3, 4, NA"),
        ([rated("i0", "ann", None, score=2.5)], {}, r"answer 2\.5 is none of"),
        ([rated("i0", "ann", "NA")], {}, "every rating of 'Q0' is NA or missing"),
        ([rated("x", "ann")], {}, r"one is of 'x'\): check the ids"),
        ([rated("i0", "1", anonymous=True)], {}, "a position and not a person"),
        (ANN, {"target": "Q7"}, "nobody was asked 'Q7'; the ratings answer Q0"),
        (ANN, {"groups": {"eve": "crowd"}}, "rater 'eve' of group 'crowd' rated nothing"),
        ([*ANN, rated("i1", "cyd")], {"groups": {"ann": "cyd"}}, "'cyd' is a rater already"),
        (RATINGS, {"trusted": ["eve"]}, "trusted rater 'eve' rated nothing; raters are ann"),
        (RATINGS, {"trusted": []}, "nobody is trusted; name one or more of ann"),
        (RATINGS, {"preferences": "better"}, "nobody was asked 'better'"),
        (RATINGS, {"preferences": "Q1"}, "'Q1' is not a preference"),
    ],
)
def test_what_cannot_be_joined_is_refused(
    rows: list[Judgment], how: dict[str, Any], message: str
) -> None:
    with pytest.raises(AssizeError, match=message) as caught:
        join(rows, **how)
    assert isinstance(caught.value, ConfigError if how else DataError)


def test_a_choice_that_says_it_was_sampled_is_refused() -> None:
    sides = {"a": "i0", "b": "i1"}
    rows = [
        Judgment("p", "ann", "better", answer="A", details=sides),
        Judgment("q", "ann", "better", answer="B", details=sides | {"sampled": 0.1}),
    ]
    features = features_of(make_table(answer_rows()))
    choices = JudgmentTable.of(rows, [replace(PREFERENCE, id="better")])
    with pytest.raises(DataError, match="`sampled` is of ratings, and this is a choice"):
        forms_of(features, choices, "better")
