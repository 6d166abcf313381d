"""Cleaning recipes: each step leaves out what it says, and counts what it left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.formats.conftest import lines

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError
from assize.formats import Record
from assize.formats.reading import iter_records
from assize.formats.recipes import RECIPES, RecipeRun, StepCount, differ, humans, short, well_formed

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "amulet-hh-test"


def pair(
    turns: int = 4, name: str = "p", said: str = "word", a: str = "one", b: str = "two"
) -> Pair:
    context = []
    for number in range(turns):
        context += [Turn("user", f"{said} {number}"), Turn("assistant", f"answer {number}")]
    return Pair(
        name, tuple(context[:-1]), (Turn("assistant", a),), (Turn("assistant", b),), gold="A"
    )


GOOD = pair()


@pytest.mark.parametrize(
    ("says", "of", "expected"),
    [
        (humans, pair(5), 5),
        (humans, pair(2, said="He wrote Human: hi"), 4),  # markers inside texts are counted
        (differ, GOOD, True),
        (differ, pair(a="one ", b="one"), False),
        (short, pair(said="w " * 298 + "w"), True),  # 300 words, with the number of the turn
        (short, pair(said="w " * 300), False),
        (well_formed, GOOD, True),
        (well_formed, replace(GOOD, context=GOOD.context[:-1]), False),
        (well_formed, replace(GOOD, context=GOOD.context[1:]), False),
        (well_formed, replace(GOOD, a=GOOD.a * 2), False),
        (well_formed, replace(GOOD, a=(Turn("user", "x"),)), False),
        (well_formed, pair(said="Assistant: x"), False),
        (well_formed, pair(a="well\n\nHuman\n\nwell"), False),
        (well_formed, replace(GOOD, context=()), False),
    ],
)
def test_a_step_says_what_it_keeps(
    says: Callable[[Pair], object], of: Pair, expected: object
) -> None:
    assert says(of) == expected


@pytest.mark.parametrize(
    ("name", "words"),
    [("amulet", "known are amulet-hh"), ("amulet-nectar", "give that file as against")],
)
def test_unknown_recipes_and_a_missing_against_are_refused(name: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        RecipeRun(name)


def test_every_recipe_has_the_numbers_of_appendix_d() -> None:
    counts = {name: one.paper for name, one in RECIPES.items()}
    assert set(counts.pop("amulet-hh") or ()) == {4, 7}
    assert counts == {
        "amulet-wildfeedback": {4: "4,684", 7: "1,867"},
        "amulet-nectar": {4: "6,531", 7: "335"},
    }


def test_steps_are_counted_in_order_beside_the_papers_numbers() -> None:
    cooking = RecipeRun("amulet-hh")
    given = [pair(3), pair(a="same", b="same"), pair(said="Assistant: x"), pair(), pair(8)]
    assert [cooking.keep(one) for one in given] == [False, False, False, True, True]
    assert [(step.pairs, step.paper) for step in cooking.counts()] == [
        (5, ""),
        (4, ""),
        (3, ""),
        (2, "460 (test), 8,210 (train)"),
        (1, "548 (train)"),
    ]


def test_seven_human_turns_can_be_asked_for() -> None:
    cooking = RecipeRun("amulet-wildfeedback", least=7)
    assert cooking.keep(pair(7))
    assert not cooking.keep(pair(6))
    assert cooking.counts()[-1] == StepCount("responses differ", 1, "1,867")


def test_nectar_leaves_out_overlaps_and_inversions_and_stops_at_100_000() -> None:
    train: list[Record] = [pair(4, "t1"), pair(5, "t2", a="left", b="right"), Conversation("c", ())]
    cooking = RecipeRun("amulet-nectar", against=train)
    given = [
        pair(4),  # the same
        pair(5, a="right", b="left"),  # inverted
        pair(5, a="right", b="other"),  # another response
        pair(6),
    ]
    assert [cooking.keep(one) for one in given] == [False, False, True, True]
    assert cooking.counts()[-2] == StepCount("not in against, in either order", 2, "6,531")
    cooking.seen = 100_000
    assert cooking.full


def test_what_is_no_pair_is_left_out_and_counted() -> None:
    cooking = RecipeRun("amulet-hh")
    assert not cooking.keep(Conversation("c", ()))
    assert (cooking.seen, cooking.others) == (0, 1)
    assert cooking.counts()[0] == StepCount("pairs read", 0)
    assert cooking.notes == ["1 records that are no pairs were left out"]


def transcript(pair_: Pair) -> dict[str, str]:
    names = {"user": "Human", "assistant": "Assistant"}
    said = "".join(f"\n\n{names[turn.role]}: {turn.text}" for turn in pair_.context)
    sides = {"chosen": pair_.a, "rejected": pair_.b}
    return {name: f"{said}\n\nAssistant: {side[0].text}" for name, side in sides.items()}


@pytest.mark.skipif(not DATA.is_dir(), reason="the research data are not here")
def test_the_papers_460_pairs_pass_the_recipe_as_hh_rlhf_has_them(tmp_path: Path) -> None:
    pairs = [one for one in iter_records(DATA / "instances.jsonl") if isinstance(one, Pair)]
    path = lines(tmp_path / "hh.jsonl", *map(transcript, pairs))
    cooking = RecipeRun("amulet-hh")
    kept = [one for one in iter_records(path) if cooking.keep(one)]
    assert len(kept) == 460
    assert cooking.counts()[-1].pairs == 27
