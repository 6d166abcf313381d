"""What a jury comes to on one item: by a cascade, by a panel, and as a judgment."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.juries.conftest import SAID

from assize.base.errors import ConfigError
from assize.judgments import JudgmentTable
from assize.juries import Ballot, Cascade, Verdict, gather
from assize.juries.decide import decide
from assize.juries.rules import cascade, closed, identical_verdict, panel, result

Make = Callable[[dict[str, dict[str, str]]], JudgmentTable]
TIE, LOST = Ballot("x", (), "tie"), Ballot("y", (), None, "refused")


def test_a_tie_and_an_unscored_judge_pass_on(table: Make) -> None:
    ballots = gather(table(SAID), "preference")
    verdicts = [cascade(ballots, ("da", "maxim"), item) for item in SAID["da"]]
    assert [(one.answer, one.by) for one in verdicts] == [
        ("A", "da"),
        ("A", "maxim"),
        ("tie", None),
        (None, None),
        ("B", "da"),
    ]
    assert [one.path("A") for one in verdicts] == [
        "win",
        "tie-win",
        "tie-tie",
        "unscored-unscored",
        "loss",
    ]
    assert verdicts[3].reason == "refused"
    assert len(verdicts[0].ballots) == 1  # the next judge is not read


LETTERS = st.sampled_from(["AA", "BB", "AB", "tt", "Ax", "xx"])


@given(st.lists(st.tuples(LETTERS, LETTERS, LETTERS), min_size=1, max_size=12))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
def test_a_longer_cascade_never_unmakes_a_decision(
    table: Make, said: list[tuple[str, str, str]]
) -> None:
    judges = ("j0", "j1", "j2")
    rows = {
        judge: {f"p{n}": row[at] for n, row in enumerate(said)} for at, judge in enumerate(judges)
    }
    ballots = gather(table(rows), "preference")
    for item in ballots.items:
        shorter = cascade(ballots, judges[:2], item)
        longer = cascade(ballots, judges, item)
        if shorter.answer in ("A", "B"):
            assert (longer.answer, longer.by) == (shorter.answer, shorter.by)
        assert longer.path().startswith(shorter.path())


@pytest.mark.parametrize("read", [(TIE, LOST), (LOST, TIE)], ids=["tie first", "tie last"])
def test_one_tie_makes_an_undecided_item_a_tie_wherever_it_stands(
    read: tuple[Ballot, ...],
) -> None:
    found = closed("p", read)
    assert (found.answer, found.by, found.reason) == ("tie", None, None)


def test_without_any_tie_the_last_reason_is_told() -> None:
    found = closed("p", (Ballot("x", (), None, "timeout"), LOST))
    assert (found.answer, found.reason) == (None, "refused")


def test_a_judge_who_was_not_asked_passes_on(table: Make) -> None:
    ballots = gather(table({"x": {"q": "AA"}, "y": {"p": "BB"}}), "preference")
    found = cascade(ballots, ("x", "y"), "p")
    assert (found.answer, found.by, found.path()) == ("B", "y", "unscored-B")


PANEL = {
    "x": {"p1": "AA", "p2": "AA", "p3": "AA", "p4": "AB", "p5": "xx"},
    "y": {"p1": "AA", "p2": "BB", "p3": "xx", "p4": "AB", "p5": "Ax"},
    "z": {"p1": "AA", "p2": "BB", "p3": "BB", "p4": "BB", "p5": "xx"},
}


def test_the_majority_of_who_was_scored_wins(table: Make) -> None:
    ballots = gather(table(PANEL), "preference")
    found = [panel(ballots, dict.fromkeys("xyz", 1.0), item) for item in PANEL["x"]]
    assert [(one.answer, one.by) for one in found] == [
        ("A", "unanimous"),
        ("B", "majority"),
        ("tie", None),
        ("B", "majority"),
        (None, None),
    ]
    assert [one.weight for one in found[:4]] == [
        1.0,
        pytest.approx(1 / 3),
        0.0,
        pytest.approx(1 / 3),
    ]
    assert all(len(one.ballots) == 3 for one in found)


def test_a_heavy_judge_outvotes_two_light_ones(table: Make) -> None:
    ballots = gather(table(PANEL), "preference")
    assert panel(ballots, {"x": 2.5, "y": 1.0, "z": 1.0}, "p2").answer == "A"
    assert panel(ballots, {"x": 0.3, "y": 0.1, "z": 0.2}, "p2").answer == "tie"  # 0.1 + 0.2


def test_exchanged_sides_exchange_the_verdict(table: Make) -> None:
    mirror = str.maketrans("AB", "BA")
    swapped = {
        judge: {item: said.translate(mirror) for item, said in items.items()}
        for judge, items in PANEL.items()
    }
    one, other = gather(table(PANEL), "preference"), gather(table(swapped), "preference")
    for item in PANEL["x"]:
        answer = panel(one, dict.fromkeys("xyz", 1.0), item).answer
        mirrored = panel(other, dict.fromkeys("xyz", 1.0), item).answer
        assert mirrored == (answer.translate(mirror) if answer in ("A", "B") else answer)


def test_a_weight_of_zero_is_refused(table: Make) -> None:
    with pytest.raises(ConfigError, match="above 0"):
        panel(gather(table(PANEL), "preference"), {"x": 0.0}, "p1")


ORDERS = {"da": {"p1": "AA", "p2": "AB"}, "maxim": {"p1": "BB", "p2": "AA"}}


def test_a_verdict_as_a_judgment_holds_every_vote(table: Make) -> None:
    (row, *_) = decide(table(ORDERS), Cascade(("da", "maxim"))).judgments()
    assert (row.judge, row.answer) == ("jury:da > maxim", "A")
    assert row.details is not None
    assert row.details["by"] == "da"
    assert row.details["ballots"][0]["votes"][1] == {"order": "BA", "answer": "A"}


@pytest.mark.parametrize(
    ("answer", "gold", "expected"),
    [
        ("A", "A", "win"),
        ("A", "B", "loss"),
        ("tie", "A", "tie"),
        (None, "A", "unscored"),
        ("B", None, "B"),
        ("B", "tie", "B"),  # gold ties stand outside win and loss
        (None, None, "unscored"),
    ],
)
def test_an_answer_is_a_result_against_gold_and_itself_without(
    answer: str | None, gold: str | None, expected: str
) -> None:
    assert result(answer, gold) == expected
    assert Verdict("p", answer, None, ()).result(gold) == expected


@pytest.mark.parametrize(
    ("answer", "decided"), [("A", True), ("B", True), ("tie", False), (None, False)]
)
def test_a_side_is_decided_and_a_tie_is_not(answer: str | None, decided: bool) -> None:
    assert Verdict("p", answer, None, ()).decided is decided


def test_two_identical_responses_are_a_tie_that_nobody_was_asked_about() -> None:
    found = identical_verdict("p")
    assert (found.answer, found.by, found.ballots) == ("tie", "identical", ())
    assert found.path("A") == "identical"


@pytest.mark.parametrize(("reason", "told"), [("refused", "refused"), (None, "missing")])
def test_no_answer_is_an_unscored_judgment_with_its_reason(reason: str | None, told: str) -> None:
    row = Verdict("p", None, None, (), reason).to_judgment("jury:x", "preference", "abc")
    assert row.unscored is not None
    assert (row.answer, row.unscored.reason, row.signature) == (None, told, "abc")


def test_only_a_panel_s_judgment_has_a_weight() -> None:
    rows = [
        Verdict("p", "A", "majority", (), weight=weight).to_judgment("jury:x", "q", "abc")
        for weight in (0.5, None)
    ]
    assert [(row.details or {}).get("weight") for row in rows] == [0.5, None]
