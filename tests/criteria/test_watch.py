"""Watching quality, in memory and from files."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from tests.criteria.watching.drifting import SET, drifting
from with_settings import with_settings

import assize
from assize.base.conversation import Conversation
from assize.base.errors import AssizeError
from assize.criteria._reading import criteria_text

CHATS, TABLE = drifting(300, drop=2.0)


def watched(**given: Any) -> Any:
    asked: dict[str, Any] = {"time": "started", "items": CHATS, "permutations": 199}
    return assize.criteria.watch(
        TABLE, SET, **with_settings(assize.criteria.watch, **{**asked, **given})
    )


def test_files_and_memory_give_the_same(tmp_path: Path) -> None:
    (tmp_path / "criteria.yaml").write_text(criteria_text(SET))
    assize.write(tmp_path / "run.jsonl", TABLE)
    assize.write(tmp_path / "chats.jsonl", CHATS)
    found = assize.criteria.watch(
        str(tmp_path / "run.jsonl"),
        tmp_path / "criteria.yaml",
        time="started",
        statistics=assize.Statistics(permutations=199),
        items=str(tmp_path / "chats.jsonl"),
    )
    assert found.to_json() == watched().to_json()


def test_times_may_be_a_dict_and_need_no_conversations() -> None:
    times = {one.id: one.metadata["started"] for one in CHATS}
    found = assize.criteria.watch(
        TABLE, time=times, every=100, statistics=assize.Statistics(permutations=199)
    )
    assert [one.n for one in found.periods] == [100, 100, 100]
    assert found.series[0].id == "NetSAT"
    assert found.labelling is None


def test_the_seed_makes_it_the_same_again() -> None:
    assert watched(seed=1).to_json() == watched(seed=1).to_json()
    assert watched(seed=1).signature != watched(seed=2).signature


def test_a_field_that_some_lack_is_told(caplog: pytest.LogCaptureFixture) -> None:
    bare = Conversation(CHATS[0].id, CHATS[0].turns, metadata={"started": "2026-01-05"})
    with caplog.at_level(logging.WARNING, logger="assize"):
        found = watched(items=[bare, *CHATS[1:]], by="system", question="s2", clusters="user")
    assert "1 conversations have no system: they are the group 'no system'" in caplog.text
    assert "1 conversations have no user: each stands for itself" in caplog.text
    assert found.groups == ["a", "b", "no system"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"time": "when"}, "no item has the field 'when'"),
        ({"items": None}, "'started' is a field of the conversations: give them as items"),
        ({"every": "hour"}, "every hour: allowed are day, week, month and a number"),
        ({"by": "colour"}, "no item has the field 'colour'; there are started, user, system"),
        ({"confidence": 0.2}, "confidence: received 0.2"),
        ({"permutations": 20}, "permutations: received 20"),
        ({"question": "s9"}, "no judgment answers 's9'"),
        ({"judges": "ann"}, "no judge 'ann'"),
        ({"least": 1}, "least: received 1"),
    ],
)
def test_bad_input_is_refused_and_says_what_is_allowed(given: Any, problem: str) -> None:
    with pytest.raises(AssizeError, match=problem):
        watched(**given)


def test_ids_of_other_conversations_are_refused() -> None:
    others = [Conversation("x", CHATS[0].turns, metadata={"started": "2026-01-05"})]
    with pytest.raises(AssizeError, match="no judgment is of these items"):
        watched(items=others)


def test_judgments_of_items_that_are_not_given_are_left_out(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Also where the file of judgments holds the other conversations."""
    assize.write(tmp_path / "log.jsonl", [*TABLE, *CHATS])
    result = assize.criteria.watch(
        tmp_path / "log.jsonl",
        SET,
        time="started",
        items=CHATS[:200],
        statistics=assize.Statistics(permutations=199),
    )
    assert sum(period.n for period in result.periods) == 200
    assert "judgments of other items are left out" in caplog.text
