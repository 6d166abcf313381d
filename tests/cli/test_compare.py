"""`assize compare` as users call it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import read_json, run


def test_tables_and_page_show_pairs_and_segments(versions: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "compare.html"
    options = ("--by", "metadata.lang", "--detect", "0.1", "--report", page)
    shown = run("compare", *versions, *options).output
    assert "90 pairs, paired by id (their prompts agree)" in shown
    assert "Segments are values of metadata.lang" in shown
    assert "Those that fell furthest, by helpful" in shown
    assert "old says" in page.read_text()


def test_json_is_one_object(versions: list[str]) -> None:
    compared = read_json("compare", *versions, "--permutations", 499)
    assert compared["differences"][0]["verdict"] == "better"


def test_a_shown_fall_ends_the_command_with_one_if_asked(versions: list[str]) -> None:
    old, new = versions[:2], versions[2:]
    quick = ("--permutations", 499)
    run("compare", *new, *old, *quick)
    run("compare", *old, *new, *quick, "--fail-on-drop")
    fallen = run("compare", *new, *old, *quick, "--fail-on-drop", code=1)
    assert "worse than new: helpful -0.22 [" in fallen.stderr


def test_time_has_its_own_tables(versions: list[str]) -> None:
    over = ("--over", "metadata.started", "--every", "month", "--permutations", 199)
    assert "every=month" in run("compare", *versions, *over).output
