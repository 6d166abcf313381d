"""A gate in memory and on files."""

from __future__ import annotations

import logging
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.versions.two_versions import HELPFUL, two_versions

import assize
from assize import GateLimits, Statistics
from assize.base.errors import AssizeError, ConfigError, DataError
from assize.formats import write
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
    ("given", "more", "problem"),
    [
        # A command line that lost its flags would be green for ever.
        ({}, {}, "no limit is set, so nothing could fail"),
        ({"max_unscored": None}, {}, "nothing is asked"),
        ({"fail_under": {"Q9": 1}}, {}, "no such question; judged are helpful"),
        ({"max_drop": {"helpful": 1}}, {}, "max_drop needs the version before"),
        ({"max_unscored": 200}, {}, "max_unscored: received 200"),
        (
            {"max_unscored": 0},
            {"statistics": Statistics(resamples=50)},
            "nothing here depends on resamples",
        ),
        (
            {"max_drop": {"helpful": 0.1}},
            {"baseline": NEW.table},
            "new and baseline both take their judgments of 90 items",
        ),
    ],
)
def test_bad_input_is_refused(given: Any, more: Any, problem: str) -> None:
    with pytest.raises(AssizeError, match=problem):
        assize.gate(NEW.table, GateLimits(**given), **more)


def test_judgments_of_both_versions_in_one_file_are_told_apart_by_their_items(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    scores = folder / "scores.jsonl"
    result = assize.gate([scores, folder / "B.jsonl"], FALL, baseline=[scores, folder / "A.jsonl"])
    assert not result.passed
    assert result.checks[0].figure.estimate == pytest.approx(0.8)
    assert result.checks[0].figure.n == 20
    for side in ("new", "baseline"):
        assert f"{side}: 20 judgments of other items are left out" in caplog.text


@pytest.mark.parametrize(
    ("new", "baseline", "items", "problem"),
    [
        (["scores", "A"], ["scores", "A"], None, r"scores.jsonl: new and baseline .* 20 items"),
        (["scores", "A"], ["scores"], None, r"scores.jsonl: new and baseline both .* 20 items"),
        (["scores"], ["scores"], "all", "both take their judgments of 40 items"),
        (["scores"], ["copy"], None, "both versions hold the same 40 judgments"),
    ],
)
def test_a_version_is_not_held_against_itself(
    new: list[str],
    baseline: list[str],
    items: str | None,
    problem: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(folder)
    Path("copy.jsonl").write_bytes(Path("scores.jsonl").read_bytes())
    files = [[f"{name}.jsonl" for name in side] for side in (new, baseline)]
    with pytest.raises(DataError, match=problem):
        assize.gate(files[0], FALL, baseline=files[1], items=items and f"{items}.jsonl")


def test_items_that_nobody_judged_are_refused(folder: Path) -> None:
    limits = GateLimits(fail_under={"overall": 0.5})
    with pytest.raises(DataError, match="new: no judgment is of these items"):
        assize.gate(folder / "scores.jsonl", limits, items=list(NEW.items.values()))


def test_a_limit_on_an_unknown_question_is_refused_before_anything_is_scored(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pytest.importorskip("onnxruntime")
    sides: dict[str, Any] = {"version": list(NEW.items.values()), "baseline": OLD.table}
    limits = GateLimits(fail_under={"overal": 0.6})
    with (
        caplog.at_level(logging.INFO, logger="assize"),
        pytest.raises(ConfigError, match=r"fail_under overal: no such question; .*overall"),
    ):
        assize.gate(**sides, limits=limits)
    assert "scored by the evaluator" not in caplog.text


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
    few, *rest = NEW.items.values()
    items = [replace(few, metadata={"lang": "fr"}), *rest]
    limits = GateLimits(fail_under={"helpful": 1}, by="metadata.lang")
    found = assize.gate(NEW.table, limits, items=items)
    assert {check.segment for check in found.checks} == {"", "de", "en"}
    assert "segments with fewer than 5 conversations are not checked: fr (1)" in found.notes


@pytest.mark.parametrize("baseline", [None, "A"])
def test_two_versions_in_one_log_are_held_against_each_other(
    folder: Path, baseline: str | None
) -> None:
    found = assize.gate(
        folder / "log.jsonl",
        GateLimits(max_drop={"overall": 0.05}, by="system"),
        baseline=baseline,
    )
    assert found.subject == "B, 20 conversations"
    assert found.checks[0].figure.estimate == pytest.approx(0.8)
    assert not found.passed
    assert found.notes[0] == "B is held against A, values of system"


def test_the_later_version_may_be_the_baseline(folder: Path) -> None:
    log = folder / "log.jsonl"
    limits = GateLimits(max_drop={"overall": 0.05}, by="system")
    assert assize.gate(log, limits, baseline="B").passed
    with pytest.raises(AssizeError, match=r"'C' is neither a file nor a value of system, .* A, B"):
        assize.gate(log, limits, baseline="C")
    with pytest.raises(AssizeError, match="give one field of segments"):
        assize.gate(log, GateLimits(fail_under={"overall": 0.05}, by=["system", "started"]))
