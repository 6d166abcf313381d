"""The audits of one judge: which are made, of which rows, by hand where that is short."""

from __future__ import annotations

from typing import Any

import pytest
from tests.agreement.conftest import RATING, pairs_table, ratings
from tests.simulate.voted_pairs import order_votes

from assize.agreement import AgreeOptions, Audit, measure_agreement
from assize.base.conversation import Conversation, Turn
from assize.base.judgment import PREFERENCE, Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.judgments.item_fields import Facts, facts_of
from assize.stats import Estimate
from assize.stats._statistics import StatisticsSettings

USUAL = Audit()


def audit(
    table: JudgmentTable,
    judge: str,
    facts: dict[str, Facts] | None = None,
    audits: Audit = USUAL,
    **options: Any,
) -> dict[str, Estimate]:
    """The figures of a judge's audits, by name."""
    asked = AgreeOptions(audit=audits, **options)
    found = measure_agreement(table, table.asked, asked, facts)
    return {row.audit: row.estimate for row in found.audits if row.judge == judge}


def votes(said: dict[str, str], repeat: int = 0) -> list[Judgment]:
    """Of judge `j`: item -> one letter for order AB and one for BA."""
    letters = {item: {"j": both} for item, both in said.items()}
    return order_votes(letters, "preference", kind="model", repeat=repeat)


def test_every_audit_is_made_where_the_data_allow_it() -> None:
    table, items = pairs_table()
    sets = StatisticsSettings(cluster="set")
    own = Audit({"io@m": "m"}, "set")
    found = audit(table, "io@m", facts_of(items), own, statistics=sets)
    assert found["pull to the first shown"].interval[0] > 0.2
    assert found["pull to the first shown"].clusters == 9
    assert found["agreement over repeats"].n == 120
    assert found["excess over gold"].n == 60
    assert [name for name in found if name.startswith("unscored")] == ["unscored, all"]
    bare = audit(table, "io@m")
    assert "correlation with length" not in bare
    assert "advantage of its own" not in bare
    assert "pull to the first shown" in bare


def test_length_and_own_scores_of_ratings_are_audited() -> None:
    table, _ = ratings()
    items = [
        Conversation(f"i{at}", (Turn("assistant", "x" * (1 + at % 7)),), system="ab"[at % 2])
        for at in range(80)
    ]
    own = Audit({"m1": "a"})
    options = AgreeOptions(gold="people", audit=own)
    found = measure_agreement(table, ["q"], options, facts_of(items)).audits
    assert {row.judge for row in found} == {"m1", "m2"}
    first, second = (
        audit(table, name, facts_of(items), own, gold="people") for name in ("m1", "m2")
    )
    assert "with length, at equal gold" in first
    assert "advantage of its own" in first
    assert "advantage of its own" not in second
    assert [name for name in first if name.startswith("unscored")] == [
        "unscored, all",
        "unscored, a",
        "unscored, b",
    ]
    assert round(first["unscored, a"].estimate * first["unscored, a"].n) == 1


def test_a_judge_who_changes_with_the_order_favours_the_place_that_it_takes() -> None:
    # p0 and p1: the response shown first, p2: the one shown last, p3: no matter the order
    table = JudgmentTable.of(votes({"p0": "AB", "p1": "AB", "p2": "BA", "p3": "AA"}), [PREFERENCE])
    found = audit(table, "j")["pull to the first shown"]
    # first, first, last, first and last: (1 + 1 - 1 + 0) / 4
    assert found.n == 4
    assert found.estimate == pytest.approx(0.25)


def test_a_judge_who_saw_one_order_alone_has_no_position_to_audit() -> None:
    rows = [row for row in votes({f"p{n}": "AB" for n in range(12)}) if row.order == "AB"]
    table = JudgmentTable.of(rows, [PREFERENCE])
    assert list(audit(table, "j")) == ["unscored, all"]
    options = AgreeOptions(audit=USUAL)
    notes = measure_agreement(table, table.asked, options).table_notes["audits"]
    assert notes == ["Position: the votes of j are not of both orders (`order`)."]


def test_a_judge_who_saw_both_orders_needs_no_note_on_position() -> None:
    table = JudgmentTable.of(votes({f"i{n}": "AB" for n in range(12)}), [PREFERENCE])
    found = measure_agreement(table, table.asked, AgreeOptions(audit=USUAL))
    assert not [note for note in found.table_notes["audits"] if "Position" in note]


def test_repeats_are_compared_within_one_order() -> None:
    # p0 in AB: A twice, in BA: A then B; p1: B twice in both orders: 3 of 4 pairs of answers
    rows = votes({"p0": "AA", "p1": "BB"}) + votes({"p0": "AB", "p1": "BB"}, repeat=1)
    table = JudgmentTable.of(rows, [PREFERENCE])
    found = audit(table, "j")["agreement over repeats"]
    assert (found.estimate, found.n) == (0.75, 4)


def test_without_repeats_there_is_no_self_consistency() -> None:
    table = JudgmentTable.of(votes({"p0": "AA", "p1": "BB"}), [PREFERENCE])
    assert "agreement over repeats" not in audit(table, "j")


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


def unscored(found: dict[str, Estimate]) -> dict[str, float]:
    """The shares of unscored rows, by group."""
    start = "unscored, "
    return {name[len(start) :]: one.estimate for name, one in found.items() if start in name}


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
    found = audit(table, "j", facts_of(items), Audit(subgroup=subgroup))
    assert unscored(found) == pytest.approx(shares)


def test_fewer_than_ten_units_say_nothing_of_length() -> None:
    made = []
    for n in (9, 10):
        table, items = rated(set(), n)
        made.append("correlation with length" in audit(table, "j", facts_of(items)))
    assert made == [False, True]


def test_a_system_that_is_in_no_item_has_no_scores_of_its_own() -> None:
    table, items = rated(set())
    for own, there in (("elsewhere", False), ("a", True)):
        found = audit(table, "j", facts_of(items), Audit({"j": own}))
        assert ("advantage of its own" in found) is there
