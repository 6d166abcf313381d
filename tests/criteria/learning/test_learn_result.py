"""How what was learnt prints, and what it tells."""

from __future__ import annotations

from pathlib import Path

from assize.criteria._criterion import CriteriaSet, Criterion, Merged
from assize.criteria._learning.learn_result import LearnCounts, LearnResult, UnscoredCalls
from assize.judging.usage_total import UsageTotal

GOOD = Criterion(
    "sat-1",
    "The assistant names the line.",
    "sat",
    "assistant",
    "Quantity",
    1,
    ("c1", "c2"),
    ("c1/1", "c2/1"),
    (Merged("sat-2", "It names the line."),),
)
BAD = Criterion("dsat-1", "The user repeats the question.", "dsat", "user", None, 1, ("c3",))
COUNTS = {
    "sat": LearnCounts(40, 1, 2, 90, 2, 1),
    "dsat": LearnCounts(12, patterns=30, criteria=1, pool=1),
}
UNSCORED = [UnscoredCalls("extract", "timeout", 1), UnscoredCalls("summarise", "parse", 2)]
SPENT = UsageTotal(60, 4, 1000, 200, 0.5, booked_usd=0.6)


def learnt(**more: object) -> LearnResult:
    given: dict[str, object] = {
        "pool": CriteriaSet("criteria", (GOOD, BAD)),
        "patterns": (),
        "counts": COUNTS,
        "unscored": UNSCORED,
        "calls": 64,
        "spent": SPENT,
        "out": Path("pool"),
    }
    return LearnResult(**{**given, **more})  # type: ignore[arg-type]


def test_it_prints_counts_and_criteria() -> None:
    found = learnt()
    assert list(found.tables) == ["counts", "unscored", "criteria"]
    assert (found.criteria[0].criterion, found.criteria[0].conversations) == (GOOD.text, 2)
    assert "The user repeats the question." in str(found)
    assert "1 criteria of satisfaction and 1 of dissatisfaction" in found.sentence


def test_criteria_that_most_conversations_speak_for_come_first() -> None:
    many = [
        Criterion(f"sat-{n}", f"It is {n}.", "sat", conversations=("c",) * n) for n in range(25)
    ]
    found = learnt(pool=CriteriaSet("criteria", tuple(many)))
    assert [row.conversations for row in found.criteria] == list(range(24, -1, -1))
    assert "5 further rows are not shown." in str(found.tables["criteria"])


def test_nothing_that_failed_is_passed_over() -> None:
    said = "\n".join([*learnt().news, *learnt(told=["sat: 3 of 90 patterns"]).notes])
    for part in (
        "3 calls have no answer; the same command asks again",
        "sat: 3 of 90 patterns",
        "$0.6000 booked in all",
    ):
        assert part in said
    assert learnt().missing == (3, 64)
    assert "chance" not in said


def test_its_json_has_all_criteria() -> None:
    value = learnt().to_json()
    assert [row["criterion"] for row in value["criteria"]] == [GOOD.text, BAD.text]
    assert value["counts"]["sat"]["unscored"] == 1
    assert value["spent"]["booked_usd"] == 0.6


def test_a_pool_of_nothing_prints_and_few_conversations_are_pointed_out() -> None:
    counts = {"sat": LearnCounts(3), "dsat": LearnCounts(2)}
    empty = learnt(pool=CriteriaSet("criteria", ()), counts=counts, unscored=())
    assert list(empty.tables) == ["counts"]
    assert "satisfaction: no criterion could be learnt" in empty.notes
    few = "learnt from 3 good and 2 bad conversations: what tells so few apart may be chance"
    assert few in "\n".join(empty.notes)
