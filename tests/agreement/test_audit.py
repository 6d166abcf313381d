"""The audits of one judge: which are made, of which rows, by hand where that is short."""

from __future__ import annotations

import numpy as np
import pytest

from assize.agreement import AgreeOptions, facts_of, find
from assize.agreement.audit import audit
from assize.agreement.columns import columns
from assize.conversation import Conversation, Turn
from assize.judgment import PREFERENCE, Judgment, Order, Unscored
from assize.judgments import JudgmentTable

from .conftest import RATING, pairs_table, ratings


def votes(said: dict[str, str], repeat: int = 0) -> list[Judgment]:
    """Of judge `j`: item -> one letter for order AB and one for BA; x is unscored."""
    orders: tuple[Order, Order] = ("AB", "BA")
    return [
        Judgment(
            item,
            "j",
            "preference",
            answer=None if letter == "x" else letter,
            order=order,
            repeat=repeat,
            kind="model",
            unscored=Unscored("refused") if letter == "x" else None,
        )
        for item, letters in said.items()
        for order, letter in zip(orders, letters, strict=True)
    ]


def test_every_audit_is_made_where_the_data_allow_it() -> None:
    table, items = pairs_table()
    asked = AgreeOptions(audit=True, own={"io@m": "m"}, subgroup="set", cluster="set")
    (audit,) = find(table, "preference", asked, facts_of(items)).audits
    assert audit.position is not None
    assert audit.position.direction.interval[0] > 0.2
    assert audit.position.direction.clusters == 9
    assert audit.repeats is not None
    assert audit.repeats.agreement.n == 120
    assert audit.own is not None
    assert audit.own.excess.n == 60
    assert list(audit.unscored) == ["all"]
    (bare,) = find(table, "preference", AgreeOptions(audit=True), {}).audits
    assert (bare.length, bare.own) == (None, None)
    assert bare.position is not None


def test_length_and_own_scores_of_ratings_are_audited() -> None:
    table, _ = ratings()
    items = [
        Conversation(f"i{at}", (Turn("assistant", "x" * (1 + at % 7)),), system="ab"[at % 2])
        for at in range(80)
    ]
    asked = AgreeOptions(gold="people", audit=True, own={"m1": "a"})
    audits = {one.judge: one for one in find(table, "q", asked, facts_of(items)).audits}
    assert set(audits) == {"m1", "m2"}
    assert audits["m1"].length is not None
    assert not np.isnan(audits["m1"].length.at_equal_gold.estimate)
    assert audits["m1"].own is not None
    assert audits["m2"].own is None
    assert list(audits["m1"].unscored) == ["all", "a", "b"]
    assert audits["m1"].unscored["a"].count == 1


def test_a_judge_who_changes_with_the_order_favours_the_place_that_it_takes() -> None:
    # p0 and p1: the response shown first, p2: the one shown last, p3: no matter the order
    table = JudgmentTable.of(votes({"p0": "AB", "p1": "AB", "p2": "BA", "p3": "AA"}), [PREFERENCE])
    found = audit(table, columns(table, "preference"), "j", {}).position
    assert found is not None
    assert found.direction.n == 4
    # first, first, last, first and last: (1 + 1 - 1 + 0) / 4
    assert found.direction.estimate == pytest.approx(0.25)


def test_a_judge_who_saw_one_order_alone_has_no_position_to_audit() -> None:
    rows = [row for row in votes({f"p{n}": "AB" for n in range(12)}) if row.order == "AB"]
    table = JudgmentTable.of(rows, [PREFERENCE])
    assert audit(table, columns(table, "preference"), "j", {}).position is None


def test_repeats_are_compared_within_one_order() -> None:
    # p0 in AB: A twice, in BA: A then B; p1: B twice in both orders: 3 of 4 pairs of answers
    rows = votes({"p0": "AA", "p1": "BB"}) + votes({"p0": "AB", "p1": "BB"}, repeat=1)
    table = JudgmentTable.of(rows, [PREFERENCE])
    found = audit(table, columns(table, "preference"), "j", {}).repeats
    assert found is not None
    assert (found.agreement.estimate, found.agreement.n) == (0.75, 4)


def test_without_repeats_there_is_no_self_consistency() -> None:
    table = JudgmentTable.of(votes({"p0": "AA", "p1": "BB"}), [PREFERENCE])
    assert audit(table, columns(table, "preference"), "j", {}).repeats is None


def rated(lost: set[int], n: int = 8) -> tuple[JudgmentTable, list[Conversation]]:
    """Ratings by `j` of answers by the systems a and b in turn, the first six of them early."""
    rows = [
        Judgment(f"i{at}", "j", "q", unscored=Unscored("timeout"), kind="model")
        if at in lost
        else Judgment(f"i{at}", "j", "q", answer=str(1 + at % 5), kind="model")
        for at in range(n)
    ]
    items = [
        Conversation(
            f"i{at}",
            (Turn("assistant", "x" * (at + 1)),),
            system="ab"[at % 2],
            metadata={"set": "late" if at >= 6 else "early"},
        )
        for at in range(n)
    ]
    return JudgmentTable.of(rows, [RATING]), items


@pytest.mark.parametrize(
    ("subgroup", "shares"),
    [
        # i1, i3 and i7 are lost, all by b: 3 of 8, none of 4, 3 of 4
        ("system", {"all": 3 / 8, "a": 0, "b": 3 / 4}),
        # two of the six early ones, one of the two late ones
        ("set", {"all": 3 / 8, "early": 2 / 6, "late": 1 / 2}),
    ],
)
def test_unscored_rows_are_counted_by_a_field_of_the_items(
    subgroup: str, shares: dict[str, float]
) -> None:
    table, items = rated({1, 3, 7})
    found = audit(table, columns(table, "q"), "j", facts_of(items), subgroup=subgroup).unscored
    assert {name: one.estimate for name, one in found.items()} == pytest.approx(shares)


def test_without_an_unscored_row_there_is_one_share_of_0() -> None:
    table, items = rated(set())
    found = audit(table, columns(table, "q"), "j", facts_of(items)).unscored
    assert {name: one.estimate for name, one in found.items()} == {"all": 0}


def test_fewer_than_ten_units_say_nothing_of_length() -> None:
    made = []
    for n in (9, 10):
        table, items = rated(set(), n)
        made.append(audit(table, columns(table, "q"), "j", facts_of(items)).length is not None)
    assert made == [False, True]


def test_a_system_that_is_in_no_item_has_no_scores_of_its_own() -> None:
    table, items = rated(set())
    found = columns(table, "q")
    assert audit(table, found, "j", facts_of(items), own="elsewhere").own is None
    assert audit(table, found, "j", facts_of(items), own="a").own is not None
