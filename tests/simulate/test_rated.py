from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import assize
from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.cli import app

TURNS = (Turn("assistant", "Hi"),)


def rated(stars: dict[str, int], **metadata: Any) -> list[Conversation | Judgment]:
    records: list[Conversation | Judgment] = []
    for id, given in stars.items():
        turns = (Turn("user", "Hi"), Turn("assistant", id))
        records.append(Conversation(id, turns, metadata={"group": "g", **metadata}))
        records.append(Judgment(id, "ann", "stars", score=given, kind="person"))
    return records


def test_pairs_are_written_and_judgments_may_stand_elsewhere(tmp_path: Path) -> None:
    records = rated({"x": 1, "y": 5, "z": 3})
    out = tmp_path / "pairs.jsonl"
    found = assize.simulate.pairs(records, "stars", pairs_per_group=0, out=out)
    assert [one.gold for one in assize.read(out)] == [one.gold for one in found]  # type: ignore[union-attr]
    chats = [one for one in records if isinstance(one, Conversation)]
    votes = [one for one in records if isinstance(one, Judgment)]
    apart = assize.simulate.pairs(chats, "stars", judgments=votes, pairs_per_group=0)
    assert apart.signature == found.signature
    assert {one.gold["preference"] for one in found} <= {"A", "B"}  # type: ignore[index]
    other = assize.simulate.pairs(records, "stars", pairs_per_group=0, seed=5)
    assert other.signature != found.signature


@pytest.mark.parametrize(
    ("records", "more", "error", "problem"),
    [
        ([Pair("p", (), TURNS, TURNS)], {}, DataError, "no conversation to pair"),
        (rated({"x": 1})[:1], {}, DataError, "no rating stands with the conversations"),
        (rated({"x": 1, "y": 2}), {"pairs_per_group": -1}, ConfigError, "pairs_per_group"),
        (rated({"x": 1, "y": 2}), {"least_difference": -1}, ConfigError, "least_difference"),
        (rated({"x": 1, "y": 2}), {"sample": 0}, ConfigError, "sample"),
        (rated({"x": 1, "y": 2}), {"out": "-"}, ConfigError, "out is -"),
        (
            [
                replace(one, kind="model") if isinstance(one, Judgment) else one
                for one in rated({"x": 1})
            ],
            {},
            DataError,
            "no judgment here is by a person",
        ),
    ],
)
def test_what_is_not_allowed_is_said(
    records: Any, more: Any, error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        assize.simulate.pairs(records, "stars", **more)


def test_the_command_writes_them_and_a_sample_of_them(tmp_path: Path) -> None:
    source, out = tmp_path / "rated.jsonl", tmp_path / "pairs.jsonl"
    assize.write(source, rated({name: n for n, name in enumerate("uvwxyz")}, city="Rome"))
    command = ["simulate", "pairs", str(source), "--question", "stars", "--group", "city"]
    command += ["--pairs-per-group", "0", "--sample", "4", "-o", str(out), "--json"]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["count"] == 4
    drawn = [one.id for one in assize.read(out)]
    assert len(set(drawn)) == 4
    whole = assize.simulate.pairs([source], "stars", group="city", pairs_per_group=0)
    assert set(drawn) < {one.id for one in whole}


def test_ieval_gives_the_published_numbers_of_pairs(corpus: Callable[[str], Path]) -> None:
    """480 groups of four: one pair each, two each, and all 2,880, of which 755 are ties."""
    records = list(assize.read(corpus("ieval")).records())
    chats = [one for one in records if isinstance(one, Conversation)]
    votes = [one for one in records if isinstance(one, Judgment) and one.question == "overall_rank"]
    by_count = {
        each: assize.simulate.pairs(chats, "overall_rank", judgments=votes, pairs_per_group=each)
        for each in (1, 2, 0)
    }
    assert {each: len(found) for each, found in by_count.items()} == {1: 480, 2: 960, 0: 2880}
    found: list[Any] = list(by_count[0])
    labels = Counter(one.gold["preference"] for one in found)
    assert (labels["A"] + labels["B"], labels["tie"]) == (2125, 755)
    assert sum(one.shared_user for one in found) == 3
    assert len({one.metadata["rater"] for one in found}) == 240
