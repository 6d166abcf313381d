"""A gate in memory and on files."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.versions.one_file import write_versions
from tests.versions.two_versions import HELPFUL, two_versions

import assize
from assize import GateLimits, Statistics
from assize.base.errors import AssizeError, DataError
from assize.formats import read, write
from assize.versions.gate_result import markdown

OLD, NEW = two_versions()
CLEAN = GateLimits(max_unscored=0)
FALL = GateLimits(max_drop={"overall": 0.05})


def test_a_gate_writes_what_a_build_reads(tmp_path: Path) -> None:
    found = assize.gate(
        [NEW.table],
        GateLimits(fail_under={"helpful": 4.9}, max_drop={"helpful": "0.2"}),
        items=list(NEW.items.values()),
        baseline=OLD.table,
        pairing="id",
        statistics=Statistics(permutations=499),
        junit=tmp_path / "gate.xml",
        summary=tmp_path / "gate.md",
    )
    assert [one.passed for one in found.checks] == [False, True, True]
    assert ET.parse(tmp_path / "gate.xml").getroot().get("failures") == "1"
    assert (tmp_path / "gate.md").read_text() == markdown(found)


def test_several_files_are_one_version(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", list(NEW.table), questions=[HELPFUL])
    write(tmp_path / "b.jsonl", list(NEW.items.values()))
    found = assize.gate([tmp_path / "a.jsonl", tmp_path / "b.jsonl"], CLEAN)
    assert found.subject == "new, 90 conversations"
    assert str(found.lowest[0].begins).startswith("Question")


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"max_unscored": None}, "nothing is asked"),
        ({"fail_under": {"Q9": 1}}, "no such question; judged are helpful"),
        ({"max_drop": {"helpful": 1}}, "max_drop needs the version before"),
        ({"max_unscored": 200}, "max_unscored: received 200"),
    ],
)
def test_bad_input_is_refused(given: Any, problem: str) -> None:
    with pytest.raises(AssizeError, match=problem):
        assize.gate(NEW.table, GateLimits(**given))


def test_a_gate_without_a_limit_is_refused() -> None:
    """A command line that lost its flags would be green for ever."""
    with pytest.raises(AssizeError, match="no limit is set, so nothing could fail"):
        assize.gate(NEW.table, GateLimits())


def test_what_a_gate_does_not_use_is_refused() -> None:
    with pytest.raises(AssizeError, match="nothing here depends on resamples"):
        assize.gate(NEW.table, CLEAN, statistics=Statistics(resamples=50))


def test_judgments_of_both_versions_in_one_file_are_told_apart_by_their_items(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_versions(tmp_path)
    scores = tmp_path / "scores.jsonl"
    result = assize.gate(
        [scores, tmp_path / "B.jsonl"], FALL, baseline=[scores, tmp_path / "A.jsonl"]
    )
    assert not result.passed
    assert result.checks[0].figure.estimate == pytest.approx(0.8)
    assert result.checks[0].figure.n == 20
    for side in ("new", "baseline"):
        assert f"{side}: 20 judgments of other items are left out" in caplog.text


@pytest.mark.parametrize("baseline", [["scores.jsonl", "A.jsonl"], ["scores.jsonl"]])
def test_a_version_is_not_held_against_itself(tmp_path: Path, baseline: list[str]) -> None:
    write_versions(tmp_path)
    with pytest.raises(DataError, match=r"scores.jsonl: new and baseline both take .* 20 items"):
        assize.gate(
            [tmp_path / "scores.jsonl", tmp_path / "A.jsonl"],
            FALL,
            baseline=[tmp_path / name for name in baseline],
        )


def test_items_of_both_versions_do_not_tell_them_apart(tmp_path: Path) -> None:
    write_versions(tmp_path)
    scores = tmp_path / "scores.jsonl"
    with pytest.raises(DataError, match="both take their judgments of 40 items"):
        assize.gate(scores, FALL, baseline=scores, items=tmp_path / "all.jsonl")


def test_a_copy_of_the_judgments_is_no_baseline(tmp_path: Path) -> None:
    write_versions(tmp_path)
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes((tmp_path / "scores.jsonl").read_bytes())
    with pytest.raises(DataError, match="both versions hold the same 40 judgments"):
        assize.gate(tmp_path / "scores.jsonl", FALL, baseline=copy)


def test_one_table_in_memory_is_no_baseline_of_itself() -> None:
    with pytest.raises(DataError, match="new and baseline both take their judgments of 90 items"):
        assize.gate(NEW.table, GateLimits(max_drop={"helpful": 0.1}), baseline=NEW.table)


def test_items_tell_a_table_in_memory_apart(tmp_path: Path) -> None:
    write_versions(tmp_path)
    table = assize.read_judgments(tmp_path / "scores.jsonl")
    sides = {name: list(read(tmp_path / f"{name}.jsonl")) for name in "AB"}
    result = assize.gate([table, sides["B"]], FALL, baseline=[table, sides["A"]])
    assert result.checks[0].figure.estimate == pytest.approx(0.8)


def test_items_that_nobody_judged_are_refused(tmp_path: Path) -> None:
    write_versions(tmp_path)
    with pytest.raises(DataError, match="new: no judgment is of these items"):
        assize.gate(
            tmp_path / "scores.jsonl",
            GateLimits(fail_under={"overall": 0.5}),
            items=list(NEW.items.values()),
        )


def test_each_segment_must_keep_the_limits_too(tmp_path: Path) -> None:
    limits = GateLimits(fail_under={"helpful": 2.8}, max_drop={"helpful": 0.1})
    some = Statistics(permutations=499)
    asked: dict[str, Any] = {"statistics": some, "junit": tmp_path / "gate.xml"}
    both: dict[str, Any] = {"items": [*NEW.items.values()], "baseline": OLD.table, "pairing": "id"}
    assert assize.gate(NEW.table, limits, **both, **asked).passed
    found = assize.gate(NEW.table, replace(limits, by="metadata.lang"), **both, **asked)
    assert [(check.check, check.segment, check.passed) for check in found.checks] == [
        ("helpful mean >= 2.8", "", True),
        ("helpful mean >= 2.8", "de", False),
        ("helpful mean >= 2.8", "en", True),
        ("helpful drop <= 0.1", "", True),
        ("helpful drop <= 0.1", "de", False),
        ("helpful drop <= 0.1", "en", True),
        ("percent unscored <= 5", "", True),
    ]
    assert found.checks[1].figure.n == 30
    assert "helpful mean >= 2.8 in de" in str(found.alarm)
    assert "helpful drop <= 0.1 in de" in (tmp_path / "gate.xml").read_text().replace("&lt;", "<")


def test_segments_of_few_conversations_are_named_and_not_checked() -> None:
    items = [replace(item, metadata={"lang": "fr"}) for item in list(NEW.items.values())[:3]]
    rest = [item for item in NEW.items.values() if item.id not in {one.id for one in items}]
    found = assize.gate(
        NEW.table,
        GateLimits(fail_under={"helpful": 1}, by="metadata.lang"),
        items=[*items, *rest],
    )
    assert {check.segment for check in found.checks} == {"", "de", "en"}
    assert "segments with fewer than 5 conversations are not checked: fr (3)" in found.notes


@pytest.mark.parametrize("baseline", [None, "A"])
def test_two_versions_in_one_log_are_held_against_each_other(
    tmp_path: Path, baseline: str | None
) -> None:
    write_versions(tmp_path)
    found = assize.gate(
        tmp_path / "log.jsonl",
        GateLimits(max_drop={"overall": 0.05}, by="system"),
        baseline=baseline,
    )
    assert found.subject == "B, 20 conversations"
    assert found.checks[0].figure.estimate == pytest.approx(0.8)
    assert not found.passed
    assert found.notes[0] == "B is held against A, values of system"


def test_the_later_version_may_be_the_baseline(tmp_path: Path) -> None:
    write_versions(tmp_path)
    log = tmp_path / "log.jsonl"
    limits = GateLimits(max_drop={"overall": 0.05}, by="system")
    assert assize.gate(log, limits, baseline="B").passed
    with pytest.raises(AssizeError, match=r"'C' is neither a file nor a value of system, .* A, B"):
        assize.gate(log, limits, baseline="C")
    with pytest.raises(AssizeError, match="give one field of segments"):
        assize.gate(log, GateLimits(fail_under={"overall": 0.05}, by=["system", "started"]))
