"""How what was learnt prints, and what it tells."""

from __future__ import annotations

from pathlib import Path

from assize.criteria._criterion import CriteriaSet, Criterion, Merged
from assize.criteria._learning.learnt import Learnt, Side, TagCount
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
SIDES = {
    "sat": Side(40, {"timeout": 1}, 2, 90, 9, {"parse": 1}, 2, 1, 3, 1),
    "dsat": Side(12, patterns=30, batches=3, before=1, after=1),
}
SPENT = UsageTotal(60, 4, 1000, 200, 0.5, booked_usd=0.6)


def learnt(**more: object) -> Learnt:
    given: dict[str, object] = {
        "pool": CriteriaSet("criteria", (GOOD, BAD)),
        "patterns": (),
        "sides": SIDES,
        "spent": SPENT,
        "out": Path("pool"),
    }
    return Learnt(**{**given, **more})  # type: ignore[arg-type]


def test_it_prints_counts_tags_and_criteria() -> None:
    found = learnt()
    assert list(found.tables) == ["sides", "criteria", "about", "maxim", "unscored"]
    assert found.about[:2] == [TagCount("user", 0, 1), TagCount("assistant", 1, 0)]
    assert found.maxim[-1] == TagCount("not said", 0, 1)
    assert (found.criteria[0].criterion, found.criteria[0].conversations) == (GOOD.text, 2)
    assert [(row.reason, row.unscored) for row in found.unscored] == [("timeout", 1), ("parse", 1)]
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
    said = "\n".join([*learnt().news, *learnt().notes])
    for part in (
        "satisfaction: 1 conversations unscored: timeout (the same command asks again)",
        "satisfaction: 1 mini-batches unscored: parse (--retry asks again)",
        "satisfaction: 2 conversations show no pattern",
        "satisfaction: 3 of 90 patterns are in no criterion",
        "satisfaction: 1 groups of look-alikes were left as they are",
        "$0.6000 booked in all",
    ):
        assert part in said
    assert learnt().missing == (3, 40 + 9 + 12 + 3)
    assert "chance" not in said


def test_few_conversations_are_pointed_out() -> None:
    few = {"sat": Side(3, before=1, after=1), "dsat": Side(2, before=1, after=1)}
    said = "\n".join(learnt(sides=few).notes)
    assert (
        "learnt from 3 good and 2 bad conversations: what tells so few apart may be chance" in said
    )


def test_its_json_has_all_criteria_with_what_they_cover() -> None:
    value = learnt().to_json()
    assert value["criteria"][0]["merged"] == ["It names the line."]
    assert value["criteria"][0]["patterns"] == ["c1/1", "c2/1"]
    assert value["sides"]["sat"]["unscored"] == {"timeout": 1}
    assert value["spent"]["booked_usd"] == 0.6


def test_a_pool_of_nothing_prints() -> None:
    empty = learnt(pool=CriteriaSet("criteria", ()), sides={"sat": Side(2), "dsat": Side(2)})
    assert list(empty.tables) == ["sides"]
    assert "satisfaction: no criterion could be learnt" in empty.notes
