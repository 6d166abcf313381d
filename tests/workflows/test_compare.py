"""Comparing versions, in memory and from files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.versions.two_versions import HELPFUL, chats_of, two_versions

import assize
from assize.errors import AssizeError
from assize.formats import write

OLD, NEW = two_versions()
GIVEN: dict[str, Any] = {one.name: [one.table, list(one.items.values())] for one in (OLD, NEW)}


def compared(**given: Any) -> Any:
    return assize.compare_versions(GIVEN, **{"permutations": 499, **given})


def test_files_and_memory_give_the_same(tmp_path: Path) -> None:
    given = []
    for one in (OLD, NEW):
        write(tmp_path / f"{one.name}.jsonl", list(one.table), questions=[HELPFUL])
        write(tmp_path / f"{one.name}-chats.jsonl", list(one.items.values()))
        given += [f"{one.name}={tmp_path}/{one.name}{more}.jsonl" for more in ("", "-chats")]
    found = assize.compare_versions(given, by="metadata.lang", permutations=499)
    assert found.to_json() == compared(by="metadata.lang").to_json()


def test_one_set_is_split_and_then_has_segments() -> None:
    rows = [*OLD.table, *NEW.table]
    with pytest.raises(AssizeError, match="there is one version"):
        assize.compare_versions(rows)
    items = [*chats_of(OLD).values(), *chats_of(NEW).values()]
    named = [assize.Conversation(f"{one.system}-{one.id}", one.turns, one.system, one.metadata)
             for one in items]  # fmt: skip
    # fmt: off
    table = [assize.Judgment(f"{name}-{row.item}", row.judge, row.question, answer=row.answer)
             for name, version in (("old", OLD), ("new", NEW)) for row in version.table]
    # fmt: on
    found = assize.compare_versions(
        {"all": [assize.JudgmentTable.of(table, [HELPFUL]), named]},
        by=["metadata.version", "metadata.lang"],
        baseline="old",
        permutations=499,
    )  # fmt: skip
    assert isinstance(found, type(compared()))
    assert found.matchings["new"].by == "prompt"
    assert found.rows[0].difference.estimate == pytest.approx(
        compared().rows[0].difference.estimate
    )
    assert {one.segment for one in found.segments} == {"de", "en"}


def test_over_time_is_what_criteria_watch_says() -> None:
    found = compared(over="metadata.started", every="month", permutations=199)
    assert found.groups == ["new", "old"]
    alone = assize.watch_criteria(
        NEW.table, time="metadata.started", every="month", permutations=199,
        items=list(NEW.items.values()),
    )  # fmt: skip
    mine = next(one for one in found.series if one.group == "new")
    figures = [None if one is None else one.mean.estimate for one in mine.periods]
    assert figures == [
        None if one is None else one.mean.estimate for one in alone.series[0].periods
    ]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"by": ["lang", "user"]}, "give one field of segments"),
        ({"by": "colour"}, "no item has the field 'colour'"),
        ({"pairing": "rows"}, "pairing"),
        ({"detect": 0}, "detect: received 0"),
        ({"level": 0.9}, "level: received 0.9"),
        ({"over": "started", "detect": 1.0}, "no segments, baseline or size to detect"),
        ({"question": "Q9"}, "no question of Q9 has numbers by one judge in every version"),
        ({"baseline": "older"}, "there are old, new"),
    ],
)
def test_bad_input_is_refused_and_says_what_is_allowed(given: Any, problem: str) -> None:
    with pytest.raises(AssizeError, match=problem):
        compared(**given)
