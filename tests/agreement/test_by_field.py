from __future__ import annotations

import json
from dataclasses import replace
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

import assize
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.stats import Estimate

RIGHT = {"alpacaeval-easy": (4, 4), "donotanswer": (2, 4), "math-prm": (1, 2), "hep-go": (3, 4)}


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    """Pairs of four subsets."""
    path = tmp_path / "pairs.jsonl"
    rows = [
        {"prompt": "p", "chosen": "c", "rejected": "r", "subset": subset, "id": n}
        for subset, (_, count) in RIGHT.items()
        for n in range(count)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# of a judge who is right as often as `RIGHT` says, and of gold
VOTES: list[Any] = [
    {"item": f"{subset}-{n}", "judge": judge, "question": "preference", "answer": answer}
    for subset, (right, count) in RIGHT.items()
    for n in range(count)
    for judge, answer in (("io", "A" if n < right else "B"), ("gold", "A"))
]
ALONE = [one for one in VOTES if one["judge"] == "io"]


def by_group(votes: Any, pairs: Path) -> dict[str, Estimate]:
    found = assize.agree(votes, items=pairs, by="subset")
    return {row.group: row.accuracy for row in found.groups}


def test_every_subset_and_section_has_its_accuracy(pairs: Path) -> None:
    found = by_group(VOTES, pairs)
    got = {name: (one.estimate, one.n) for name, one in found.items() if name in RIGHT}
    assert got == {name: (right / count, count) for name, (right, count) in RIGHT.items()}
    # Reasoning: math counts as much as code, (1/2 + 3/4) / 2; then each section once.
    sections = {name: one.estimate for name, one in found.items() if name not in RIGHT}
    assert sections == pytest.approx(
        {
            "Chat": 1,
            "Safety": 0.5,
            "Reasoning": 0.625,
            "mean of the sections": (1 + 0.5 + 0.625) / 3,
        }
    )


def test_a_section_s_interval_is_that_of_its_strata(pairs: Path) -> None:
    one = by_group(VOTES, pairs)["Reasoning"]
    # p drawn by one success and one failure: math 2/4, code 4/6, each of weight one half.
    half = 1.959964 * sqrt(0.25 * (0.5 * 0.5 / 2 + (4 / 6) * (2 / 6) / 4))
    assert one.interval == pytest.approx((max(0, 0.625 - half), min(1, 0.625 + half)))


def test_any_field_will_do_and_has_no_sections(pairs: Path) -> None:
    result = assize.agree(VOTES, items=pairs, by="section")
    assert [row.group for row in result.groups] == ["Chat", "Reasoning", "Safety"]
    assert [row["group"] for row in result.to_json()["groups"]] == ["Chat", "Reasoning", "Safety"]


def test_items_without_the_field_are_counted(pairs: Path) -> None:
    first, *rest = assize.read(pairs)
    result = assize.agree(VOTES, items=[replace(first, metadata={}), *rest], by="subset")
    assert "1 judged items have no subset" in result.notes


def test_a_field_that_is_nowhere_is_an_error_that_lists_those_that_are(pairs: Path) -> None:
    with pytest.raises(DataError, match=r"has a colour.*section, subset"):
        assize.agree(VOTES, items=pairs, by="colour")


def test_it_needs_gold(pairs: Path) -> None:
    bare = [replace(one, gold=None) for one in assize.read(pairs) if isinstance(one, Pair)]
    with pytest.raises(ConfigError, match="needs preferences, and gold"):
        assize.agree(ALONE, items=bare, by="subset")


def test_gold_of_the_pairs_will_do(pairs: Path) -> None:
    assert by_group(ALONE, pairs) == by_group(VOTES, pairs)


def test_a_question_without_gold_is_passed_over(pairs: Path) -> None:
    safe = [one | {"question": "safe"} for one in ALONE]
    found = assize.agree([*VOTES, *safe], items=pairs, by="subset")
    assert {row.question for row in found.judges} == {"safe", "preference"}
    assert {row.question for row in found.groups} == {"preference"}


def test_the_groups_stand_on_the_page(pairs: Path, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    assize.agree(VOTES, items=pairs, by="subset").report(tmp_path / "page.html")
    assert "mean of the sections" in (tmp_path / "page.html").read_text()
