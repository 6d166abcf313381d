"""Acts and maxims held to a reference, counted by hand."""

from __future__ import annotations

from typing import Any

import pytest
from acts_voted import ISO, PAIR, Q, T, held, ours, row

import assize
from assize.acts._agreement import (
    ERRORS,
    ActsAgreement,
    MaximPair,
    TurnPair,
    commonest_difference,
    commonest_error,
    compare_labels,
    function_rows,
    harshness,
    labels_of,
    maxim_rows,
    turn_rows,
)
from assize.acts._maxims import MAXIMS

ITEMS = {name: PAIR.__class__(name, PAIR.context, PAIR.a, PAIR.b) for name in ("p", "q")}


def turn(gold: str, judge: str, item: str = "p", speaker: str = "user") -> TurnPair:
    return TurnPair(item, speaker, frozenset(gold.split()), frozenset(judge.split()))


@pytest.mark.parametrize(
    ("gold", "judge", "errors"),
    [
        ("Inform", "Inform", (0, 0, 0)),
        ("Inform Answer", "Inform", (1, 0, 0)),
        ("Inform", "Answer", (0, 1, 0)),  # one in place of the other
        ("Inform", "Inform Answer", (0, 0, 1)),
        ("Inform Answer", "Offer", (1, 1, 0)),
        ("", "Offer Inform", (0, 0, 2)),
    ],
)
def test_functions_are_missing_wrong_or_invented(
    gold: str, judge: str, errors: tuple[int, int, int]
) -> None:
    found = turn(gold, judge)
    assert tuple(found.errors[name] for name in ERRORS) == errors
    assert found.right == (not any(errors))


def test_a_turn_is_right_where_its_functions_are_the_same() -> None:
    turns = [
        turn("Inform", "Inform"),
        turn("Inform Answer", "Inform"),
        turn("Offer", "Made-Up", item="q", speaker="response"),
        turn("Offer", "Offer", item="q", speaker="response"),
    ]
    rows = {row.what: row for row in turn_rows("da@m", turns)}
    for whose, n in (("all turns", 4), ("user", 2), ("response", 2)):
        assert (rows[f"right, {whose}"].share.estimate, rows[f"right, {whose}"].share.n) == (0.5, n)
    assert [rows[words].functions for words in ERRORS.values()] == [1, 1, 0]
    by_name = {row.function: row for row in function_rows("da@m", turns)}
    for name, counts in (("Inform", (2, 2, 2)), ("Offer", (2, 1, 1))):
        assert (by_name[name].gold, by_name[name].by_judge, by_name[name].both) == counts


def test_the_papers_own_check_is_a_share_of_turns_and_one_of_labels() -> None:
    # AMULET, section 3: 84% of 194 turns, most errors being missing functions; 96% of 84 labels
    turns = [turn("Inform", "Inform") for _ in range(163)]
    turns += [turn("Inform Answer", "Inform") for _ in range(31)]
    right, *_ = turn_rows("da@m", turns)
    assert round(100 * right.share.estimate) == 84
    assert list(commonest_error(turns)) == ["The commonest error: a function is missing."]
    labels = [MaximPair(str(at), "Quality", "both", "both") for at in range(81)]
    labels += [MaximPair(str(at), "Quality", "both", "A") for at in range(3)]
    agreed, *_ = maxim_rows("maxim@m", labels)
    assert round(100 * agreed.share.estimate) == 96
    assert list(commonest_difference(labels)) == ["Most often the judge is too harsh."]


def test_without_errors_there_is_no_commonest_one() -> None:
    assert not list(commonest_error([turn("Inform", "Inform")]))
    assert not list(commonest_difference([MaximPair("p", "Quality", "A", "A")]))


@pytest.mark.parametrize(
    ("gold", "judge", "how"),
    [
        ("both", "neither", "too harsh"),
        ("A", "neither", "too harsh"),
        ("A", "both", "too mild"),
        ("neither", "both", "too mild"),
        ("B", "A", "other"),
    ],
)
def test_a_judge_is_too_harsh_where_it_lets_fewer_responses_pass(
    gold: str, judge: str, how: str
) -> None:
    assert harshness(gold, judge) == how


def test_kappa_is_over_all_labels_and_over_those_of_a_maxim() -> None:
    said = [("p", "Quality", "A", "A"), ("q", "Quality", "B", "A"), ("p", "Manner-1", "B", "B")]
    every: Any
    quality: Any
    every, *_, quality, manner = maxim_rows("maxim@m", [MaximPair(*label) for label in said])
    assert (quality.maxim, manner.maxim) == ("Quality", "Manner-1")
    assert every.share.estimate == pytest.approx(2 / 3)
    assert quality.kappa.estimate == 0  # the judge says A of both
    assert every.kappa.estimate == pytest.approx(0.4)  # chance: 1/3 * 2/3 + 2/3 * 1/3 = 4/9


def test_a_turn_that_was_not_looked_at_is_no_turn_and_neither_is_a_maxim() -> None:
    person = {**ours([Q], None, [Q], a=[T], b=None), "maxims": {"Quality": "A", "Manner-1": "?"}}
    every = {**ours([Q], [T], [T], a=[T], b=[Q]), "maxims": dict.fromkeys(MAXIMS, "A")}
    rows = [row("anna", person, order=None, kind="person"), row("da@m", every)]
    gold, judge = (labels_of(rows, ITEMS, name, ISO) for name in ("anna", "da@m"))
    found = compare_labels("anna", gold, {"da@m": judge}, {"da@m": ISO})
    assert (found.turns[0].share.n, found.turns[0].share.count) == (3, 2)
    assert (found.maxims[0].share.n, found.maxims[0].share.estimate) == (1, 1)


def test_a_person_may_give_acts_and_maxims_in_two_judgments() -> None:
    acts, maxims = ours([Q], [T], [Q], a=[T], b=[Q]), {"maxims": {"Quality": "A"}}
    rows = [row("anna", maxims, order=None), row("anna", acts, order=None)]
    found = labels_of(rows, ITEMS, "anna", ISO)
    assert (set(found.turns), set(found.maxims), found.invalid) == ({"p"}, {"p"}, frozenset())


def test_the_first_vote_counts_and_what_holds_no_labels_is_told() -> None:
    first, second = ours([Q], [T], [Q], a=[T], b=[Q]), ours([T], [T], [T], a=[T], b=[Q])
    rows: list[Any] = [
        row("da@m", second, order="BA"),
        row("da@m", first),
        row("da@m", None, item="q"),
    ]
    found = labels_of(rows, ITEMS, "da@m", ISO)
    assert found.turns["p"][0] == ("user", frozenset({"Set Question"}))
    assert found.invalid == {"q"}


def held_to(*judges: str, **maxims: str) -> ActsAgreement:
    details = {**ours([Q], [T], [Q], a=[T], b=[Q]), "maxims": {**held(better=2, both=2), **maxims}}
    judged: dict[str, Any] = {**ours([T], [T], [Q], a=[T], b=[Q]), "maxims": held(better=2, both=2)}
    rows = [row("anna", details, order=None, kind="person")]
    return assize.acts.agree([*rows, *(row(name, judged) for name in judges)], items=[PAIR])


def test_turns_functions_and_maxims_have_a_table_each() -> None:
    found = held_to("both@m", Quality="neither")
    assert list(found.tables) == ["turns", "functions", "maxims"]
    (asks,) = [one for one in found.functions if one.function == "Set Question"]
    assert (asks.gold, asks.by_judge, asks.both, asks.missing, asks.invented) == (3, 2, 2, 1, 0)
    assert found.maxims[0].share.count == 11
    assert {one.maxim: one.share.count for one in found.maxims[1:4]} == {
        "the judge too harsh": 0,
        "the judge too mild": 1,
        "the judge names the other response": 0,
    }
    assert list(found.tables["maxims"].notes) == [
        "both@m held to anna: 12 labels of 1 items.",
        "Most often the judge is too mild.",
    ]
    several = held_to("x@m", "y@m").tables
    assert len(several) == 3
    assert list(dict.fromkeys(cells[0] for cells in several["turns"].rows)) == ["x@m", "y@m"]
