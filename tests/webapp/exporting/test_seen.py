from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.errors import DataError
from assize.webapp.exporting.history import Event, Worked
from assize.webapp.exporting.seen import Seen, read_seen

DONE = Event(event="submit", version=1, at=1.0, seconds=0.0)
NOW = {"id": "c", "turns": [{"role": "user", "text": "now"}]}
ONCE = {"id": "c", "turns": [{"role": "user", "text": "once"}]}


def worked(purpose: str = "rate") -> Worked:
    return Worked.model_validate(
        {"item": "c", "rater": "ann", "purpose": purpose, "created": 0.0, "events": [DONE]}
    )


def folder(place: Path, edition: str) -> Path:
    (place / "items.jsonl").write_text(json.dumps(NOW) + "\n", encoding="utf-8")
    (place / "editions.jsonl").write_text(edition + "\n", encoding="utf-8")
    return place


def test_what_was_shown_is_the_item_or_the_edition_that_is_named(tmp_path: Path) -> None:
    line = {"item": "c", "purpose": "rate", "edition": 1, "until": 2.0, "record": ONCE}
    seen = read_seen(folder(tmp_path, json.dumps(line)), [worked()])
    assert seen.of(worked(), DONE)["turns"] == NOW["turns"]
    assert seen.of(worked(), DONE.model_copy(update={"edition": 1})) == ONCE


def test_of_a_qualification_the_items_say_nothing(tmp_path: Path) -> None:
    seen = read_seen(folder(tmp_path, ""), [worked("qualify")])
    assert seen.of(worked("qualify"), DONE) is None


def test_an_export_of_before_there_were_editions_is_read(tmp_path: Path) -> None:
    assert read_seen(tmp_path, [worked()]) == Seen()


def test_an_edition_that_is_not_there_is_refused() -> None:
    with pytest.raises(DataError, match="answered edition 3 of 'c', which is not there"):
        Seen().of(worked(), DONE.model_copy(update={"edition": 3}))


def test_a_line_that_is_no_edition_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"editions.jsonl:1: no edition of an item"):
        read_seen(folder(tmp_path, '{"item": 1}'), [worked()])
