"""Cascades: who is read, who decides, and what is left where nobody does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.juries.conftest import SAID

from assize.judgments import JudgmentTable
from assize.juries import Ballot, gather
from assize.juries.cascade import cascade, closed

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
