"""`assize gate` as a build calls it."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import read_json, read_refusal, run


def test_a_gate_passes_with_0_and_fails_with_1(versions: list[str], tmp_path: Path) -> None:
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
