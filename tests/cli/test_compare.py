"""`assize compare` and `assize gate` as users and builds call them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import read_json, read_refusal, run
from tests.versions.two_versions import HELPFUL, two_versions

from assize.formats import write


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Judgments and conversations of two versions, old and new."""
    files = []
    for version in two_versions():
        judged, chats = (tmp_path / f"{version.name}{end}.jsonl" for end in ("", "-chats"))
        write(judged, list(version.table), questions=[HELPFUL])
        write(chats, list(version.items.values()))
        files += [f"{version.name}={judged}", f"{version.name}={chats}"]
    return files


def test_tables_and_page_show_pairs_and_segments(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "compare.html"
    options = ("--by", "metadata.lang", "--detect", "0.1", "--report", page)
    shown = run("compare", *files, *options).output
    assert "90 pairs, paired by id (their prompts agree)" in shown
    assert "Segments are values of metadata.lang" in shown
    assert "Those that fell furthest, by helpful" in shown
    assert "old says" in page.read_text()


def test_json_is_one_object(files: list[str]) -> None:
    compared = read_json("compare", *files, "--permutations", 499)
    assert compared["differences"][0]["verdict"] == "better"


def test_time_has_its_own_tables(files: list[str]) -> None:
    over = ("--over", "metadata.started", "--every", "month", "--permutations", 199)
    assert "every=month" in run("compare", *files, *over).output


def test_a_gate_passes_with_0_and_fails_with_1(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    new, old, page = (tmp_path / name for name in ("new.jsonl", "old.jsonl", "gate.html"))
    drop = ("--baseline", old, "--pairing", "id", "--max-drop", "helpful=0.1")
    limit = ("gate", new, "--fail-under", "helpful=2")
    run(*limit, *drop, "--report", page)
    assert "helpful mean &gt;= 2" in page.read_text()
    failed = run("gate", new, "--fail-under", "helpful.share>=4=0.99", code=1)
    assert "the gate failed 1 of 2 checks" in failed.output
    assert read_json(*limit)["passed"] is True
    assert "give baseline (--baseline FILE)" in read_refusal("gate", new, *drop[4:])
